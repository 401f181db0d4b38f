"""Conversations as scripts: what the customer and the model do, and what is expected of it."""
