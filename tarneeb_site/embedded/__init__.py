"""The servers that come with the project as wheels: PostgreSQL and Valkey."""
