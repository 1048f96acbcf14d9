"""Adding a data set of the user's own: its readers, its classes, its parts, and the catalogue entry. For add.py."""
