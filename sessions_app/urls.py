"""URLs of the chat pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
