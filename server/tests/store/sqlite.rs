//! What is SQLite's own: its file, its settings, and what happens when it fails.
