"""MemoryHub: layered memory for assistants, for many tenants."""

import os

# Before anything imports numpy: the local embedder gives each model one thread. With more, OpenBLAS starts and spins its
# threads anew around every call (150 ms a text instead of 15, measured on two cores).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("VECLIB_MAXIMUM_THREADS", "1")
