"""Runs the command as `python -m tapete_cli`."""

from tapete_cli.main import app

if __name__ == "__main__":
    app(prog_name="tapete")
