"""The edition of the rules that this version plays by."""

__all__ = ["RULES_EDITION"]

RULES_EDITION = "2026-12"
"""Edition of the rules of all games; it changes whenever some rule, or the meaning of a switch, does."""
