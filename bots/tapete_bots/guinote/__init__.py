"""Guiñote bots: policy, beliefs, search and exact endgame."""
