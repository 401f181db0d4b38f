"""The same values that the panels draw, printed: as text for people and as JSON, SARIF and the like for programs."""
