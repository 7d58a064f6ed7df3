"""The client of a Docvet service. A document is clean only if the service says so in exactly these words."""

from ._answer import ScanResult
from ._client import AsyncDocvet, Docvet
from ._errors import DocvetError, InfectedError, UnscannableError
from ._webhook import WebhookError, verify_webhook

__version__ = "0.4.0"

__all__ = [
    "AsyncDocvet",
    "Docvet",
    "DocvetError",
    "InfectedError",
    "ScanResult",
    "UnscannableError",
    "WebhookError",
    "verify_webhook",
]
