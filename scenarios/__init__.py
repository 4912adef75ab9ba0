"""The scenarios that ship with the analyzer, as package data (`analyzer.shipped`)."""
