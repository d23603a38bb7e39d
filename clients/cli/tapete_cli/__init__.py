"""The `tapete` command."""
