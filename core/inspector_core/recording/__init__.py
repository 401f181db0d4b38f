"""Recorded conversations: what a file of them holds, whatever wrote it and however it was cut short."""
