"""The URL table."""

urlpatterns: list = []
