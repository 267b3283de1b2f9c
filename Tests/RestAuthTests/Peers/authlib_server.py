# SPDX-License-Identifier: Apache-2.0
"""Authlib on Flask, with everything in memory.

Its first issuer accepts only HTTP Basic, and its second issuer (below /post) only client_secret_post. The metadata of
each issuer says so. The first well-known path of the first issuer answers 401, as if a gateway were in front of it.
"""
import logging
import secrets
import time
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceAuthorizationEndpoint, DeviceCodeGrant
from flask import Flask, jsonify, redirect, request, session
from joserfc.jwk import RSAKey

import peer

ARGUMENTS = peer.arguments()


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


SERVER = WSGIServer(("127.0.0.1", 0), QuietHandler)
ORIGIN = f"http://127.0.0.1:{SERVER.server_port}"
logging.disable()
codes, tokens, devices = {}, [], {}


class Client:
    def __init__(self, grant, way):
        self.client_id, self.way = f"{grant}-{way}", way

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or peer.SCOPE).split() if word == peer.SCOPE)

    def check_redirect_uri(self, uri):
        return uri in ARGUMENTS.redirect or uri.startswith("http://127.0.0.1:") and uri.endswith("/callback")

    def check_client_secret(self, secret):
        return secret == ARGUMENTS.password

    def check_endpoint_auth_method(self, method, endpoint):
        return method == {"none": "none"}.get(self.way, f"client_secret_{self.way}")

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


class Record(dict):
    """A code, a token or a device's request."""
    __getattr__ = dict.get

    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    def get_client_id(self):
        return self["client_id"]

    def get_user_code(self):
        return self["user_code"]

    def get_nonce(self):
        return None

    def get_auth_time(self):
        return None

    def get_expires_in(self):
        return self["expires_in"]

    def check_client(self, client):
        return client.client_id == self["client_id"]

    def get_client(self):
        return clients[self["client_id"]]

    def get_user(self):
        return self["user"]

    def is_expired(self):
        return self["issued_at"] + self.get("expires_in", 600) <= time.time()

    def is_revoked(self):
        return self.get("revoked", False)


clients = {client.client_id: client for client in
           (Client(grant, way) for grant in peer.GRANTS for way in peer.WAYS)}


def find(token, hint=None):
    for record in tokens:
        if token in (record.access_token, record.refresh_token):
            return record
    return None


def save_token(token, asked):
    tokens.append(Record(token, client_id=asked.client.client_id, user=asked.user, issued_at=int(time.time())))


WAYS_OF_CLIENTS = ["none", "client_secret_basic", "client_secret_post"]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = WAYS_OF_CLIENTS

    def save_authorization_code(self, code, asked):
        payload = asked.payload
        codes[code] = Record(
            code=code, client_id=asked.client.client_id, redirect_uri=payload.redirect_uri, scope=payload.scope,
            user=asked.user, issued_at=time.time(), code_challenge=payload.data.get("code_challenge"),
            code_challenge_method=payload.data.get("code_challenge_method"))

    def query_authorization_code(self, code, client):
        record = codes.get(code)
        return record if record and record.check_client(client) else None

    def delete_authorization_code(self, record):
        del codes[record.code]

    def authenticate_user(self, record):
        return record.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = WAYS_OF_CLIENTS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, token):
        record = find(token)
        return record if record and record.refresh_token == token and not record.is_revoked() else None

    def authenticate_user(self, record):
        return record.user

    def revoke_old_credential(self, record):
        record["revoked"] = True


class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = WAYS_OF_CLIENTS

    def authenticate_user(self, username, password):
        return "user" if (username, password) == ("user", ARGUMENTS.password) else None


class MachineGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = WAYS_OF_CLIENTS[1:]


class StatementGrant(JWTBearerGrant):
    def resolve_issuer_client(self, issuer):
        return clients.get(issuer)

    def resolve_client_key(self, client, headers, payload):
        return RSAKey.import_key(ARGUMENTS.key)

    def authenticate_user(self, subject):
        return subject if subject == "user" else None

    def has_granted_permission(self, client, user):
        return True

    def get_audiences(self):
        return [ORIGIN, f"{ORIGIN}/post"]


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = WAYS_OF_CLIENTS

    def query_device_credential(self, device_code):
        return next((device for device in devices.values() if device.device_code == device_code), None)

    def query_user_grant(self, user_code):
        answer = devices[user_code].answer
        return None if answer is None else ("user", answer)

    def should_slow_down(self, device):
        return False


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = WAYS_OF_CLIENTS
    INTERVAL = 1

    def get_verification_uri(self):
        return f"{ORIGIN}/device"

    def save_device_credential(self, client_id, scope, data):
        devices[data["user_code"]] = Record(data, client_id=client_id, scope=scope, issued_at=time.time())


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = WAYS_OF_CLIENTS

    def query_token(self, token, hint):
        return find(token, hint)

    def revoke_token(self, record, asked):
        record["revoked"] = True


class Introspection(IntrospectionEndpoint):
    CLIENT_AUTH_METHODS = WAYS_OF_CLIENTS

    def check_permission(self, record, client, asked):
        return record.client_id == client.client_id

    def query_token(self, token, hint):
        return find(token, hint)

    def introspect_token(self, record):
        return {
            "active": not record.is_expired() and not record.is_revoked(), "client_id": record.client_id,
            "scope": record.scope, "username": record.user, "exp": record.issued_at + record.expires_in}


class Tokens(BearerTokenValidator):
    def authenticate_token(self, token):
        return find(token)


app = Flask(__name__)
app.config["SECRET_KEY"] = ARGUMENTS.password
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {
    name: ARGUMENTS.lifetime for name in
    ["authorization_code", "client_credentials", "password", "refresh_token", DEVICE_CODE_GRANT_TYPE,
     JWTBearerGrant.GRANT_TYPE]}
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)
for grant in [RefreshGrant, PasswordGrant, MachineGrant, StatementGrant, DeviceGrant]:
    server.register_grant(grant)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
for endpoint in [DeviceEndpoint, Revocation, Introspection]:
    server.register_endpoint(endpoint)
protected = ResourceProtector()
protected.register_token_validator(Tokens())


def metadata(issuer, way):
    return jsonify({
        "issuer": issuer, "authorization_endpoint": f"{ORIGIN}/authorize", "token_endpoint": f"{ORIGIN}/token",
        "revocation_endpoint": f"{ORIGIN}/revoke", "introspection_endpoint": f"{ORIGIN}/introspect",
        "userinfo_endpoint": f"{ORIGIN}/userinfo", "device_authorization_endpoint": f"{ORIGIN}/device-authorization",
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", f"client_secret_{way}"]})


@app.get("/.well-known/oauth-authorization-server")
def gateway():
    return "<html>Who are you?</html>", 401


@app.get("/.well-known/openid-configuration")
def basic_metadata():
    return metadata(ORIGIN, "basic")


@app.get("/.well-known/oauth-authorization-server/post")
def post_metadata():
    return metadata(f"{ORIGIN}/post", "post")


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    if request.method == "POST" and "username" in request.form:
        session["user"] = request.form["username"] if request.form["password"] == ARGUMENTS.password else None
        return redirect(request.full_path)
    if not session.get("user"):
        return '<form method="post"><input name="username"><input name="password"><input type="submit"></form>'
    grant = server.get_consent_grant(end_user="user")
    if request.method == "GET":
        return '<form method="post"><input type="submit" name="allow" value="yes"></form>'
    user = "user" if request.form.get("allow") else None
    return server.create_authorization_response(grant=grant, grant_user=user)


@app.route("/device", methods=["GET", "POST"])
def device():
    if request.method == "GET":
        return '<form method="post"><input name="user_code"><input name="password"><input type="submit"></form>'
    if request.form["password"] == ARGUMENTS.password:
        devices[request.form["user_code"]]["answer"] = request.form.get("allow") == "yes"
    return "Done"


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device-authorization")
def device_authorization():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.post("/introspect")
def introspect():
    return server.create_endpoint_response(Introspection.ENDPOINT_NAME)


@app.get("/userinfo")
@protected()
def userinfo():
    return jsonify({"sub": "7", "preferred_username": "user"})


@app.get("/services/data/<path:path>")
@protected()
def query(path):
    return jsonify(peer.PAGE)


if __name__ == "__main__":
    SERVER.set_app(app)
    peer.ready(basic=ORIGIN, post=f"{ORIGIN}/post", none=ORIGIN)
    SERVER.serve_forever()
