# SPDX-License-Identifier: Apache-2.0
"""Glewlwyd (the Debian package) with a SQLite database from its own schema, and a proxy in front of it.

Glewlwyd's login pages need a browser that runs scripts. The proxy replaces them with plain forms that make the same
calls. It also serves the resource that needs a token, and forwards all other requests unchanged.
"""
import gzip
import json
import pathlib
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import peer

ARGUMENTS = peer.arguments()
FOLDER = pathlib.Path(ARGUMENTS.folder)
SCHEMA = pathlib.Path("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
FRONT = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
ORIGIN = f"http://127.0.0.1:{FRONT.server_port}"
with socket.create_server(("127.0.0.1", 0)) as free:
    PORT = free.getsockname()[1]
BACK = f"http://127.0.0.1:{PORT}"
LOGIN_PAGE = b'<form method="post"><input name="username"><input name="password"><input type="submit"></form>'
# With SQLite, Glewlwyd answers some concurrent requests with 500.
TURN = threading.Lock()
CODE_PAGE = b'<form method="post"><input name="user_code"><input type="submit"></form>'
CONFIGURATION = f"""
port={PORT}
bind_address="127.0.0.1"
external_url="{ORIGIN}"
login_url="login"
api_prefix="api"
static_files_path="{FOLDER}"
log_mode="console"
log_level="ERROR"
cookie_domain="127.0.0.1"
cookie_secure=0
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="{FOLDER}/none"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database={{ type="sqlite3" path="{FOLDER}/glewlwyd.db" }};
"""
PLUGIN = {
    "iss": f"{ORIGIN}/api/oidc", "jwt-type": "sha", "jwt-key-size": "256", "key": ARGUMENTS.password * 4, "cert": "",
    "jwks-uri": "", "jwks-private": "", "subject-type": "public",
    "access-token-duration": ARGUMENTS.lifetime, "refresh-token-duration": 86400, "code-duration": 600,
    "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
    "auth-type-code-enabled": True, "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
    "auth-type-none-enabled": False, "auth-type-password-enabled": True, "auth-type-client-enabled": True,
    "auth-type-device-enabled": True, "auth-type-refresh-enabled": True,
    "device-authorization-expiration": 600, "device-authorization-interval": 1,
    "pkce-allowed": True, "pkce-required": True, "pkce-method-plain-allowed": False,
    "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
    "request-parameter-allow": False, "client-pubkey-parameter": "", "client-jwks-parameter": "",
    "client-jwks_uri-parameter": "", "scope": [], "additional-parameters": [], "claims": [], "address-claim":
    {"type": "no"}, "name-claim": "on-demand", "email-claim": "no", "oauth-dpop-allowed": False,
}


def call(method, path, body=None, cookie=None, form=None, fields=None):
    """Sends a request to Glewlwyd and returns status, headers and body, with any status."""
    data = json.dumps(body).encode() if body is not None else urllib.parse.urlencode(form).encode() if form else None
    asked = urllib.request.Request(BACK + path, data=data, method=method, headers=fields or {})
    if body is not None:
        asked.add_header("Content-Type", "application/json")
    if cookie:
        asked.add_header("Cookie", cookie)
    try:
        with TURN, urllib.request.build_opener(NoRedirects).open(asked, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def log_in(username, password, cookie=None):
    """Returns the cookie of a user's session, or None if the password is wrong."""
    status, fields, _ = call("POST", "/api/auth", {"username": username, "password": password}, cookie)
    return fields["Set-Cookie"].split(";")[0] if status == 200 else None


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", kind="text/html", fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def form(self):
        return dict(urllib.parse.parse_qsl(self.body.decode()))

    def handle_any(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urllib.parse.urlsplit(self.path).path
        if path.startswith("/services/data/"):
            self.resource()
        elif path == "/login":
            self.login()
        else:
            self.hand_on()

    def resource(self):
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        _, _, body = call("POST", "/api/oidc/introspect", form={
            "token": token, "client_id": "machine-post", "client_secret": ARGUMENTS.password})
        is_active = json.loads(body or b"{}").get("active")
        self.answer(200 if is_active else 401, json.dumps(peer.PAGE if is_active else peer.EXPIRED).encode(),
                    "application/json")

    def login(self):
        """Logs in and consents, and redirects as the server does."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        if self.command == "GET":
            prompt = asked.get("prompt", "")
            if prompt == "device":
                return self.answer(200, CODE_PAGE)
            return self.answer(200, prompt.encode() if prompt.startswith("device") else LOGIN_PAGE)
        given = self.form()
        if "username" not in given:
            code = urllib.parse.quote(given["user_code"])
            return self.answer(302, fields=[("Location", f"{ORIGIN}/api/oidc/device?code={code}")])
        cookie = log_in(given["username"], given["password"], self.headers.get("Cookie"))
        if not cookie:
            return self.answer(401, LOGIN_PAGE)
        call("PUT", f"/api/auth/grant/{asked.get('client_id', '')}", {"scope": asked.get("scope", peer.SCOPE)}, cookie)
        back = asked["callback_url"] + ("&" if "?" in asked["callback_url"] else "?") + "g_continue"
        self.answer(302, fields=[("Set-Cookie", cookie + "; Path=/"), ("Location", back)])

    def hand_on(self):
        fields = {name: value for name, value in self.headers.items()
                  if name.lower() in ("authorization", "content-type", "cookie", "accept")}
        asked = urllib.request.Request(
            BACK + self.path, data=self.body or None, method=self.command, headers=fields)
        try:
            with TURN, urllib.request.build_opener(NoRedirects).open(asked, timeout=20) as answer:
                status, headers, body = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, headers, body = error.code, error.headers, error.read()
        kept = [(name, value) for name, value in headers.items()
                if name.lower() in ("location", "set-cookie", "www-authenticate", "cache-control")]
        self.answer(status, body, headers.get("Content-Type", "text/plain"), kept)

    do_GET = do_POST = handle_any


def start():
    """Starts Glewlwyd and waits until it answers."""
    (FOLDER / "none").mkdir()
    with sqlite3.connect(FOLDER / "glewlwyd.db") as database:
        database.executescript(gzip.decompress(SCHEMA.read_bytes()).decode())
    (FOLDER / "glewlwyd.conf").write_text(CONFIGURATION)
    process = subprocess.Popen(
        ["glewlwyd", "--config-file", str(FOLDER / "glewlwyd.conf")], stdout=open(FOLDER / "log", "wb"),
        stderr=subprocess.STDOUT, preexec_fn=peer.end_with_parent)
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit(f"glewlwyd ended with {process.returncode}: {(FOLDER / 'log').read_text()[-2000:]}")
        try:
            return call("GET", "/config")
        except OSError:
            time.sleep(0.05)
    raise SystemExit("glewlwyd does not answer")


def must(answer):
    status, _, body = answer
    if status != 200:
        raise SystemExit(f"glewlwyd refused its set-up: {status} {body!r}")


def set_up():
    """Creates one plugin, one scope, one user, and the clients."""
    admin = log_in("admin", "password")
    must(call("POST", "/api/scope/", {
        "name": peer.SCOPE, "display_name": "Reading", "password_required": True, "password_max_age": 0,
        "scheme": {}}, admin))
    must(call("POST", "/api/mod/plugin/", {
        "module": "oidc", "name": "oidc", "display_name": "OIDC", "parameters": PLUGIN}, admin))
    must(call("POST", "/api/user/", {
        "username": "user", "password": ARGUMENTS.password, "enabled": True, "name": "Ada",
        "scope": [peer.SCOPE, "openid", "g_profile"]}, admin))
    kinds = {"code": ["code", "refresh_token"], "device": ["device_authorization", "refresh_token"],
             "machine": ["client_credentials"], "password": ["password", "refresh_token"]}
    for grant, types in kinds.items():
        for way in peer.WAYS:
            client = {
                "client_id": f"{grant}-{way}", "name": f"{grant}-{way}", "enabled": True,
                "confidential": way != "none", "authorization_type": types, "scope": [peer.SCOPE],
                "redirect_uri": ARGUMENTS.redirect or ["http://127.0.0.1/callback"],
                "token_endpoint_auth_method": ["none" if way == "none" else f"client_secret_{way}"]}
            if way != "none":
                client["client_secret"] = ARGUMENTS.password
            must(call("POST", "/api/client/", client, admin))


if __name__ == "__main__":
    start()
    set_up()
    FRONT.RequestHandlerClass = Front
    ISSUER = f"{ORIGIN}/api/oidc"
    peer.ready(basic=ISSUER, post=ISSUER, none=ISSUER)
    FRONT.serve_forever()
