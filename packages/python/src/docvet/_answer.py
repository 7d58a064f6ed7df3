"""Reads what the service answers. Only here a document is called clean."""

import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple, Union

from ._errors import DocvetError

#: What the service refuses a document for: it was read, and cannot be vouched for. The texts are for who sent the
#: file; what the service says is for who called it, and in the result.
REFUSALS = {
    "encrypted_document": "The document is encrypted. Send a copy without a password.",
    "document_too_complex": "The document is too complex to be scanned.",
    "damaged_document": "The document is damaged. Send another copy.",
    "unsupported_content_type": "Files of this type are not accepted.",
    "file_too_large": "The file is too large.",
    "empty_file": "The file is empty.",
}
_REPEATED = (429, 503)
#: Where the service does not say when to come back.
PAUSE = 0.5
ANSWER_BYTES_MAX = 1_000_000


@dataclass(frozen=True)
class ScanResult:
    """``status`` is ``clean``, ``infected`` or ``refused``: treat the last like the second."""

    status: str
    threat: Optional[str] = None
    reason: Optional[str] = None
    detail: Optional[str] = None
    scan_id: Optional[str] = None

    def __bool__(self) -> bool:
        raise TypeError("A result is neither true nor false: compare its status")


#: What an attempt ended with, and the seconds after which another may end better.
Outcome = Tuple[Union[ScanResult, DocvetError], Optional[float]]


def read(status: int, headers: Mapping[str, str], text: bytes, document_bytes: Optional[int]) -> Outcome:
    body = _parsed(text) if len(text) <= ANSWER_BYTES_MAX else {}
    verdict, scan_id, code = body.get("status"), body.get("scanId"), body.get("code")
    is_json = (headers.get("Content-Type") or "").lower().startswith("application/json")
    if status == 200 and is_json and isinstance(scan_id, str):
        size = body.get("fileSize")
        # Of another document, or of a part of this one, it says nothing.
        is_whole = document_bytes is not None and type(size) is int and size == document_bytes
        if verdict == "clean" and body.get("threat") is None and is_whole:
            return ScanResult("clean", scan_id=scan_id), None
        if verdict == "infected":
            return ScanResult("infected", threat=str(body.get("threat") or "unknown"), scan_id=scan_id), None
    pause = _pause_of(headers.get("Retry-After")) if status in _REPEATED else None
    if status < 400 or not isinstance(code, str):
        message = f"Status {status} without a verdict on this document: is the URL right?"
        return DocvetError("unexpected_response", message, status), pause
    detail = str(body.get("detail") or code)
    if code in REFUSALS:
        return ScanResult("refused", reason=code, detail=detail), None
    return DocvetError(code, detail, status), pause


def _parsed(text: bytes) -> "dict[str, Any]":
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _pause_of(retry_after: Optional[str]) -> float:
    try:
        seconds = float(retry_after or "")
    except ValueError:
        return PAUSE
    return seconds if seconds > 0 else PAUSE
