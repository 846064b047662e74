"""Stand-in until a view's module exists."""

from django.utils.module_loading import import_string


def later(dotted):
    def view(request):
        return import_string(dotted)(request)

    return view
