# SPDX-License-Identifier: Apache-2.0
"""Makes every public call of simple-salesforce but the bulk ones, over https and with its own logins.

Nothing of the package is changed: it logs in at https://org.my.salesforce.com, which its own parameter `proxies` leads
through a proxy in this script to the org, and it trusts the org's certificate by REQUESTS_CA_BUNDLE.
Usage: simple_salesforce_calls.py PORT, with CLIENT_ID, CLIENT_SECRET, USERNAME_, PASSWORD, ORG_ID, SECOND_USER,
SECOND_PASSWORD and KEY_FILE in the environment. Prints one JSON object: the calls with what came of each, and the
public methods that were not called.
"""
import datetime
import inspect
import json
import os
import pathlib
import socket
import sys
import tempfile
import threading

from simple_salesforce import Salesforce, SalesforceLogin, SFType, format_external_id, format_soql
from simple_salesforce.exceptions import (
    SalesforceAuthenticationFailed,
    SalesforceExpiredSession,
    SalesforceMalformedRequest,
    SalesforceMoreThanOneRecord,
    SalesforceRefusedRequest,
    SalesforceResourceNotFound,
)

DOMAIN = "org.my"


class Proxy(threading.Thread):
    """Answers CONNECT by a tunnel to the org, whatever host is asked for."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def run(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.tunnel, args=(client,), daemon=True).start()

    def tunnel(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(4096)
        org = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        threading.Thread(target=self.copy, args=(org, client), daemon=True).start()
        self.copy(client, org)

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Calls:
    """The calls with what came of them, and the methods that they went through."""

    def __init__(self):
        self.results = []
        self.used = set()

    def trace(self, kind):
        """Notes which methods of a class are called."""
        for name, method in public_methods(kind):
            setattr(kind, name, self.noting(f"{kind.__name__}.{name}", method))

    def noting(self, name, method):
        def call(*arguments, **options):
            self.used.add(name)
            return method(*arguments, **options)

        return call

    def check(self, name, call, expected):
        """Makes a call and compares what it gives: a value, a function of it, or the class of the exception."""
        try:
            value = call()
        except Exception as error:  # compared below
            is_right = inspect.isclass(expected) and isinstance(error, expected)
            self.results.append([name, is_right, f"{type(error).__name__}: {error}"[:300]])
            return None
        try:
            is_right = expected(value) if callable(expected) and not inspect.isclass(expected) else value == expected
        except Exception as error:  # the shape is not what was expected
            value, is_right = f"{value}: {error}", False
        self.results.append([name, bool(is_right), str(value)[:300]])
        return value


def public_methods(kind):
    return [
        (name, method)
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and name not in ("parse_api_usage", "parse_result_to_json")
    ]


def logins(calls, proxies):
    """Every way to log in; gives the connection of the password login."""
    env = os.environ
    app = {"consumer_key": env["CLIENT_ID"], "consumer_secret": env["CLIENT_SECRET"]}
    user = {"username": env["USERNAME_"], "password": env["PASSWORD"]}
    place = {"domain": DOMAIN, "proxies": proxies, "version": "60.0"}
    works = lambda org: org.query("SELECT Id FROM Profile")["totalSize"] == 3
    calls.check("login: SOAP with a token", lambda: Salesforce(**user, security_token="T0KEN", **place), works)
    calls.check("login: SOAP of an org", lambda: Salesforce(**user, organizationId=env["ORG_ID"], **place), works)
    calls.check("login: client credentials", lambda: Salesforce(**app, **place), works)
    jwt = {"username": env["USERNAME_"], "consumer_key": env["CLIENT_ID"], "privatekey_file": env["KEY_FILE"]}
    calls.check("login: JWT", lambda: Salesforce(**jwt, **place), works)
    key = pathlib.Path(env["KEY_FILE"]).read_text(encoding="ascii")
    calls.check("login: JWT of another user", lambda: Salesforce(
        username=env["SECOND_USER"], consumer_key=env["CLIENT_ID"], privatekey=key, domain="login",
        instance_url=DOMAIN, proxies=proxies), works)
    session, host = SalesforceLogin(**user, security_token="", domain=DOMAIN, proxies=proxies)
    calls.check("login: a session", lambda: Salesforce(session_id=session, instance=host, proxies=proxies), works)
    calls.check("login: a session by URL", lambda: Salesforce(
        session_id=session, instance_url=f"https://{host}", proxies=proxies), works)
    wrong = SalesforceAuthenticationFailed
    calls.check("login: wrong password", lambda: Salesforce(
        username=user["username"], password="x", security_token="", **place), wrong)
    calls.check("login: wrong secret", lambda: Salesforce(**{**app, "consumer_secret": "x"}, **place), wrong)
    calls.check("login: wrong key's user", lambda: Salesforce(**{**jwt, "username": "x@y"}, **place), wrong)
    dead = Salesforce(session_id="00D!x", instance=host, proxies=proxies)
    calls.check("a dead session", lambda: dead.query("SELECT Id FROM Account"), SalesforceExpiredSession)
    other = {"username": env["SECOND_USER"], "password": env["SECOND_PASSWORD"]}
    second = calls.check("login: another user", lambda: Salesforce(**other, **app, **place), works)
    return Salesforce(**user, **app, **place), second


def queries(calls, org):
    check = calls.check
    many = "SELECT Id, Name FROM Account ORDER BY Name, Id"
    first = check("query", lambda: org.query(many), lambda page: not page["done"] and page["totalSize"] == 5060)
    check("query deleted", lambda: org.query("SELECT COUNT() FROM Account", include_deleted=True),
          lambda page: page["totalSize"] >= 5060)
    url = first["nextRecordsUrl"]
    check("query_more", lambda: org.query_more(url, True), lambda page: len(page["records"]) == 2000)
    check("query_more by id", lambda: org.query_more(url.split("/")[-1]), lambda page: len(page["records"]) == 2000)
    check("query_more of deleted", lambda: org.query_more(url.split("/")[-1], include_deleted=True),
          lambda page: len(page["records"]) == 2000)
    check("query_all", lambda: org.query_all(many), lambda result: len(result["records"]) == 5060)
    check("query_all_iter", lambda: sum(1 for _ in org.query_all_iter(many)), 5060)
    small = {"headers": {"Sforce-Query-Options": "batchSize=200"}}
    check("query of small pages", lambda: org.query(many, **small), lambda page: len(page["records"]) == 200)
    text = format_soql("SELECT Id FROM Account WHERE Name IN {} AND Name LIKE '{:like}%'", ["It's \\ \"x\""], "It")
    check("format_soql", lambda: org.query(text)["totalSize"], 0)
    check("search", lambda: org.search("FIND {Ada} IN NAME FIELDS RETURNING User(Id, Name)"),
          lambda found: found["searchRecords"][0]["Name"] == "Ada Adler")
    check("quick_search", lambda: org.quick_search("Ada"), lambda found: found["searchRecords"])
    check("query: a wrong field", lambda: org.query("SELECT Nope FROM Account"), SalesforceMalformedRequest)
    check("query: no SOQL", lambda: org.query("SELECT"), SalesforceMalformedRequest)
    check("query_more: no locator", lambda: org.query_more("0r8000000000000-2000"), SalesforceMalformedRequest)
    check("is_sandbox", org.is_sandbox, False)
    check("limits", org.limits, lambda limits: limits["DailyApiRequests"]["Max"] == 15000)
    check("limits with options", lambda: org.limits(timeout=60), lambda limits: "SingleEmail" in limits)
    check("api_usage", lambda: org.api_usage["api-usage"].total, 15000)


def resources(calls, org):
    """Paths that callers of `restful` and its kin ask for."""
    check = calls.check
    check("describe", org.describe, lambda all_: {"Account", "User"} <= {item["name"] for item in all_["sobjects"]})
    for path, expected in [
        ("", lambda root: root["identity"].endswith(org.oauth2("userinfo")["user_id"])), ("recent", None),
        ("sobjects", lambda all_: all_["maxBatchSize"] == 200), ("tabs", lambda tabs: tabs[0]["sobjectName"]),
        ("theme", lambda theme: theme["themeItems"]), ("limits/recordCount", lambda counts: counts["sObjects"]),
        ("query/?explain=SELECT+Id+FROM+Account", lambda plans: plans["plans"][0]["relativeCost"] == 1.0),
        ("query/?q=SELECT+Id+FROM+Account&columns=true", lambda answer: answer["entityName"] == "Account"),
        ("search/scopeOrder", lambda order: order[0]["type"]), ("search/layout/?q=Account", lambda all_: len(all_) == 1),
        ("search/suggestions?q=Ada&sobject=User", lambda found: len(found["autoSuggestResults"]) == 1),
        ("search/suggestSearchQueries?q=Ada", lambda found: found["hasMoreResults"] is False),
        ("parameterizedSearch/?q=Ada&sobject=User", lambda found: len(found["searchRecords"]) == 1),
        ("compactLayouts?q=Account", lambda layouts: layouts["Account"]["name"] == "SYSTEM"),
        ("quickActions", lambda actions: actions[0]["type"] == "Create"),
        ("quickActions/NewAccount/describe", lambda action: action["targetSobjectType"] == "Account"),
        ("quickActions/NewAccount/defaultValues", lambda values: values["attributes"]["type"] == "Account"),
        ("actions", lambda actions: actions["standard"]), ("actions/custom/apex", lambda all_: len(all_["actions"]) == 1),
        ("actions/standard", lambda all_: all_["actions"][0]["name"] == "emailSimple"),
        ("appMenu/AppSwitcher", lambda menu: menu["appMenuItems"] == []),
        ("process/rules", lambda rules: rules["rules"] == {}), ("process/approvals", lambda all_: all_["approvals"] == {}),
        ("sobjects/Account/listviews", lambda views: views["size"] == 3), ("sobjects/relevantItems", None),
        ("sobjects/Account/listviews/AllAccounts/results?limit=3", lambda page: page["size"] == 3),
        ("sobjects/Account/describe/compactLayouts", lambda layouts: layouts["compactLayouts"]),
        ("sobjects/Account/describe/approvalLayouts", lambda layouts: layouts["approvalLayouts"] == []),
        ("sobjects/Account/describe/layouts", lambda layouts: layouts["layouts"]),
        ("composite", lambda root: root["graph"]), ("analytics/dashboards", None),
        ("analytics/reports", lambda reports: "All Accounts" in [report["name"] for report in reports]),
    ]:
        check(f"restful {path}", lambda path=path: org.restful(path), expected)
    batch = {"batchRequests": [{"method": "GET", "url": "v60.0/limits"}, {"method": "GET", "url": "v60.0/nope"}]}
    check("restful batch", lambda: org.restful("composite/batch", method="POST", json=batch),
          lambda answer: [part["statusCode"] for part in answer["results"]] == [200, 404])
    email = {"inputs": [{"emailAddresses": "a@b.c", "emailSubject": "s", "emailBody": "b"}]}
    check("restful action", lambda: org.restful("actions/standard/emailSimple", method="POST", json=email),
          lambda answer: answer[0]["isSuccess"])
    check("restful custom action", lambda: org.restful(
        "actions/custom/apex/Double", method="POST", json={"inputs": [{"number": 21}]}),
        lambda answer: answer[0]["outputValues"] == {"result": 42})
    check("restful: no feature", lambda: org.restful("chatter/users/me"), SalesforceRefusedRequest)
    check("restful: no resource", lambda: org.restful("nope"), SalesforceResourceNotFound)
    check("oauth2", lambda: org.oauth2("userinfo"), lambda info: info["preferred_username"] == os.environ["USERNAME_"])
    check("toolingexecute", lambda: org.toolingexecute("query/?q=SELECT+Id+FROM+Profile"), lambda page: page["done"])
    check("toolingexecute: code", lambda: org.toolingexecute("executeAnonymous/?anonymousBody=x"),
          lambda outcome: outcome["compiled"] is False)
    check("toolingexecute: tests", lambda: org.toolingexecute("runTestsSynchronous/", "POST", {}),
          SalesforceMalformedRequest)
    check("apexecute", lambda: org.apexecute("echo/1", "POST", {"a": 1}), {"a": 1})
    check("apexecute: no class", lambda: org.apexecute("nope"), SalesforceResourceNotFound)


def records(calls, org, second):
    check = calls.check
    made = check("create", lambda: org.Account.create({"Name": "Söhne & Co", "ExternalId__c": "ss/1"}),
                 lambda result: result["success"])["id"]
    check("get", lambda: org.Account.get(made)["Name"], "Söhne & Co")
    check("get of fields", lambda: org.Account.get(made, params={"fields": "Name"}),
          lambda record: set(record) == {"attributes", "Name"})
    key = format_external_id("ExternalId__c", "ss/1")
    check("get_by_custom_id", lambda: org.Account.get_by_custom_id("ExternalId__c", "ss/1")["Id"], made)
    check("upsert", lambda: org.Account.upsert(key, {"Site": "a"}), 200)
    check("upsert makes", lambda: org.Account.upsert("ExternalId__c/ss-2", {"Name": "b"}), 201)
    check("upsert raw", lambda: org.Account.upsert(key, {"Site": "b"}, raw_response=True).json()["created"], False)
    check("upsert only what is there", lambda: org.Account.upsert(
        "ExternalId__c/ss-3?updateOnly=true", {"Name": "b"}), SalesforceResourceNotFound)
    check("update", lambda: org.Account.update(made, {"Site": "c"}), 204)
    check("update raw", lambda: org.Account.update(made, {"Site": "d"}, raw_response=True).status_code, 204)
    old = {"If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"}
    check("update if unmodified", lambda: org.Account.update(made, {"Site": "e"}, headers=old), Exception)
    check("get after a refused update", lambda: org.Account.get(made)["Site"], "d")
    person = check("create below an external id", lambda: org.Contact.create(
        {"LastName": "K", "Account": {"ExternalId__c": "ss/1"}}), lambda result: result["success"])["id"]
    check("get by a relationship", lambda: org.restful(f"sobjects/Contact/{person}/Account")["Id"], made)
    check("get by a list", lambda: org.restful(f"sobjects/Account/{made}/Contacts")["totalSize"], 1)
    check("update by a relationship", lambda: org.restful(
        f"sobjects/Contact/{person}/Account", method="PATCH", json={"Site": "f"}), None)
    now = datetime.datetime.now(datetime.timezone.utc)
    window = (now - datetime.timedelta(minutes=5), now + datetime.timedelta(minutes=5))
    check("updated", lambda: org.Account.updated(*window), lambda answer: made in answer["ids"])
    check("delete", lambda: org.Contact.delete(person), 204)
    check("delete raw", lambda: org.Account.delete(made, raw_response=True).status_code, 204)
    check("deleted", lambda: org.Account.deleted(*window),
          lambda answer: made in [record["id"] for record in answer["deletedRecords"]])
    check("get: deleted", lambda: org.Account.get(made), SalesforceResourceNotFound)
    check("create: nothing", lambda: org.Account.create({}), SalesforceMalformedRequest)
    check("metadata", org.Account.metadata, lambda answer: answer["objectDescribe"]["name"] == "Account")
    check("describe of an object", org.Account.describe, lambda answer: answer["fields"][0]["name"] == "Id")
    check("describe_layout", lambda: org.Account.describe_layout("012000000000000AAA"),
          lambda layout: layout["detailLayoutSections"])
    check("set_password", lambda: org.set_password(org.oauth2("userinfo")["user_id"], "another one"), None)
    account = org.query("SELECT Id FROM Account LIMIT 1")["records"][0]["Id"]
    note = org.Attachment.create({"Name": "n", "ParentId": account, "Body": "aABp"})["id"]
    check("get_base64", lambda: list(org.Attachment.get_base64(note)), [0x68, 0, 0x69])
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "file.bin"
        file.write_bytes(bytes(range(256)))
        check("update_base64", lambda: org.Attachment.update_base64(note, str(file)), 204)
        check("get_base64 again", lambda: org.Attachment.get_base64(note), bytes(range(256)))
        check("upload_base64 without a parent", lambda: org.Attachment.upload_base64(str(file)), SalesforceMalformedRequest)
    own = second.Account.create({"Name": "Second's"})["id"]
    me = second.oauth2("userinfo")["user_id"]
    check("records are their user's", lambda: org.query(
        f"SELECT CreatedById, OwnerId FROM Account WHERE Id = '{own}'")["records"][0],
        lambda record: record["CreatedById"] == me and record["OwnerId"] == me)


def main():
    calls = Calls()
    calls.trace(Salesforce)
    calls.trace(SFType)
    proxy = Proxy(int(sys.argv[1]))
    proxy.start()
    org, second = logins(calls, {"https": proxy.address})
    queries(calls, org)
    resources(calls, org)
    records(calls, org, second)
    # These two change the header fields of every later call, so they come last.
    calls.check("deploy", lambda: org.deploy(os.environ["KEY_FILE"], False), Exception)
    calls.check("checkDeployStatus", lambda: org.checkDeployStatus("0Af000000000001"), Exception)
    known = {f"{kind.__name__}.{name}" for kind in (Salesforce, SFType) for name, _ in public_methods(kind)}
    print(json.dumps({"calls": calls.results, "missing": sorted(known - calls.used)}))


main()
