"""The client, and the same for asyncio."""

import asyncio
import http.client
import json
import os
import ssl
import time
import uuid
from dataclasses import dataclass
from typing import Any, Optional, Tuple, Union
from urllib.parse import urlsplit

from ._errors import DocvetError, InfectedError, UnscannableError
from ._form import Form, Source

#: What the service refuses a document for: it was read, and cannot be vouched for.
_REFUSALS = frozenset(
    [
        "encrypted_document",
        "document_too_complex",
        "damaged_document",
        "unsupported_content_type",
        "file_too_large",
        "empty_file",
    ]
)
_REPEATED = (429, 503)
#: Where the service does not say when to come back.
_PAUSE = 0.5
_ANSWER_BYTES_MAX = 1_000_000


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
_Outcome = Tuple[Union[ScanResult, DocvetError], Optional[float]]


class Docvet:
    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retries: int = 3,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """``timeout`` is for a scan with all its repetitions, in seconds."""
        url = url or os.environ.get("DOCVET_URL")
        key = key or os.environ.get("DOCVET_KEY")
        if not url:
            raise ValueError("No URL: pass url, or set DOCVET_URL")
        if not key:
            raise ValueError("No API key: pass key, or set DOCVET_KEY")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("The URL must begin with http:// or https://")
        self._is_tls = parts.scheme == "https"
        self._address = (parts.hostname, parts.port)
        self._path = f"{parts.path.rstrip('/')}/api/v1/scan"
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._context = context

    def scan(
        self,
        source: Source,
        *,
        file_name: Optional[str] = None,
        password: Optional[str] = None,
        reference: Optional[str] = None,
    ) -> ScanResult:
        """Raises ``DocvetError`` where there is no verdict."""
        deadline = time.monotonic() + self._timeout
        form = Form(source, file_name, {"password": password, "reference": reference})
        # The same for every attempt, so that the account is charged once.
        attempt_key = str(uuid.uuid4())
        left = self._retries if form.is_repeatable else 0
        try:
            while True:
                outcome, pause = self._attempt(form, attempt_key, deadline)
                if isinstance(outcome, ScanResult):
                    return outcome
                if pause is None or left <= 0 or time.monotonic() + pause >= deadline:
                    raise outcome
                left -= 1
                time.sleep(pause)
        finally:
            form.close()

    def assert_clean(self, source: Source, **options: Any) -> None:
        """Returns only for a clean document."""
        result = self.scan(source, **options)
        if result.status == "infected":
            raise InfectedError(result.threat or "unknown", result.scan_id or "")
        if result.status != "clean":
            raise UnscannableError(result.reason or "", result.detail or "")

    def _attempt(self, form: Form, key: str, deadline: float) -> _Outcome:
        connection = self._connection(deadline)
        try:
            length = form.length()
            connection.putrequest("POST", self._path)
            for name, value in self._headers(form, key, length).items():
                connection.putheader(name, value)
            connection.endheaders()
            for piece in form.pieces():
                self._limit(connection, deadline)
                connection.send(piece if length is not None else b"%x\r\n%b\r\n" % (len(piece), piece))
            if length is None:
                connection.send(b"0\r\n\r\n")
            return self._answer(connection, deadline)
        except TimeoutError as error:
            raise self._late() from error
        except (OSError, http.client.HTTPException) as error:
            return self._early_answer(connection, deadline) or (
                DocvetError("unreachable", f"The service cannot be reached: {error}"),
                _PAUSE,
            )
        finally:
            connection.close()

    def _early_answer(self, connection: http.client.HTTPConnection, deadline: float) -> Optional[_Outcome]:
        """A service that refuses early may close while the document is being sent."""
        if connection.sock is None:
            return None
        try:
            return self._answer(connection, deadline)
        except (OSError, http.client.HTTPException):
            return None

    def _connection(self, deadline: float) -> http.client.HTTPConnection:
        host, port = self._address
        timeout = self._remaining(deadline)
        if self._is_tls:
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=timeout)

    def _headers(self, form: Form, key: str, length: Optional[int]) -> "dict[str, str]":
        sized = {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": str(length)}
        return {"X-API-Key": self._key, "Idempotency-Key": key, "Content-Type": form.content_type, **sized}

    def _answer(self, connection: http.client.HTTPConnection, deadline: float) -> _Outcome:
        self._limit(connection, deadline)
        response = connection.getresponse()
        return _read(response.status, response.headers.get("Retry-After"), response.read(_ANSWER_BYTES_MAX))

    def _remaining(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._late()
        return left

    def _limit(self, connection: http.client.HTTPConnection, deadline: float) -> None:
        if connection.sock is not None:
            connection.sock.settimeout(self._remaining(deadline))

    def _late(self) -> DocvetError:
        return DocvetError("timeout", f"No verdict within {self._timeout} s")


class AsyncDocvet:
    """The same methods, to be awaited. Each scan runs in a thread."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._docvet = Docvet(*args, **options)

    async def scan(self, source: Source, **options: Any) -> ScanResult:
        return await asyncio.to_thread(self._docvet.scan, source, **options)

    async def assert_clean(self, source: Source, **options: Any) -> None:
        await asyncio.to_thread(self._docvet.assert_clean, source, **options)


def _read(status: int, retry_after: Optional[str], text: bytes) -> _Outcome:
    body = _parsed(text)
    verdict, scan_id, code = body.get("status"), body.get("scanId"), body.get("code")
    if status == 200 and isinstance(scan_id, str):
        if verdict == "clean":
            return ScanResult("clean", scan_id=scan_id), None
        if verdict == "infected":
            return ScanResult("infected", threat=str(body.get("threat") or "unknown"), scan_id=scan_id), None
    pause = _pause_of(retry_after) if status in _REPEATED else None
    if status < 400 or not isinstance(code, str):
        message = f"Status {status} without a verdict: is the URL right?"
        return DocvetError("unexpected_response", message, status), pause
    detail = str(body.get("detail") or code)
    if code in _REFUSALS:
        return ScanResult("refused", reason=code, detail=detail), None
    return DocvetError(code, detail, status), pause


def _parsed(text: bytes) -> "dict[str, Any]":
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _pause_of(retry_after: Optional[str]) -> float:
    try:
        return max(float(retry_after or ""), 0.0) or _PAUSE
    except ValueError:
        return _PAUSE
