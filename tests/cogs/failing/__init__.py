"""The way to each place in the code that asks Discord for something: for tests of every error."""
