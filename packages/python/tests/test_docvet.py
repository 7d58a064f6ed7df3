"""The client against a real service (DOCVET_URL, DOCVET_KEY), and against services that answer as ours does at its worst."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import http.server
import io
import json
import os
import socket
import tempfile
import threading
import time
import unittest
import warnings
import zipfile

from docvet import AsyncDocvet, Docvet, DocvetError, InfectedError, UnscannableError, WebhookError, verify_webhook

EICAR = b"X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR" + b"-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
LARGEST = 26_214_400
#: Of one byte.
CLEAN = (200, {}, {"scanId": "1", "status": "clean", "fileSize": 1})
BUSY = (503, {"Retry-After": "0"}, {"code": "service_busy"})


def locked() -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("a.txt", "x")
    bytes_ = bytearray(memory.getvalue())
    bytes_[6] |= 1
    bytes_[bytes_.index(b"PK\x01\x02") + 8] |= 1
    return bytes(bytes_)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Unseekable(io.RawIOBase):
    """Like a socket or a pipe."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        count = min(self.left, size if size >= 0 else self.left)
        self.left -= count
        return b"Dear reader\n" * (count // 12) + b"x" * (count % 12)


class Service:
    """Answers one request after another, and repeats the last answer."""

    def __init__(self, *answers):
        requests = self.requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                status, headers, body = answers[min(len(requests), len(answers) - 1)]
                content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                while self.headers.get("Transfer-Encoding") == "chunked":
                    size = int(self.rfile.readline(), 16)
                    content += self.rfile.read(size)
                    self.rfile.readline()
                    if size == 0:
                        break
                requests.append((dict(self.headers), content))
                if status is None:
                    time.sleep(body)
                    return
                if status == "drip":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n" + headers)
                    with contextlib.suppress(OSError):
                        for _ in range(100):
                            self.wfile.write(body)
                            time.sleep(0.05)
                    return
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode() if isinstance(body, str) else json.dumps(body).encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # Clients that go early are what is tested.
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class RealService(unittest.TestCase):
    def test_verdicts_of_bytes_paths_and_files(self):
        docvet = Docvet()
        self.assertEqual(docvet.scan(b"Dear reader").status, "clean")
        with tempfile.NamedTemporaryFile(suffix=".txt") as file:
            file.write(EICAR)
            file.flush()
            result = docvet.scan(file.name)
            self.assertEqual((result.status, result.threat), ("infected", "Docvet.Test.Eicar"))
            file.seek(0)
            self.assertEqual(docvet.scan(file).status, "infected")
            self.assertEqual(file.tell(), 0)
        result = docvet.scan(locked(), file_name="a.zip")
        self.assertEqual((result.status, result.reason), ("refused", "encrypted_document"))

    def test_a_stream_of_the_largest_size(self):
        self.assertEqual(Docvet().scan(Unseekable(LARGEST), file_name="a.txt").status, "clean")

    def test_one_byte_more_is_refused(self):
        result = Docvet().scan(bytes(LARGEST + 1))
        self.assertEqual((result.status, result.reason), ("refused", "file_too_large"))

    def test_assert_clean(self):
        docvet = Docvet()
        docvet.assert_clean(b"Dear reader")
        with self.assertRaises(InfectedError):
            docvet.assert_clean(EICAR)
        with self.assertRaises(UnscannableError):
            docvet.assert_clean(b"")

    def test_asyncio(self):
        async def both():
            docvet = AsyncDocvet()
            return await asyncio.gather(docvet.scan(b"Dear reader"), docvet.scan(EICAR))

        self.assertEqual([each.status for each in asyncio.run(both())], ["clean", "infected"])

    def test_a_wrong_key(self):
        with self.assertRaises(DocvetError) as caught:
            Docvet(key="dv_live_wrong").scan(b"x")
        self.assertEqual(caught.exception.code, "unauthenticated")


class BadService(unittest.TestCase):
    def code_of(self, url, source=b"x", **options):
        with self.assertRaises(DocvetError) as caught:
            Docvet(url, "x", **options).scan(source)
        return caught.exception.code

    def test_what_is_no_verdict(self):
        for answer in [
            (200, {}, "<html>clean</html>"),
            (200, {}, [{"status": "clean"}]),
            (200, {}, None),
            (200, {}, {"status": "clean"}),
            (200, {}, {"scanId": "1", "status": "Clean"}),
            (202, {}, CLEAN[2]),
            (200, {}, {"scanId": "1", "status": "clean"}),
            (200, {}, {"scanId": "1", "status": "clean", "fileSize": 2}),
            (200, {}, {"scanId": "1", "status": "clean", "fileSize": True}),
            (200, {}, {**CLEAN[2], "threat": "Own.Threat"}),
            (200, {}, json.dumps(CLEAN[2])[:-1]),
            (200, {}, json.dumps(CLEAN[2]).ljust(1_000_001)),
            (200, {"Content-Type": "text/html"}, CLEAN[2]),
            (302, {"Location": "/elsewhere"}, CLEAN[2]),
            (502, {}, "Bad gateway"),
            (200, {}, "[" * 900_000),
            (503, {"Retry-After": "nan"}, "Bad gateway"),
        ]:
            with self.subTest(answer=str(answer)[:200]), Service(answer) as service:
                self.assertEqual(self.code_of(service.url, retries=0), "unexpected_response")
                self.assertEqual(self.code_of(service.url, source=Unseekable(1), retries=0), "unexpected_response")
        with Service((200, {}, json.dumps(CLEAN[2]).ljust(1_000_000))) as service:
            self.assertEqual(Docvet(service.url, "x").scan(b"x").status, "clean")

    def test_a_response_that_ends_early(self):
        with Service((200, {"Content-Length": "500"}, CLEAN[2])) as service:
            self.assertEqual(self.code_of(service.url, retries=0), "unreachable")

    def test_sources_that_are_no_bytes(self):
        with Service(CLEAN) as service:
            for source in [io.StringIO("x"), None, 1, {}, ["x"]]:
                with self.subTest(source=source), self.assertRaisesRegex(TypeError, "for reading bytes"):
                    Docvet(service.url, "x").scan(source)

    def test_a_file_that_grows_while_it_is_sent(self):
        class Growing(io.BytesIO):
            def read(self, size=-1):
                piece = super().read(size)
                if self.tell() == 1:
                    self.write(b"y")
                    self.seek(1)
                return piece

        with Service(CLEAN) as service:
            self.assertEqual(self.code_of(service.url, source=Growing(b"x"), retries=0), "unexpected_response")

    def test_a_result_is_no_boolean(self):
        with Service(CLEAN) as service, self.assertRaises(TypeError):
            bool(Docvet(service.url, "x").scan(b"x"))

    def test_repetitions_have_the_same_key_and_are_bounded(self):
        with Service(BUSY, BUSY, CLEAN) as service:
            self.assertEqual(Docvet(service.url, "x").scan(b"x").status, "clean")
            keys = {headers["Idempotency-Key"] for headers, _ in service.requests}
            self.assertEqual((len(service.requests), len(keys)), (3, 1))
        with Service(BUSY) as service:
            self.assertEqual(self.code_of(service.url, retries=1), "service_busy")
            self.assertEqual(len(service.requests), 2)
        with Service((503, {"Retry-After": "3600"}, {"code": "service_busy"})) as service:
            self.assertEqual(self.code_of(service.url), "service_busy")
            self.assertEqual(len(service.requests), 1)

    def test_a_pause_that_is_no_number_is_that_of_the_client(self):
        with Service((503, {"Retry-After": "nan"}, {"code": "service_busy"}), CLEAN) as service:
            self.assertEqual(Docvet(service.url, "x").scan(b"x").status, "clean")

    def test_a_document_whose_scan_took_too_long_once_is_named_by_that(self):
        late = (503, {"Retry-After": "0"}, {"code": "scan_timeout"})
        with Service(late, BUSY) as service:
            self.assertEqual(self.code_of(service.url, retries=1), "scan_timeout")
        with Service(late, (None, {}, 20)) as service:
            self.assertEqual(self.code_of(service.url, timeout=4), "scan_timeout")
        with Service(late, CLEAN) as service:
            self.assertEqual(Docvet(service.url, "x").scan(b"x").status, "clean")

    def test_nobody_answers(self):
        with Service((None, {}, 5)) as service:
            self.assertEqual(self.code_of(service.url, timeout=0.2), "timeout")
        self.assertEqual(self.code_of(f"http://127.0.0.1:{free_port()}", retries=0), "unreachable")

    def test_answers_that_drip_do_not_outlive_the_time(self):
        for headers, body in [(b"", b"X-A: b\r\n"), (b"Content-Length: 1000\r\n\r\n", b" ")]:
            with self.subTest(headers=headers), Service(("drip", headers, body)) as service:
                self.assertEqual(self.code_of(service.url, timeout=0.5, retries=0), "timeout")

    def test_names_cannot_break_the_form(self):
        with Service(CLEAN) as service:
            Docvet(service.url, "x").scan(b"x", file_name='a"b\r\nc.txt', password="sécret", reference="r")
            content = service.requests[0][1]
            Docvet(service.url, "x").scan(b"x", file_name="ä" * 5_000 + "\0.html")
            name = service.requests[1][1].split(b'filename="')[1].split(b'"')[0]
        self.assertIn(b'name="file"; filename="a%22b%0D%0Ac.txt"', content)
        self.assertEqual(name.decode(), "ä" * 250 + ".html")
        self.assertIn('name="password"\r\n\r\nsécret\r\n'.encode(), content)


class Webhooks(unittest.TestCase):
    def setUp(self):
        self.secret = "whsec_" + base64.b64encode(bytes(32)).decode()
        self.body = b'{"type":"scan.finished"}'

    def headers(self, at=None):
        stamp = str(int(at or time.time()))
        signature = hmac.new(bytes(32), b"id." + stamp.encode() + b"." + self.body, hashlib.sha256).digest()
        signed = "v1a,AAAA v1," + base64.b64encode(signature).decode()
        return {"Webhook-Id": "id", "webhook-timestamp": stamp, "webhook-signature": signed}

    def test_genuine_and_others(self):
        self.assertEqual(verify_webhook(self.headers(), self.body, self.secret), {"type": "scan.finished"})
        for headers, body in [
            (self.headers(), self.body + b" "),
            ({**self.headers(), "webhook-signature": "v1,AAAA"}, self.body),
            (self.headers(time.time() - 302), self.body),
            (self.headers(time.time() + 302), self.body),
            ({**self.headers(), "webhook-timestamp": "²"}, self.body),
            ({**self.headers(), "webhook-timestamp": "9" * 100_000}, self.body),
            ({**self.headers(), "webhook-id": "\udcff"}, self.body),
            ({**self.headers(), "webhook-signature": "v1,\udcff"}, self.body),
            ({**self.headers(), "webhook-signature": self.headers()["webhook-signature"].lower()}, self.body),
            ({}, self.body),
        ]:
            with self.subTest(headers=headers), self.assertRaises(WebhookError):
                verify_webhook(headers, body, self.secret)
        for secret in ["", "whsec_", "whsec_!!!!", "whsec_AAA"]:
            with self.subTest(secret=secret), self.assertRaises(ValueError):
                verify_webhook(self.headers(), self.body, secret)


class Frameworks(unittest.TestCase):
    def test_django(self):
        from django.conf import settings

        settings.configure(DEFAULT_CHARSET="utf-8", USE_I18N=False)
        from django import forms
        from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
        from docvet.django import validate_clean

        class Upload(forms.Form):
            file = forms.FileField(validators=[validate_clean])

        def codes(file):
            form = Upload({}, {"file": file})
            return [] if form.is_valid() else [error.code for error in form.errors.as_data()["file"]]

        on_disk = TemporaryUploadedFile("e.txt", "text/plain", len(EICAR), None)
        on_disk.write(EICAR)
        # As a validator before this one may leave it.
        on_disk.seek(20)
        clean = SimpleUploadedFile("a.txt", b"Dear reader")
        self.assertEqual(codes(clean), [])
        self.assertEqual(clean.read(), b"Dear reader")
        self.assertEqual(codes(SimpleUploadedFile("e.txt", EICAR)), ["infected_document"])
        self.assertEqual(codes(on_disk), ["infected_document"])
        self.assertEqual(codes(SimpleUploadedFile("a.zip", locked())), ["encrypted_document"])
        settings.DOCVET_URL = f"http://127.0.0.1:{free_port()}"
        self.assertEqual(codes(SimpleUploadedFile("a.txt", b"Dear reader")), ["scan_failed"])

    def test_fastapi(self):
        warnings.simplefilter("ignore")
        from fastapi import Depends, FastAPI, UploadFile
        from fastapi.testclient import TestClient
        from docvet.fastapi import require_all_clean, require_clean

        app = FastAPI()
        down = AsyncDocvet(f"http://127.0.0.1:{free_port()}", "x", retries=0)

        @app.post("/up")
        async def up(file: UploadFile = Depends(require_clean())):
            return {"bytes": len(await file.read()), "name": file.filename}

        async def sniffed(file: UploadFile):
            return await file.read(20)

        @app.post("/sniffed", dependencies=[Depends(sniffed)])
        async def after(file: UploadFile = Depends(require_clean())):
            return {}

        @app.post("/all")
        async def all_of_them(files: list[UploadFile] = Depends(require_all_clean(field="files"))):
            return {"names": [file.filename for file in files]}

        @app.post("/down")
        async def never(file: UploadFile = Depends(require_clean(down))):
            return {}

        client = TestClient(app)

        def post(path, name, content):
            response = client.post(path, files={"file": (name, content)})
            return response.status_code, response.json()

        self.assertEqual(post("/up", "a.txt", b"Dear reader"), (200, {"bytes": 11, "name": "a.txt"}))
        status, body = post("/up", "e.txt", EICAR)
        self.assertEqual((status, body["detail"]["code"]), (422, "infected_document"))
        def post_all(*contents):
            files = [("files", (f"{index}.txt", content)) for index, content in enumerate(contents)]
            response = client.post("/all", files=files)
            return response.status_code, response.json()

        self.assertEqual(post_all(b"Dear reader", b"Dear all"), (200, {"names": ["0.txt", "1.txt"]}))
        self.assertEqual(post_all(b"Dear reader", EICAR, b"Dear all")[0], 422)
        self.assertEqual(post("/sniffed", "e.txt", EICAR)[0], 422)
        status, body = post("/up", "a.zip", locked())
        # For who sent the file, who knows nothing of the service.
        detail = "The document is encrypted. Send a copy without a password."
        self.assertEqual((status, body["detail"]), (422, {"code": "encrypted_document", "detail": detail}))
        status, body = post("/down", "a.txt", b"Dear reader")
        self.assertEqual((status, body["detail"]["code"]), (503, "scan_failed"))


if __name__ == "__main__":
    assert os.environ["DOCVET_URL"] and os.environ["DOCVET_KEY"]
    unittest.main()
