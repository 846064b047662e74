"""MemoryHub's client: a few typed calls over its REST interface, waiting or not, with retries that write once.

Needs httpx and nothing of the server: `pip install "memoryhub[client]"`.
"""

from memoryhub.client.asynchronous import AsyncMemoryHub
from memoryhub.client.errors import MemoryHubError, NotReached
from memoryhub.client.synchronous import MemoryHub

__all__ = ["AsyncMemoryHub", "MemoryHub", "MemoryHubError", "NotReached"]
