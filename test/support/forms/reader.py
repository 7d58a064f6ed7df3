"""Prints the files that Python's form parsers see in each form of a folder, as JSON lines."""

import asyncio
import contextlib
import email
import hashlib
import io
import json
import logging
import pathlib
import sys
import warnings

import aiohttp
import django
import multipart
from aiohttp.streams import StreamReader
from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http.multipartparser import MultiPartParser
from multidict import CIMultiDict
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
settings.configure()
django.setup()


def text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def read_email(content_type, body):
    message = email.message_from_bytes(b"Content-Type: " + content_type.encode("latin1") + b"\r\n\r\n" + body)
    parts = message.get_payload() if message.is_multipart() else []
    for part in parts:
        if part.get_filename() is not None:
            name = part.get_param("name", header="content-disposition")
            content = part.get_payload(decode=True)
            yield name, part.get_filename(), part.as_bytes() if content is None else content


def read_cgi(content_type, body):
    import cgi

    environ = {"REQUEST_METHOD": "POST", "CONTENT_TYPE": content_type, "CONTENT_LENGTH": str(len(body))}
    for item in cgi.FieldStorage(fp=io.BytesIO(body), environ=environ).list or []:
        if item.filename:
            yield item.name, item.filename, item.file.read()


def read_werkzeug(content_type, body):
    media_type, options = parse_options_header(content_type)
    _, _, files = FormDataParser(silent=False).parse(io.BytesIO(body), media_type, len(body), options)
    for name, file in files.items(multi=True):
        yield name, file.filename, file.read()


def read_python_multipart(content_type, body):
    files = []

    def on_file(file):
        file.file_object.seek(0)
        files.append((text(file.field_name), text(file.file_name), file.file_object.read()))

    try:
        headers = {"Content-Type": content_type.encode("latin1"), "Content-Length": len(body)}
        multipart.parse_form(headers, io.BytesIO(body), lambda field: None, on_file)
    finally:
        yield from files


class Handler(MemoryFileUploadHandler):
    def handle_raw_input(self, *args, **kwargs):
        self.activated = True


def read_django(content_type, body):
    meta = {"CONTENT_TYPE": content_type, "CONTENT_LENGTH": len(body)}
    _, files = MultiPartParser(meta, io.BytesIO(body), [Handler()]).parse()
    for name, each in files.lists():
        for file in each:
            yield name, file.name, file.read()


def read_aiohttp(content_type, body):
    class Protocol:
        _reading_paused = False

        def pause_reading(self):
            pass

        def resume_reading(self):
            pass

    async def read():
        stream = StreamReader(Protocol(), 2**26, loop=asyncio.get_running_loop())
        stream.feed_data(body)
        stream.feed_eof()
        reader = aiohttp.MultipartReader(CIMultiDict({"Content-Type": content_type}), stream)
        files = []
        with contextlib.suppress(EOFError):
            while (part := await reader.next()) is not None:
                if isinstance(part, aiohttp.MultipartReader):
                    raise ValueError("nested")
                content = bytes(await part.read(decode=True))
                if part.filename is not None:
                    files.append((part.name, part.filename, content))
        return files

    yield from asyncio.run(read())


READERS = {
    "email": read_email,
    "cgi": read_cgi,
    "werkzeug": read_werkzeug,
    "python-multipart": read_python_multipart,
    "django": read_django,
    "aiohttp": read_aiohttp,
}


def main(folder):
    for path in sorted(pathlib.Path(folder).glob("*.form")):
        content_type, _, body = path.read_bytes().partition(b"\r\n")
        for parser, read in READERS.items():
            files, error = [], None
            try:
                for name, file_name, content in read(content_type.decode("latin1"), body):
                    sha256 = hashlib.sha256(content).hexdigest()
                    files.append({"name": str(name), "fileName": str(file_name), "sha256": sha256})
            except ModuleNotFoundError:
                continue
            except Exception as exception:
                error = repr(exception)[:200]
            print(json.dumps({"form": path.stem, "parser": parser, "files": files, "error": error}))


main(sys.argv[1])
