"""Tournaments between bots: definition, schedule, play, store and standings."""
