"""Webhooks: endpoints that are told of changes, and the delivery of what they are told."""
