"""The client, and the same for asyncio."""

import asyncio
import http.client
import os
import socket
import ssl
import threading
import time
import uuid
from contextlib import contextmanager
from typing import Any, Iterator, Optional
from urllib.parse import urlsplit

from ._answer import ANSWER_BYTES_MAX, PAUSE, Outcome, ScanResult, read
from ._errors import DocvetError, InfectedError, UnscannableError
from ._form import Form, Source

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
        scan_timeout: Optional[DocvetError] = None
        try:
            while True:
                outcome, pause = self._attempt(form, attempt_key, deadline)
                if isinstance(outcome, ScanResult):
                    return outcome
                if outcome.code == "scan_timeout":
                    scan_timeout = outcome
                if pause is None or left <= 0 or time.monotonic() + pause >= deadline:
                    raise outcome
                left -= 1
                time.sleep(pause)
        except DocvetError as error:
            # The document may be its cause: no later failure may hide that, because callers may let some of those pass.
            raise scan_timeout or error
        finally:
            form.close()

    def assert_clean(self, source: Source, **options: Any) -> None:
        """Returns only for a clean document."""
        result = self.scan(source, **options)
        if result.status == "infected":
            raise InfectedError(result.threat or "unknown", result.scan_id or "")
        if result.status != "clean":
            raise UnscannableError(result.reason or "", result.detail or "")

    def _attempt(self, form: Form, key: str, deadline: float) -> Outcome:
        connection = self._connection(deadline)
        try:
            connection.connect()
            with _ended_at(deadline, connection.sock):
                outcome = self._exchange(connection, form, key, deadline)
            # What came after the end of the connection may be anything.
            self._remaining(deadline)
            return outcome
        except TimeoutError as error:
            raise self._late() from error
        except (OSError, http.client.HTTPException) as error:
            self._remaining(deadline)
            return DocvetError("unreachable", f"The service cannot be reached: {error}"), PAUSE
        finally:
            connection.close()

    def _exchange(self, connection: http.client.HTTPConnection, form: Form, key: str, deadline: float) -> Outcome:
        try:
            self._send(connection, form, key, deadline)
        except (OSError, http.client.HTTPException) as error:
            # A service that refuses early may close while the document is being sent.
            try:
                return self._answer(connection, form, deadline)
            except (OSError, http.client.HTTPException):
                raise error from None
        return self._answer(connection, form, deadline)

    def _send(self, connection: http.client.HTTPConnection, form: Form, key: str, deadline: float) -> None:
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

    def _connection(self, deadline: float) -> http.client.HTTPConnection:
        host, port = self._address
        timeout = self._remaining(deadline)
        if self._is_tls:
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=timeout)

    def _headers(self, form: Form, key: str, length: Optional[int]) -> "dict[str, str]":
        sized = {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": str(length)}
        return {"X-API-Key": self._key, "Idempotency-Key": key, "Content-Type": form.content_type, **sized}

    def _answer(self, connection: http.client.HTTPConnection, form: Form, deadline: float) -> Outcome:
        self._limit(connection, deadline)
        response = connection.getresponse()
        text = response.read(ANSWER_BYTES_MAX + 1)
        # With a size, `read` does not say that the connection ended early.
        if response.length and len(text) <= ANSWER_BYTES_MAX:
            raise http.client.IncompleteRead(text, response.length)
        return read(response.status, response.headers, text, form.document_bytes)

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


@contextmanager
def _ended_at(deadline: float, sock: Any) -> Iterator[None]:
    """The timeout of a socket begins again with every byte that drips in."""

    def end() -> None:
        try:
            socket.socket.shutdown(sock, socket.SHUT_RDWR)
        except OSError:
            pass

    timer = threading.Timer(max(deadline - time.monotonic(), 0.0), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
