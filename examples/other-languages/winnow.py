"""Submit, wait and download with Python's standard library, and check that a webhook is Winnow's.

    WINNOW_API_KEY=... python3 examples/other-languages/winnow.py https://example.com/ files
    WINNOW_WEBHOOK_SECRET=... python3 examples/other-languages/winnow.py --verify SIGNATURE < body
"""

import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

SERVER = os.environ.get("WINNOW_URL", "http://127.0.0.1:8787").rstrip("/")


def call(method, path, body=None, headers=None):
    """The status and the bytes of an answer; errors of the service are RuntimeError."""
    request = urllib.request.Request(
        SERVER + path,
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={
            "x-api-key": os.environ["WINNOW_API_KEY"],
            "content-type": "application/json",
            **(headers or {}),
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as answer:
        error = json.loads(answer.read())["error"]
        raise RuntimeError(f"{error['code']}: {error['message']}") from None


def submit(body, tries=3):
    """Sent again under the same key, a submit is never charged twice."""
    key = {"idempotency-key": str(uuid.uuid4())}
    for left in reversed(range(tries)):
        try:
            return json.loads(call("POST", "/v1/extractions", body, key)[1])
        except (urllib.error.URLError, TimeoutError):
            if left == 0:
                raise
            time.sleep(1)


def wait(extraction_id):
    """202 while it runs, 200 when it is over. 60 reads a minute are allowed."""
    while True:
        status, body = call("GET", f"/v1/extractions/{extraction_id}/result")
        if status == 200:
            return json.loads(body)
        time.sleep(2)


def download(result, folder):
    os.makedirs(folder, exist_ok=True)
    for name in result["summary"]["files"]:
        path = f"/v1/extractions/{result['id']}/files/{urllib.parse.quote(name)}"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(call("GET", path)[1])
        print(os.path.join(folder, name))


def is_from_winnow(payload, signature, secret, tolerance_seconds=300):
    """payload: the raw bytes of the body. signature: the header X-Service-Signature."""
    pairs = [part.partition("=")[::2] for part in signature.split(",")]
    times = [value for name, value in pairs if name == "t"]
    if len(times) != 1 or not times[0].isdigit():
        return False
    if abs(time.time() - int(times[0])) > tolerance_seconds:
        return False
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + payload, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected, value) for name, value in pairs if name == "v1")


if __name__ == "__main__":
    if sys.argv[1] == "--verify":
        secret = os.environ["WINNOW_WEBHOOK_SECRET"]
        sys.exit(0 if is_from_winnow(sys.stdin.buffer.read(), sys.argv[2], secret) else 1)
    result = wait(submit({"url": sys.argv[1]})["id"])
    if result["status"] != "complete":
        sys.exit(f"{result['error']} {result['failure']['hint']}")
    download(result, sys.argv[2] if len(sys.argv) > 2 else "files")
