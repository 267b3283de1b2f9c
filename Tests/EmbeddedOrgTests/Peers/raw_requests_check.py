# SPDX-License-Identifier: Apache-2.0
"""Sends raw requests to an org in a process of its own and prints what was wrong as one JSON object.

It shares no code with the package: sockets and Python's standard library only, and a strict reader of HTTP answers.
Usage: raw_requests_check.py PROGRAM, where PROGRAM is the command `soql`.
"""
import json
import os
import random
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from urllib.parse import quote

DATA = "/services/data/v66.0"
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
KILOBYTE_LIMIT = 6_000  # of a file, where the disk is to be full


class Org:
    """`soql org start` on a file."""

    def __init__(self, program, file, limit=None):
        def prepare():
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit << 10, limit << 10))

        self.process = subprocess.Popen(
            [program, "org", "start", "--data", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=prepare, restore_signals=False)
        self.file, self.names = file, {}
        for line in self.process.stdout:
            name, value = re.match(r"export (\w+)='?(.*?)'?$", line.strip()).groups()
            self.names[name] = value
            if name == "SF_PASSWORD":
                break

    @property
    def is_up(self):
        return bool(self.names) and self.process.poll() is None

    def stop(self):
        """Stops it as one does at a terminal."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(30), self.process.stderr.read()

    def fill(self, text):
        port = self.names["SF_INSTANCE_URL"].rsplit(":", 1)[1]
        places = {"{host}": "127.0.0.1:" + port, "{token}": self.names["SF_ACCESS_TOKEN"], "{data}": DATA}
        for place, value in places.items():
            text = text.replace(place, value)
        return text

    def connect(self, patience=30):
        port = int(self.names["SF_INSTANCE_URL"].rsplit(":", 1)[1])
        return socket.create_connection(("127.0.0.1", port), timeout=patience)

    def ask(self, method, path, body=None, fields=()):
        """One good request on a connection of its own."""
        lines = [f"{method} {path} HTTP/1.1", "Host: {host}", "Authorization: Bearer {token}", "Connection: close", *fields]
        raw = body.encode() if isinstance(body, str) else body
        if raw is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(raw)}"]
        with self.connect() as connection:
            connection.sendall(self.fill("\r\n".join(lines) + "\r\n\r\n").encode() + (raw or b""))
            return Answer(connection.makefile("rb"))


class Answer:
    """An answer as RFC 9112 has it, and nothing else."""

    def __init__(self, file):
        line = file.readline(70_000)
        found = re.fullmatch(rb"HTTP/1\.1 ([1-5][0-9][0-9]) [\t -~]*\r\n", line)
        if not found:
            raise ValueError(f"status line {line[:80]!r}")
        self.status, self.fields = int(found[1]), {}
        while (line := file.readline(70_000)) != b"\r\n":
            name, colon, value = line.partition(b":")
            if not colon or not TOKEN.fullmatch(name) or not re.fullmatch(rb"[\t -~]*\r\n", value):
                raise ValueError(f"field {line[:80]!r}")
            if name.lower() in (b"content-length", b"content-type", b"location") and name.lower() in self.fields:
                raise ValueError(f"two fields {name!r}")
            self.fields[name.lower()] = value.strip().decode()
        if self.status == 100:
            return
        length = self.fields.get(b"content-length", "0" if self.status in (204, 304) else "")
        if b"transfer-encoding" in self.fields or not re.fullmatch(r"[0-9]+", length):
            raise ValueError(f"length {length!r}")
        self.body = file.read(int(length))
        if len(self.body) != int(length):
            raise ValueError(f"{len(self.body)} of {length} bytes")

    def fault(self):
        """Why a refusal is none of the platform's; None for one that is."""
        if self.status >= 500 and self.status not in (503, 505):
            return f"status {self.status}"
        kind = self.fields.get(b"content-type", "")
        if self.status < 400 or kind.startswith(("text/html", "text/plain")):
            return None
        if not kind and self.fields.get(b"connection", "").lower() == "close":
            return None  # libmicrohttpd's own refusals of broken framing have no type
        if not kind.startswith("application/json"):
            return f"type {kind}"
        found = json.loads(self.body)
        if isinstance(found, dict):
            return None if isinstance(found.get("error"), str) else f"shape {found}"
        for fault in found:
            if not fault["message"] or not re.fullmatch(r"[A-Z][A-Z0-9_]*", fault["errorCode"]):
                return f"shape {fault}"
        return None if found else "no fault"


def request(line, *fields, body="", session=True):
    lines = [line, "Host: {host}"] + (["Authorization: Bearer {token}"] if session else []) + list(fields)
    return "\r\n".join(lines) + "\r\n\r\n" + body


RECORD = '{"Name":"Smuggled"}'
CHUNKS = f"13\r\n{RECORD}\r\n0\r\n\r\n"
JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"


def post(*fields, body=RECORD, version="1.1"):
    return request(f"POST {{data}}/sobjects/Account HTTP/{version}", JSON, *fields, body=body)


def create(body):
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    return post(f"Content-Length: {len(raw)}", body=raw.decode("latin-1"))


def get(path, *fields):
    return request(f"GET {path} HTTP/1.1", *fields)


def query(soql):
    return get("{data}/query?q=" + quote(soql, safe=""))


def table():
    """Rows of B1 to B84 as (name, request, statuses); 0 is an end without an answer."""
    rows = [
        ("B1", "GET /services/data HTTP/1.1\r\nHost: evil.com\r\n\r\n", {421}),
        ("B2", "GET /services/data HTTP/1.1\r\n\r\n", {400}),
        ("B3", request("GET /services/data HTTP/1.1", "Host: {host}"), {400}),
        ("B4", "GET /services/data HTTP/1.1\r\nHost: 127.0.0.1@evil.com\r\n\r\n", {400}),
        ("B5", request("GET http://evil.com/ HTTP/1.1"), {400, 421}),
        ("B6", request("CONNECT evil.com:443 HTTP/1.1"), {400, 405}),
        ("B7", request("GET http://evil.com/services/data HTTP/1.1"), {400}),
        ("B8", post("Origin: https://evil.com", f"Content-Length: {len(RECORD)}"), {403}),
        ("B9", request("OPTIONS {data}/sobjects HTTP/1.1", "Origin: https://evil.com"), {403}),
        ("B10", get("/services/data", "Sec-Fetch-Site: cross-site"), {403}),
        ("B11", request("POST {data}/sobjects/Account HTTP/1.1", "Content-Type: text/plain", "Content-Length: 2", body="{}"), {415}),
        ("B12", get("/services/data", "Upgrade: websocket", "Connection: Upgrade", "Origin: http://evil.com"), {403}),
        ("B14", post("Content-Length: 5", CHUNKED, body=CHUNKS), {400}),
        ("B15", post("Content-Length: 19", "Content-Length: 20"), {400}),
        ("B16", post("Content-Length: 19", "Content-Length: 19"), {400}),
        ("B20", post(CHUNKED, body=CHUNKS, version="1.0"), {400}),
        ("B22", post(CHUNKED, body=f"13;{'x' * 40_000}\r\n{RECORD}\r\n0\r\n\r\n"), {201, 400, 413, 431}),
        ("B23", post(CHUNKED, body=f"13\r\n{RECORD}XX0\r\n\r\n"), {400}),
        ("B24", post(CHUNKED, body=f"13\r{RECORD}\r0\r\r"), {400}),
        ("B24", "GET /services/data HTTP/1.1\nHost: {host}\n\n", {400}),
        ("B25", request("POST {data}/sobjects/Account HTTP/1.1", JSON, CHUNKED, session=False,
                        body=f"13\r\n{RECORD}\r\n0\r\nAuthorization: Bearer {{token}}\r\n\r\n"), {401}),
        ("B26", post(CHUNKED, body=f"13\r\n{RECORD}\r\n0\r\nX: {'x' * (1 << 20)}\r\n\r\n"), {0, 413, 431}),
        ("B27", "GET /services/data HTTP/1.1\r\nHost : {host}\r\n\r\n", {400}),
        ("B28", get("/services/data", "X: y\r\n z"), {400}),
        ("B29", get("/services/data", "X\x01: y"), {400}), ("B29", get("/services/data", ": y"), {400}),
        ("B30", get("/services/data", "X: a\0b"), {400}), ("B30", get("/services/data", "X: a\rb"), {400}),
        ("B31", get("/services/data", *["X: y"] * 10_000), {0, 431}),
        ("B31", get("/services/data", "X: " + "y" * 20_000), {431}),
        ("B32", "GET /" + "x" * (1 << 20), {0, 400, 414}),
        ("B33", request("GET/**/ /services/data HTTP/1.1"), {405}), ("B33", request("G" * 300 + " / HTTP/1.1"), {404, 405}),
        ("B34", request("GET /services/data HTTP/1.2"), {505}), ("B34", request("GET /services/data HTTP/2.0"), {505}),
        ("B35", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 200 + "\r\n\r\n", {0, 400}),
        ("B36", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400, 505}),
        ("B40", post("Expect: bogus", f"Content-Length: {len(RECORD)}"), {417}),
        ("B48", post("Content-Length: 99999999"), {413}),
        ("B50", post("Content-Encoding: gzip", f"Content-Length: {len(RECORD)}"), {400}),
        ("B51", post("Content-Encoding: br,gzip,gzip", f"Content-Length: {len(RECORD)}"), {415}),
        ("B63", query(r"SELECT Id FROM Account WHERE Name = '\' OR \'1\'=\'1'"), {200}),
        ("B65", query("SELECT Id FROM Account WHERE Name LIKE '" + "%" * 3_000 + "'"), {200, 400}),
        ("B71", get("{data}/limits", "Authorization: Bearer x"), {400}),
        ("B72", request("GET {data}/limits?access_token={token} HTTP/1.1", session=False), {401}),
        ("B73", request("GET {data}/limits HTTP/1.1", "Authorization: Bearer 00D!x", session=False), {401}),
        ("B80", request("POST {data}/sobjects/ContentVersion HTTP/1.1", "Content-Type: multipart/form-data",
                        "Content-Length: 2", body="--"), {400}),
        ("B84", get("{data}/sobjects/Account/updated?start=x&end=y"), {400}),
    ]
    rows += [("B17 " + length, post("Content-Length: " + length), {400}) for length in ("-1", "+5", "5a", "0x5", "5 5", "")]
    rows += [("B18 " + length, post("Content-Length: " + length), {400, 413})
             for length in (str((1 << 63) - 1), str(1 << 64), "9" * 20)]
    rows += [("B19 " + coding, post("Transfer-Encoding: " + coding, body=CHUNKS), {400, 501})
             for coding in ("chunked, identity", "xchunked", "chunked, chunked", "\x0bchunked")]
    rows += [("B21 " + size, post(CHUNKED, body=f"{size}\r\n{RECORD}\r\n0\r\n\r\n"), {400, 413})
             for size in ("f" * 17, "-1", "0x5", "5 ;", "")]
    rows += [("B52-B56 " + ascii(body)[:40], create(body), {400}) for body in (
        "", "{", "[]", '{"Name":"x"}y', "\ufeff{}", RECORD.encode("utf-16"), b'{"Name":"\xff"}', '{"Name":"\\ud800"}',
        '{"Name":"\ud800"}', '{"Name":"\\u0000"}', '{"Name":"\0"}', "[" * 100_000, '{"a":' * 50_000, '{"Name":"a","Name":"b"}',
        '{"Name":"x","AnnualRevenue":1e400}', '{"Name":"x","AnnualRevenue":NaN}', '{"Name":"x","AnnualRevenue":9007199254740993}')]
    rows += [("B57-B59 " + body[:40], create(body), {400}) for body in (
        json.dumps({"Name": "x" * (1 << 20)}), '{"Name":5}', '{"Name":"x","Nope":1}', '{"Name":null}', '{"Name":"x","rowid":1}',
        '{"Name":"x","IsDeleted":true}', '{"Name":"x","CreatedDate":"2026-01-01T00:00:00Z"}', '{"Name":"x","OwnerId":"x"}')]
    rows += [("B60 " + path, get(path), {400, 404}) for path in (
        "/services/../../../etc/passwd", "/services/%2e%2e%2f", "/services/..%5c", "/%252e", "//etc", "/;/", "/%2f%2fevil.com")]
    rows += [("B61 " + path, get(path), {400}) for path in ("/services/%00", "/services/%0d%0aX:1", "/services/%zz", "/\xe9")]
    rows += [("B62 " + key, get("{data}/sobjects/Account/" + key), {400, 404}) for key in (
        quote("' OR 1=1--"), "001", "003bZ0000000001", "001bZ0000000001AAA", quote("٠٠١bZ0000000001"))]
    rows += [("B64-B69 " + soql[:40], query(soql), {400}) for soql in (
        "'; DROP TABLE account;--", "SELECT Id FROM Account UNION SELECT 1", "SELECT Id FROM Account /**/", "PRAGMA x",
        "ATTACH 'x' AS y", "SELECT load_extension('x') FROM Account", "SELECT Id FROM sqlite_master", "SELECT rowid FROM Account",
        "SELECT randomblob(1000000000) FROM Account", "SELECT Id FROM Account WHERE Name = '\\", "SELECT Id FROM Account LIMIT -1",
        "SELECT Id FROM Account LIMIT 1;", "SELECT Id FROM Account OFFSET 2001", "SELECT " + "a" * 10_000 + " FROM Account",
        "SELECT \"Id\" FROM Account", "SELECT " + "Parent." * 50 + "Name FROM Account", "SELECT Id FROM Account WHERE Name = ‘x’")]
    rows += [("B70 " + name, get("{data}/query/" + name), {400}) for name in ("x", "0r8AAAAAAAAAAAAAAA-2000", "..", "%27")]
    rows += [("B71 " + value[:20], request("GET {data}/limits HTTP/1.1", "Authorization: " + value, session=False), {401})
             for value in ("", "Bearer", "Bearer x y", "Basic x", "Bearer \xe9", "{token}")]
    rows += [("B83 " + body[:40], request("POST {data}/composite HTTP/1.1", JSON, f"Content-Length: {len(body)}", body=body), {400})
             for body in ("{}", "[]", '{"compositeRequest":[{}]}', json.dumps({"compositeRequest": [
                 {"method": "GET", "url": "http://evil.com/", "referenceId": "a"}]}), json.dumps({"compositeRequest": [
                     {"method": "GET", "url": DATA + "/limits", "referenceId": f"r{n}"} for n in range(26)]}))]
    return rows


def check(org, row, canary):
    """What is wrong with the answer to a row, or with the org behind it."""
    name, text, statuses = row
    with org.connect() as connection:
        try:
            connection.sendall(org.fill(text).encode("latin-1", "replace"))
        except OSError:
            pass  # refused while it was being sent
        try:
            answer = Answer(connection.makefile("rb"))
        except OSError:
            answer = None
        except ValueError as error:
            answer = None
            if "b''" not in str(error):
                return f"{name}: {error}"
    status = answer.status if answer else 0
    if status not in statuses:
        return f"{name}: {status} {answer.body[:200] if answer else ''}"
    if answer and answer.fault():
        return f"{name}: {answer.fault()}"
    again = org.ask("GET", f"{DATA}/sobjects/Account/{canary}")
    if again.status != 200 or json.loads(again.body)["Name"] != "Canary":
        return f"{name}: the canary is silent: {again.status}"
    return None


def mutated(rows, seed, count):
    """Rows with bytes changed at random; any status but a 5xx is right, and what was smuggled may be."""
    chance = random.Random(seed)
    short = [text for _, text, _ in rows if len(text) < 4_000]
    for number in range(count):
        text = list(chance.choice(short))
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            action = chance.randrange(3)
            if action == 0:
                text[place] = chr(chance.randrange(256))
            elif action == 1:
                del text[place]
            else:
                text.insert(place, chance.choice("\r\n\0 :;{}[]\"'%/\x7f\xff0"))
            text = text or ["x"]
        yield number, "".join(text)


def survive(org, text):
    """The fault in the answer to a request that may be anything, and may wait for more."""
    with org.connect(patience=1) as connection:
        try:
            connection.sendall(org.fill(text).encode("latin-1", "replace"))
            connection.shutdown(socket.SHUT_WR)
            file = connection.makefile("rb")
            while file.peek(1):
                answer = Answer(file)
                if answer.status != 100 and answer.fault():
                    return answer.fault()
                if answer.fields.get(b"connection", "").lower() == "close":
                    break
        except OSError:
            pass
        except ValueError as error:
            return str(error)
    return None


def count(org):
    answer = org.ask("GET", f"{DATA}/query?q=" + quote("SELECT COUNT() FROM Account"))
    return json.loads(answer.body)["totalSize"]


def storage(program, folder):
    """B85: a file that is missing, no database, not to be written, locked, or on a disk that is full."""
    wrong = []

    def refuses(name, file):
        org = Org(program, file)
        code, message = org.stop()
        if org.names or code == 0 or file not in message:
            wrong.append(f"B85 {name}: {code} {message}")

    refuses("no folder", folder + "/none/org.db")
    refuses("a folder", folder)
    with open(folder + "/text.db", "w") as file:
        file.write("no database " * 1_000)
    refuses("a text", folder + "/text.db")
    cut = folder + "/cut.db"
    org = Org(program, cut)
    org.stop()
    with open(cut, "r+b") as file:
        file.write(b"X" * 100)
    refuses("a header that is damaged", cut)

    org = Org(program, folder + "/locked.db")
    before = count(org)
    with sqlite3.connect(org.file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = org.ask("POST", f"{DATA}/sobjects/Account", RECORD)
        if answer.status != 503 or b"retry-after" not in answer.fields or answer.fault():
            wrong.append(f"B85 locked: {answer.status} {answer.body}")
        if count(org) != before:
            wrong.append("B85 locked: another count")
        other.execute("ROLLBACK")
    if org.ask("POST", f"{DATA}/sobjects/Account", RECORD).status != 201:
        wrong.append("B85 no longer locked: refused")
    org.stop()

    org = Org(program, folder + "/full.db", limit=KILOBYTE_LIMIT)
    expected, statuses = count(org), []
    body = json.dumps({"records": [
        {"attributes": {"type": "Account", "referenceId": f"r{n}"}, "Name": "x", "Description": "y" * 8_000} for n in range(100)]})
    while len(statuses) < 60 and statuses.count(503) < 3:
        answer = org.ask("POST", f"{DATA}/composite/tree/Account", body)
        statuses.append(answer.status)
        expected += 100 if answer.status == 201 else 0
        if answer.status == 503 and (b"retry-after" not in answer.fields or answer.fault()):
            wrong.append(f"B85 full: {answer.fields} {answer.body}")
    if set(statuses) != {201, 503} or count(org) != expected:
        wrong.append(f"B85 full: {statuses}, {count(org)} and not {expected}")
    org.stop()
    org = Org(program, folder + "/full.db")
    if count(org) != expected:
        wrong.append(f"B85 no longer full: {count(org)} and not {expected}")
    if org.ask("POST", f"{DATA}/composite/tree/Account", body).status != 201:
        wrong.append("B85 no longer full: refused")
    org.stop()
    return wrong


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        org = Org(program, folder + "/org.db")
        canary = json.loads(org.ask("POST", f"{DATA}/sobjects/Account", '{"Name":"Canary"}').body)["id"]
        before, rows, wrong = count(org), table(), []
        wrong += [fault for row in rows if (fault := check(org, row, canary))]
        made = count(org) - before
        mutations = 0
        for number, text in mutated(rows, 85, 2_000):
            mutations += 1
            if fault := survive(org, text):
                wrong.append(f"mutation {number}: {fault} {text[:300]!r}")
            if not org.is_up:
                wrong.append(f"mutation {number} ended the org: {text[:300]!r}")
                break
        if org.ask("GET", f"{DATA}/sobjects/Account/{canary}").status != 200:
            wrong.append("the canary is silent")
        org.stop()
        wrong += storage(program, folder)
    print(json.dumps({"rows": len(rows), "mutations": mutations, "made": made, "wrong": wrong}))


main()
