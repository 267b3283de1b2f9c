# SPDX-License-Identifier: Apache-2.0
"""Sends what jsforce 3 sends: the same requests in the same order, with its header fields and its way to log in.

jsforce itself is not needed, only Python. One connection is kept for all requests, as its agent does.
Usage: jsforce_calls.py PORT, with CLIENT_ID, CLIENT_SECRET, USERNAME_, PASSWORD and ROTATES (0 or 1) in the environment.
Prints one JSON object: the calls with what came of each.
"""
import base64
import hashlib
import http.client
import json
import os
import re
import secrets
import sys
from urllib.parse import parse_qs, quote, urlencode, urlsplit

DATA = "/services/data/v60.0"
CALLBACK = "http://localhost:1717/OauthRedirect"


class Client:
    """A connection and its token; every call is noted with what came of it."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.base = f"http://127.0.0.1:{port}"
        self.token = None
        self.results = []

    def send(self, method, target, body=None, headers=None):
        """One request with the header fields that node-fetch adds."""
        fields = {"Accept": "*/*", "Accept-Encoding": "gzip, deflate, br", "User-Agent": "node-fetch"}
        if self.token and not target.startswith("/services/oauth2"):
            fields["Authorization"] = f"Bearer {self.token}"
        fields.update(headers or {})
        self.connection.request(method, target, body, fields)
        response = self.connection.getresponse()
        text = response.read()
        kind = response.headers.get("Content-Type", "")
        return response.status, json.loads(text) if "json" in kind and text else text.decode("utf-8"), response.headers

    def check(self, name, method, path, status, expected=None, body=None, headers=None):
        """A call by the name of jsforce's method; `body` goes as JSON."""
        target = path if path.startswith(("/services", "/id")) else DATA + path
        data = None if body is None else json.dumps(body, separators=(",", ":"))
        fields = {**({} if body is None else {"content-type": "application/json"}), **(headers or {})}
        got, answer, _ = self.send(method, target, data, fields)
        try:
            is_right = got == status and (expected is None or bool(expected(answer)))
        except (KeyError, IndexError, TypeError) as error:
            is_right, answer = False, f"{answer} ({type(error).__name__}: {error})"
        self.results.append([f"{name}: {method} {path}"[:120], is_right, f"{got} {answer}"[:300]])
        return answer

    def note(self, name, is_right, detail):
        self.results.append([name, bool(is_right), str(detail)[:300]])

    def form(self, name, status, pairs, path="/services/oauth2/token"):
        """A post of a form, in the order of its pairs."""
        headers = {"content-type": "application/x-www-form-urlencoded"}
        got, answer, _ = self.send("POST", path, urlencode(pairs), headers)
        self.note(f"{name}: POST {path}", got == status, f"{got} {answer}")
        return answer


def code(error):
    """Whether an answer is an error with this code."""
    return lambda answer: answer[0]["errorCode"] == error


def web_login(client, app):
    """oauth2.getAuthorizationUrl and conn.authorize with useVerifier: the verifier has 171 characters.

    The code is used twice at last, which ends the login.
    """
    verifier = base64.urlsafe_b64encode(secrets.token_bytes(128)).rstrip(b"=").decode()
    client.note("a verifier of 171 characters", len(verifier) == 171, len(verifier))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = urlencode({"scope": "api id refresh_token", "code_challenge": challenge, "response_type": "code",
                       "client_id": app["client_id"], "redirect_uri": CALLBACK})
    got, page, _ = client.send("GET", f"/services/oauth2/authorize?{query}")
    client.note("oauth2.getAuthorizationUrl", got == 200 and "Username" in page, got)
    steps = [{"action": "login", "username": os.environ["USERNAME_"], "password": os.environ["PASSWORD"]},
             {"action": "allow"}]
    for step in steps:
        ticket = re.search(r'name="ticket" value="([^"]+)"', page).group(1)
        headers = {"content-type": "application/x-www-form-urlencoded"}
        got, page, answered = client.send(
            "POST", "/services/oauth2/authorize", urlencode({"ticket": ticket, **step}), headers)
    grant = parse_qs(urlsplit(answered["Location"]).query)["code"][0]
    secret = {"client_id": app["client_id"], "client_secret": app["client_secret"]}
    client.form("oauth2.requestToken", 200, {
        "grant_type": "authorization_code", "code": grant, **secret, "redirect_uri": CALLBACK,
        "code_verifier": verifier})
    client.form("oauth2.requestToken again", 400, {
        "grant_type": "authorization_code", "code": grant, **secret, "redirect_uri": CALLBACK,
        "code_verifier": verifier})


def logins(client):
    app = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
    user = {"username": os.environ["USERNAME_"], "password": os.environ["PASSWORD"]}
    rotates = os.environ["ROTATES"] == "1"
    web_login(client, app)
    first = client.form("oauth2.authenticate", 200, {"grant_type": "password", **user, **app, "scope": "api refresh_token"})
    renew = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], **app}
    second = client.form("oauth2.refreshToken", 200, renew)
    client.note("rotation", ("refresh_token" in second) == rotates, second)
    again = client.form("oauth2.refreshToken again", 400 if rotates else 200, renew)
    if rotates:
        client.note("a second use ends the login", again["error"] == "invalid_grant", again)
        renew["refresh_token"] = second["refresh_token"]
        client.form("oauth2.refreshToken of an ended login", 400, renew)
    client.form("oauth2.refreshToken: unknown", 400, {**renew, "refresh_token": "x"})
    tokens = client.form("oauth2.authenticate", 200, {"grant_type": "password", **user, **app})
    client.form("oauth2.authenticate: wrong", 400, {"grant_type": "password", **{**user, "password": "x"}, **app})
    client.token = tokens["access_token"]
    root = client.check("conn.identity without userInfo", "GET", "", 200, lambda root: root["identity"])
    path = urlsplit(root["identity"]).path + f"?format=json&oauth_token={quote(client.token)}"
    client.check("conn.identity", "GET", path, 200, lambda info: info["username"] == user["username"])


def records(client):
    check = client.check
    made = check("create", "POST", "/sobjects/Account", 201, lambda r: r["success"] and r["errors"] == [],
                 {"Name": "J & S", "ExternalId__c": "js/1"})["id"]
    path = f"/sobjects/Account/{made}"
    check("retrieve", "GET", path, 200, lambda r: r["attributes"]["url"] == DATA + path)
    check("retrieve fields", "GET", f"{path}?fields=Id,Name", 200, lambda r: list(r) == ["attributes", "Id", "Name"])
    check("update", "PATCH", path, 204, None, {"Site": "a"})
    check("upsert", "PATCH", "/sobjects/Account/ExternalId__c/js%2F1", 200, lambda r: r["created"] is False,
          {"Site": "b"})
    check("upsert makes", "PATCH", "/sobjects/Account/ExternalId__c/js-2", 201, lambda r: r["created"], {"Name": "x"})
    check("upsert by Id", "PATCH", f"/sobjects/Account/Id/{made}", 200, None, {"Site": "c"})
    check("upsert without a value", "POST", "/sobjects/Account/ExternalId__c", 201, lambda r: r["created"],
          {"Name": "y", "ExternalId__c": "js-3"})
    check("delete by external id", "DELETE", "/sobjects/Account/ExternalId__c/js-3", 204)
    check("head by external id", "HEAD", "/sobjects/Account/ExternalId__c/js%2F1", 200)
    check("create many", "POST", "/composite/sobjects", 200, lambda all_: [r["success"] for r in all_] == [True, False],
          {"allOrNone": False, "records": [{"attributes": {"type": "Contact"}, "LastName": "m",
                                            "Account": {"ExternalId__c": "js/1"}}, {"attributes": {"type": "Contact"}}]})
    check("create many, all or none", "POST", "/composite/sobjects", 200,
          lambda all_: all_[0]["errors"][0]["statusCode"] == "ALL_OR_NONE_OPERATION_ROLLED_BACK",
          {"allOrNone": True, "records": [{"attributes": {"type": "Contact"}, "LastName": "m"},
                                          {"attributes": {"type": "Contact"}}]})
    check("update many", "PATCH", "/composite/sobjects", 200, lambda all_: all_[0]["success"],
          {"allOrNone": False, "records": [{"id": made, "attributes": {"type": "Account"}, "Site": "d"}]})
    check("retrieve many", "POST", "/composite/sobjects/Account", 200, lambda all_: all_[0]["Site"] == "d" and not all_[1],
          {"ids": [made, "001000000000000AAA"], "fields": ["Id", "Site"]})
    check("upsert many", "PATCH", "/composite/sobjects/Account/ExternalId__c", 200, lambda all_: all_[0]["id"] == made,
          {"allOrNone": False, "records": [{"attributes": {"type": "Account"}, "ExternalId__c": "js/1", "Site": "e"}]})
    tree = {"records": [{"attributes": {"type": "Account", "referenceId": "a"}, "Name": "t", "Contacts": {"records": [
        {"attributes": {"type": "Contact", "referenceId": "b"}, "LastName": "u"}]}}]}
    check("composite tree", "POST", "/composite/tree/Account", 201, lambda r: len(r["results"]) == 2, tree)
    node = {"method": "POST", "url": f"{DATA}/sobjects/Account", "referenceId": "a", "body": {"Name": "g"}}
    check("composite", "POST", "/composite", 200, lambda r: r["compositeResponse"][0]["httpStatusCode"] == 201,
          {"allOrNone": True, "compositeRequest": [node]})
    check("composite graph", "POST", "/composite/graph", 200, lambda r: r["graphs"][0]["isSuccessful"],
          {"graphs": [{"graphId": "1", "compositeRequest": [node]}]})
    person = check("create below an external id", "POST", "/sobjects/Contact", 201, None,
                   {"LastName": "n", "Account": {"ExternalId__c": "js/1"}})["id"]
    check("relationship", "GET", f"/sobjects/Contact/{person}/Account", 200, lambda r: r["Id"] == made)
    check("update by relationship", "PATCH", f"/sobjects/Contact/{person}/Account", 204, None, {"Site": "f"})
    check("relationship list", "GET", f"/sobjects/Account/{made}/Contacts?fields=LastName", 200,
          lambda page: page["totalSize"] == 2)
    check("no relationship", "GET", f"/sobjects/Account/{made}/Nope", 404, code("NOT_FOUND"))
    body = "--b\r\nContent-Disposition: form-data; name=\"Body\"; filename=\"a.bin\"\r\nContent-Type: " \
           "application/octet-stream\r\n\r\nabc\r\n--b\r\nContent-Disposition: form-data; name=\"Attachment\"\r\n" \
           f"Content-Type: application/json\r\n\r\n{json.dumps({'Name': 'a', 'ParentId': made})}\r\n--b--\r\n"
    got, answer, _ = client.send("POST", f"{DATA}/sobjects/Attachment", body,
                                 {"content-type": "multipart/form-data; boundary=b"})
    client.note("create with multipartFileFields: POST /sobjects/Attachment", got == 201, answer)
    check("record.blob", "GET", f"/sobjects/Attachment/{answer['id']}/Body", 200, lambda text: text == "abc")
    start = re.sub(r"\.\d+\+.*", "+00:00", check("now", "GET", f"{path}?fields=CreatedDate", 200)["CreatedDate"])
    window = f"start={quote(start)}&end=2099-01-01T00%3A00%3A00%2B00%3A00"
    check("updated", "GET", f"/sobjects/Account/updated?{window}", 200, lambda r: made in r["ids"])
    check("delete", "DELETE", path, 204)
    check("deleted", "GET", f"/sobjects/Account/deleted?{window}", 200,
          lambda r: made in [record["id"] for record in r["deletedRecords"]])
    check("delete again", "DELETE", path, 404, code("ENTITY_IS_DELETED"))
    check("deleted with its account", "GET", f"/sobjects/Contact/{person}", 404, code("ENTITY_IS_DELETED"))
    alone = check("create without an account", "POST", "/sobjects/Contact", 201, None, {"LastName": "o"})["id"]
    check("delete many", "DELETE", f"/composite/sobjects?ids={alone},{person},{made}", 200,
          lambda all_: [r["success"] for r in all_] == [True, False, False])


def queries(client):
    check = client.check
    small = {"Sforce-Query-Options": "batchSize=200"}
    many = quote("SELECT Id FROM Account ORDER BY Id")
    page = check("query", "GET", f"/query?q={many}", 200, lambda p: not p["done"], headers=small)
    count = len(page["records"])
    while "nextRecordsUrl" in page:
        page = check("queryMore", "GET", page["nextRecordsUrl"], 200, headers=small)
        count += len(page["records"])
    client.note("autoFetch", count == page["totalSize"], count)
    check("query with scanAll", "GET", "/queryAll?q=SELECT%20COUNT()%20FROM%20Account", 200)
    check("query.explain", "GET", f"/query/?explain={many}", 200, lambda r: r["plans"][0]["leadingOperationType"])
    check("query: malformed", "GET", "/query?q=SELECT", 400, code("MALFORMED_QUERY"))
    check("queryMore: dead", "GET", "/query/0r8000000000000-2000", 400, code("INVALID_QUERY_LOCATOR"))
    find = quote("FIND {Ada} IN ALL FIELDS RETURNING User(Id, Name)")
    check("search", "GET", f"/search?q={find}", 200, lambda r: r["searchRecords"][0]["Name"] == "Ada Adler")
    seen = quote("SELECT Id FROM Account ORDER BY Id LIMIT 1 FOR VIEW")
    check("query FOR VIEW", "GET", f"/query?q={seen}", 200)
    check("recent", "GET", "/recent?limit=5", 200, lambda all_: len(all_) == 1)
    check("recent of a type", "GET", "/sobjects/Account", 200, lambda r: len(r["recentItems"]) == 1)


def descriptions(client):
    check = client.check
    check("describeGlobal", "GET", "/sobjects", 200, lambda r: r["encoding"] == "UTF-8")
    check("describe", "GET", "/sobjects/Account/describe", 200, lambda r: r["fields"][0]["name"] == "Id")
    check("describe: none", "GET", "/sobjects/Nope/describe", 404, code("NOT_FOUND"))
    _, _, headers = client.send("GET", f"{DATA}/sobjects/Account/describe")
    check("describe with cache", "GET", "/sobjects/Account/describe", 304,
          headers={"If-Modified-Since": headers["Last-Modified"]})
    check("limits", "GET", "/limits", 200, lambda r: r["DailyApiRequests"]["Max"])
    check("limits.recordCount", "GET", "/limits/recordCount?sObjects=Account", 200, lambda r: r["sObjects"][0]["count"])


def others(client):
    check = client.check
    check("apex.get", "GET", "/services/apexrest/echo/1", 200)
    check("apex.post", "POST", "/services/apexrest/echo/1", 200, lambda r: r == {"a": 1}, {"a": 1})
    check("apex.delete", "DELETE", "/services/apexrest/nope", 404, code("NOT_FOUND"))
    check("requestPost by _HttpMethod", "POST", "/sobjects/Account/ExternalId__c/js-2?_HttpMethod=PATCH", 200, None,
          {"Site": "z"})
    check("requestPut", "PUT", "/sobjects/Account", 405, code("METHOD_NOT_ALLOWED"), {})
    check("a retired version", "GET", "/services/data/v20.0/limits", 410, code("UNSUPPORTED_API_VERSION"))
    check("a version to come", "GET", "/services/data/v99.0/limits", 404, code("NOT_FOUND"))
    check("no resource", "GET", "/nope", 404, code("NOT_FOUND"))
    got, _, headers = client.send("GET", f"{DATA}/limits")
    client.note("limitInfo", re.match(r"api-usage=\d+/15000$", headers["Sforce-Limit-Info"]), headers["Sforce-Limit-Info"])
    client.form("conn.logoutByOAuth2", 200, {"token": client.token}, "/services/oauth2/revoke")
    check("a revoked session", "GET", "/limits", 401, code("INVALID_SESSION_ID"))


def main():
    client = Client(int(sys.argv[1]))
    logins(client)
    records(client)
    queries(client)
    descriptions(client)
    others(client)
    print(json.dumps({"calls": client.results}))


main()
