"""Rule-based extraction of memories from one turn, Chinese and English, offline."""

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract

__all__ = ["Candidate", "extract"]
