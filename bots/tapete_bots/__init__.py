"""Bots that answer a view with a move: the registry and the built-in bots."""
