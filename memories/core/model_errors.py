"""What can go wrong with a chat or embedding model, told apart by a stable code that the page translates."""

from __future__ import annotations

from memoryhub.common.errors import DomainError, Unavailable


class ModelUnavailable(Unavailable):
    """The endpoint cannot be reached, is too slow, is overloaded or answers with a server error."""

    code = "model_unavailable"


class ModelMisconfigured(Unavailable):
    """The endpoint refuses the request as such: wrong key, unknown model, wrong base URL; retrying does not help."""

    code = "model_misconfigured"


class ModelInterrupted(Unavailable):
    """The answer broke off after its first words: the connection was lost, or the stream went silent."""

    code = "model_interrupted"


class ModelTruncated(DomainError):
    """The answer hit the token limit; what came before it is kept."""

    code = "model_truncated"
    status = 502


class ModelRefused(DomainError):
    """The model, or its content filter, declined to answer."""

    code = "model_refused"
    status = 502


class ModelMalformed(DomainError):
    """The reply is not what was asked for (no JSON, or JSON that breaks the schema)."""

    code = "model_malformed"
    status = 502


class EmbedderUnavailable(Unavailable):
    """No vector can be had now; writes are kept and embedded later, recall goes on by words alone."""

    code = "embedder_unavailable"


class EmbeddingRefused(DomainError):
    """The text has no meaning to embed (empty, or a zero vector came back)."""

    code = "embedding_refused"
