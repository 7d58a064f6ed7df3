"""Verifies callbacks by Standard Webhooks 1.0.0."""

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional

#: Older or newer callbacks may be repeated by somebody who has seen them.
_TOLERANCE = 300


class WebhookError(Exception):
    """The callback is not from the service, or too old."""


def verify_webhook(headers: Mapping[str, str], raw_body: bytes, secret: str, now: Optional[float] = None) -> Any:
    """Returns the parsed body. ``raw_body`` has to be the bytes as they arrived; ``secret`` is ``whsec_…``."""
    if not secret.startswith("whsec_"):
        raise ValueError("The secret must begin with whsec_")
    key = base64.b64decode(secret[len("whsec_") :], validate=True)
    if not key:
        raise ValueError("The secret of the webhook is empty")
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, timestamp, signatures = (lower[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise WebhookError(f"The header {error} is missing") from None
    current = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(current - int(timestamp)) > _TOLERANCE:
        raise WebhookError("The time of the callback is too far from now")
    text = f"{identifier}.{timestamp}.".encode("utf-8", "surrogateescape") + raw_body
    expected = hmac.new(key, text, hashlib.sha256).digest()
    given = (each[len("v1,") :] for each in signatures.split(" ") if each.startswith("v1,"))
    if not any(hmac.compare_digest(base64.b64encode(expected), each.encode("utf-8", "surrogateescape")) for each in given):
        raise WebhookError("No signature of the callback is right")
    return json.loads(raw_body)
