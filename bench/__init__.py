"""Measures the inspector against floors, as ratios inside one run."""
