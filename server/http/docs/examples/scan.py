# Usage: DOCVET_KEY=dv_live_… python3 scan.py FILE. Exit code: 0 clean, 1 infected, 2 no verdict. Python 3.8 or newer.
import json
import os
import sys
import urllib.error
import urllib.request
import uuid


def scan(path):
    boundary = uuid.uuid4().hex
    name = os.path.basename(path).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    with open(path, "rb") as document:
        body = head.encode(errors="surrogateescape") + document.read() + f"\r\n--{boundary}--\r\n".encode()
    request = urllib.request.Request("http://127.0.0.1:8080/api/v1/scan", data=body, method="POST")
    request.add_header("X-API-Key", os.environ["DOCVET_KEY"])
    request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


try:
    result = scan(sys.argv[1])
except urllib.error.HTTPError as error:
    # 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
    problem = json.load(error)
    print(f"no verdict: {problem['code']}: {problem['detail']}", file=sys.stderr)
    sys.exit(2)
except OSError as error:
    print(f"no verdict: {error}", file=sys.stderr)
    sys.exit(2)
print("clean" if result["status"] == "clean" else f"infected: {result['threat']}")
sys.exit(0 if result["status"] == "clean" else 1)
