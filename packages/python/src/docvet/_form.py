"""A document as a form, written in pieces so that its memory does not depend on the size."""

import io
import os
import uuid
from typing import IO, Iterator, Optional, Tuple, Union

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]

_PIECE = 65_536
_UNNAMED = "document"
#: The service shows at most 255 bytes of a name, and refuses forms with much longer ones. The end has the type.
_NAME_LENGTH_MAX = 255


class Form:
    def __init__(self, source: Source, file_name: Optional[str], fields: "dict[str, Optional[str]]") -> None:
        #: Of the document, as sent; None while it is not sent whole.
        self.document_bytes: Optional[int] = None
        self._boundary = f"docvet-{uuid.uuid4()}"
        self.content_type = f"multipart/form-data; boundary={self._boundary}"
        self._file, name = _opened(source)
        #: Whoever opened it closes it.
        self._is_ours = self._file is not source
        self._start = self._file.tell() if _can_seek(self._file) else None
        self._head = self._written_head(file_name or name, fields)
        self._tail = f"\r\n--{self._boundary}--\r\n".encode()

    @property
    def is_repeatable(self) -> bool:
        return self._start is not None

    def length(self) -> Optional[int]:
        """None where only the end tells."""
        if self._start is None:
            return None
        size = self._file.seek(0, os.SEEK_END) - self._start
        self._file.seek(self._start)
        return len(self._head) + size + len(self._tail)

    def pieces(self) -> Iterator[bytes]:
        if self._start is not None:
            self._file.seek(self._start)
        self.document_bytes = None
        sent = 0
        yield self._head
        while True:
            piece = self._file.read(_PIECE)
            if not piece:
                break
            if not isinstance(piece, (bytes, bytearray, memoryview)):
                raise TypeError("The file must be open for reading bytes")
            sent += len(piece)
            yield piece
        self.document_bytes = sent
        yield self._tail

    def close(self) -> None:
        if self._is_ours:
            self._file.close()
        elif self._start is not None:
            # As it was, for whoever stores it next.
            self._file.seek(self._start)

    def _written_head(self, name: str, fields: "dict[str, Optional[str]]") -> bytes:
        def part(about: str, more: str = "") -> str:
            return f"--{self._boundary}\r\nContent-Disposition: form-data; {about}\r\n{more}\r\n"

        # As browsers escape names in forms; the service refuses NUL in them.
        short = name.replace("\0", "")[-_NAME_LENGTH_MAX:]
        escaped = short.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        # Before the file, because the service reads them in order.
        given = [part(f'name="{key}"') + f"{value}\r\n" for key, value in fields.items() if value is not None]
        file = part(f'name="file"; filename="{escaped}"', "Content-Type: application/octet-stream\r\n")
        return "".join([*given, file]).encode("utf-8", "surrogateescape")


def _opened(source: Source) -> Tuple[IO[bytes], str]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return io.BytesIO(source), _UNNAMED
    if isinstance(source, (str, os.PathLike)):
        return open(source, "rb"), os.path.basename(os.fspath(source))
    if not callable(getattr(source, "read", None)):
        raise TypeError("Scan a path, bytes, or a file that is open for reading bytes")
    name = getattr(source, "name", None)
    return source, os.path.basename(name) if isinstance(name, str) and name else _UNNAMED


def _can_seek(file: IO[bytes]) -> bool:
    seekable = getattr(file, "seekable", None)
    return bool(seekable and seekable())
