"""A second reading of the rules, kept slow and obvious, to check the engine that plays."""
