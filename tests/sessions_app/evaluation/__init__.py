"""Tests of the retention suite's scripts and of what counts as retained."""
