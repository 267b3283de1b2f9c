# SPDX-License-Identifier: Apache-2.0
"""A token endpoint and a resource that check DPoP with requests-oauth2client and joserfc, with nonces that expire.

Each nonce is valid for four proofs. A proof is valid once. The resource prints each reason to reject a request.
"""
import json
import os
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from binapy import BinaPy
from joserfc import jws
from joserfc.jwk import ECKey
from requests_oauth2client.dpop import InvalidDPoPProof, validate_dpop_proof

tokens, refreshes, proofs, nonces = {}, {}, set(), []
uses = 0


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


def nonce():
    global uses
    if not nonces or uses >= 4:
        nonces.append(secrets.token_urlsafe(16))
        uses = 0
    return nonces[-1]


class Rejection(Exception):
    pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, document, fields=()):
        body = json.dumps(document).encode()
        self.send_response(status)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *fields]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def key(self, token=None):
        """Checks the proof with both libraries, and returns the thumbprint of its key."""
        global uses
        proof = self.headers.get("DPoP")
        if proof is None:
            raise Rejection("invalid_dpop_proof")
        url = f"http://{self.headers['Host']}{self.path.partition('?')[0]}"
        ath = BinaPy(token).to("sha256").to("b64u").ascii() if token else None
        try:
            jwt = validate_dpop_proof(proof, htm=self.command, htu=url, ath=ath, algs=["ES256"])
        except InvalidDPoPProof as error:
            raise Rejection(f"invalid_dpop_proof: {error}")
        key = ECKey.import_key(jwt.headers["jwk"])
        jws.deserialize_compact(proof, key, algorithms=["ES256"])
        if jwt.claims.get("nonce") != nonce():
            raise Rejection("use_dpop_nonce")
        uses += 1
        if (key.thumbprint(), jwt.jwt_token_id) in proofs or (token is None) != ("ath" not in jwt.claims):
            raise Rejection("invalid_dpop_proof")
        proofs.add((key.thumbprint(), jwt.jwt_token_id))
        return key.thumbprint()

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        try:
            key = self.key()
        except Rejection as error:
            return self.answer(400, {"error": str(error)}, [("DPoP-Nonce", nonce())])
        if form["grant_type"] == ["refresh_token"] and refreshes.pop(form["refresh_token"][0], None) != key:
            return self.answer(400, {"error": "invalid_grant"})
        token, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        tokens[token], refreshes[refresh] = [key, 5], key
        self.answer(200, {"access_token": token, "refresh_token": refresh, "token_type": "DPoP"})

    def do_GET(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        try:
            if scheme != "DPoP" or token not in tokens or tokens[token][1] == 0 or self.key(token) != tokens[token][0]:
                raise Rejection("invalid_token")
        except Rejection as error:
            fields = [("WWW-Authenticate", f'DPoP error="{error}", algs="ES256"'), ("DPoP-Nonce", nonce())]
            return self.answer(401, [{"errorCode": "INVALID_SESSION_ID", "message": str(error)}], fields)
        tokens[token][1] -= 1
        self.answer(200, {"totalSize": 0, "done": True, "records": []})


threading.Thread(target=end_with_input, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
