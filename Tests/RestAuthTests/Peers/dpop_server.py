# SPDX-License-Identifier: Apache-2.0
"""A token endpoint and a resource that check DPoP with requests-oauth2client and joserfc.

A nonce is valid for four proofs, a proof once, and a token for five requests.
"""
import logging
import secrets
import threading
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from binapy import BinaPy
from flask import Flask, jsonify, request
from joserfc import jws
from joserfc.jwk import ECKey
from requests_oauth2client.dpop import InvalidDPoPProof, validate_dpop_proof

import peer

app = Flask(__name__)
tokens, refreshes, proofs, state = {}, {}, set(), {"nonce": secrets.token_urlsafe(16), "uses": 0}


class Rejection(Exception):
    pass


def key(token=None):
    """Checks the proof of the request with both libraries, and returns the thumbprint of its key."""
    if state["uses"] == 4:
        state.update(nonce=secrets.token_urlsafe(16), uses=0)
    ath = BinaPy(token).to("sha256").to("b64u").ascii() if token else None
    try:
        proof = request.headers["DPoP"]
        jwt = validate_dpop_proof(proof, htm=request.method, htu=request.base_url, ath=ath, algs=["ES256"])
        key = ECKey.import_key(jwt.headers["jwk"])
        jws.deserialize_compact(proof, key, algorithms=["ES256"])
    except (KeyError, InvalidDPoPProof) as error:
        raise Rejection(f"invalid_dpop_proof: {error}")
    if jwt.claims.get("nonce") != state["nonce"]:
        raise Rejection("use_dpop_nonce")
    state["uses"] += 1
    if jwt.jwt_token_id in proofs or (token is None) != ("ath" not in jwt.claims):
        raise Rejection("invalid_dpop_proof")
    proofs.add(jwt.jwt_token_id)
    return key.thumbprint()


@app.post("/services/oauth2/token")
def issue():
    try:
        owner = key()
    except Rejection as error:
        return jsonify(error=str(error)), 400, {"DPoP-Nonce": state["nonce"]}
    if request.form["grant_type"] == "refresh_token" and refreshes.pop(request.form["refresh_token"], None) != owner:
        return jsonify(error="invalid_grant"), 400
    token, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    tokens[token], refreshes[refresh] = [owner, 5], owner
    return jsonify(access_token=token, refresh_token=refresh, token_type="DPoP")


@app.get("/services/data/<path:path>")
def read(path):
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    try:
        if scheme != "DPoP" or tokens.get(token, [None, 0])[1] == 0 or key(token) != tokens[token][0]:
            raise Rejection("invalid_token")
    except Rejection as error:
        fields = {"WWW-Authenticate": f'DPoP error="{error}", algs="ES256"', "DPoP-Nonce": state["nonce"]}
        return jsonify(peer.EXPIRED), 401, fields
    tokens[token][1] -= 1
    return jsonify(peer.PAGE)


logging.disable()
threading.Thread(target=peer.end_with_input, daemon=True).start()
WSGIRequestHandler.log_message = lambda *arguments: None
server = WSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
server.set_app(app)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
