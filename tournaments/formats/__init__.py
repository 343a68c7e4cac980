"""Tournament formats: pure, of settings, entrants and log. No database, no clock, no chance."""
