"""A conversation kept as a test: as a script of ours, as a test of the engine's, or as a scenario of its evaluation."""
