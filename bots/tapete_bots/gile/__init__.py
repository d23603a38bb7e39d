"""Gilé bots: tables of hands, policy, beliefs, search."""
