"""The pages in a real browser, against a running server."""
