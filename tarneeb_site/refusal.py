"""What keeps the site from starting, in one line for the person at the terminal."""


class CannotStart(Exception):
    """The site cannot start; the message says why and what to do."""
