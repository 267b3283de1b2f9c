# SPDX-License-Identifier: Apache-2.0
"""Uses an embedded org with simple-salesforce, and prints the results as one JSON object.

The package always uses https and *.salesforce.com. An adapter sends its requests to the org's loopback port instead.
Usage: simple_salesforce_check.py PORT, with CLIENT_ID, CLIENT_SECRET, USERNAME_ and PASSWORD in the environment.
"""
import csv
import datetime
import io
import json
import os
import sys
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from simple_salesforce import Salesforce
from simple_salesforce.exceptions import (
    SalesforceAuthenticationFailed,
    SalesforceMalformedRequest,
    SalesforceResourceNotFound,
)


class Loopback(HTTPAdapter):
    """Sends every https request to the org."""

    def __init__(self, port):
        super().__init__()
        self.port = port

    def send(self, request, **options):
        parts = urlsplit(request.url)
        query = "?" + parts.query if parts.query else ""
        request.url = f"http://127.0.0.1:{self.port}{parts.path}{query}"
        return super().send(request, **options)


def connect(port, **credentials):
    session = requests.Session()
    session.trust_env = False
    session.mount("https://", Loopback(port))
    return Salesforce(session=session, domain="org.my", version="60.0", **credentials)


def code_of(kind, call):
    """Returns the error code of the expected exception, or a description of another result."""
    try:
        call()
    except kind as error:
        content = getattr(error, "content", None)
        return content[0]["errorCode"] if isinstance(content, list) else str(getattr(error, "code", error))
    except Exception as error:  # reported to the test, which fails on it
        return f"{type(error).__name__}: {error}"
    return "no error"


def bulk(org, seen):
    """Uses every call of bulk2 that transfers records."""
    records = [{"Name": f"Bulk {number}, \"quoted\"", "ExternalId__c": f"bulk-{number}"} for number in range(450)]
    job = org.bulk2.Account.insert(records=records, wait=0.01)[0]
    seen["bulkInserted"] = [job["numberRecordsProcessed"], job["numberRecordsFailed"]]
    results = org.bulk2.Account.get_all_ingest_records(job["job_id"])
    ids = [record["sf__Id"] for record in results["successfulRecords"]]
    seen["bulkResults"] = [len(ids), len(results["failedRecords"]), len(results["unprocessedRecords"])]
    again = [{"ExternalId__c": "bulk-1", "Name": "again"}, {"ExternalId__c": "bulk-1", "Name": ""}]
    job = org.bulk2.Account.upsert(records=again, external_id_field="ExternalId__c", wait=0.01)[0]
    seen["bulkUpserted"] = job["numberRecordsFailed"]
    job = org.bulk2.Account.update(records=[{"Id": i, "Site": "s"} for i in ids + ["x"]], wait=0.01)[0]
    seen["bulkUpdated"] = [job["numberRecordsProcessed"], job["numberRecordsFailed"]]
    seen["bulkDeleted"] = org.bulk2.Account.delete(records=[{"Id": i} for i in ids[:50]], wait=0.01)[0]["numberRecordsProcessed"]
    query = "SELECT Id, Name, Owner.Name FROM Account WHERE ExternalId__c LIKE 'bulk-%'"
    pages = [list(csv.DictReader(io.StringIO(page))) for page in org.bulk2.Account.query(query, max_records=150, wait=0.01)]
    seen["bulkPages"] = [len(page) for page in pages]
    seen["bulkAll"] = sum(len(page.splitlines()) - 1 for page in org.bulk2.Account.query_all(query, wait=0.01))


def main():
    port = int(sys.argv[1])
    app = {"consumer_key": os.environ["CLIENT_ID"], "consumer_secret": os.environ["CLIENT_SECRET"]}
    user = {"username": os.environ["USERNAME_"], "password": os.environ["PASSWORD"]}
    seen = {}
    by_password = connect(port, **app, **user)
    seen["passwordLogin"] = len(by_password.query("SELECT Id FROM Profile")["records"])
    org = connect(port, **app)
    everything = org.query_all("SELECT Id, Name, Owner.Name FROM Account ORDER BY Name, Id")
    seen["total"] = everything["totalSize"]
    seen["records"] = len({record["Id"] for record in everything["records"]})
    seen["iterated"] = sum(1 for _ in org.query_all_iter("SELECT Id FROM Account"))
    first = org.query("SELECT Id, (SELECT LastName FROM Contacts) FROM Account WHERE Industry = 'Banking' LIMIT 1")
    seen["children"] = len(first["records"][0]["Contacts"]["records"])
    seen["count"] = org.query("SELECT COUNT() FROM Account WHERE Industry = 'Banking'")["totalSize"]
    made = org.Account.create({"Name": "Peer & Söhne", "ExternalId__c": "peer-1"})
    seen["created"] = made["success"]
    seen["upserted"] = org.Account.upsert("ExternalId__c/peer-1", {"Industry": "Energy"})
    seen["inserted"] = org.Account.upsert("ExternalId__c/peer-2", {"Name": "Second"})
    seen["updated"] = org.Account.update(made["id"], {"Site": "Main"})
    seen["read"] = org.Account.get(made["id"])["Name"]
    seen["byExternalId"] = org.Account.get_by_custom_id("ExternalId__c", "peer-1")["Site"]
    seen["deleted"] = org.Account.delete(made["id"])
    seen["describe"] = org.Account.describe()["name"]
    seen["versions"] = org.restful("limits")["DailyApiRequests"]["Max"]
    seen["usage"] = org.api_usage["api-usage"].total
    now = datetime.datetime.now(datetime.timezone.utc)
    window = (now - datetime.timedelta(minutes=5), now + datetime.timedelta(minutes=5))
    seen["updatedIds"] = len(org.Account.updated(*window)["ids"])
    seen["deletedIds"] = [record["id"] == made["id"] for record in org.Account.deleted(*window)["deletedRecords"]]
    seen["sandbox"] = org.is_sandbox()
    found = org.search("FIND {Ada} IN NAME FIELDS RETURNING User(Id, Name)")
    seen["search"] = [record["Name"] for record in found["searchRecords"]]
    batch = {"batchRequests": [{"method": "GET", "url": "v60.0/limits"}, {"method": "GET", "url": "v60.0/nope"}]}
    seen["composite"] = [part["statusCode"] for part in org.restful("composite/batch", method="POST", json=batch)["results"]]
    seen["apex"] = org.apexecute("echo/1", "POST", {"a": 1})
    file = org.Attachment.create({"Name": "f", "ParentId": everything["records"][0]["Id"], "Body": "aABp"})["id"]
    seen["file"] = list(org.Attachment.get_base64(file))
    bulk(org, seen)
    seen["errors"] = [
        code_of(SalesforceResourceNotFound, lambda: org.Account.get(made["id"])),
        code_of(SalesforceMalformedRequest, lambda: org.Account.create({})),
        code_of(SalesforceMalformedRequest, lambda: org.Account.create({"Name": "x", "Colour": 1})),
        code_of(SalesforceMalformedRequest, lambda: org.query("SELECT Nope FROM Account")),
        code_of(SalesforceMalformedRequest, lambda: org.query("SELECT Id FROM")),
        code_of(SalesforceMalformedRequest, lambda: org.query_more("0r8000000000000000-2000")),
        code_of(SalesforceAuthenticationFailed, lambda: connect(port, **{**app, "consumer_secret": "wrong"})),
    ]
    print(json.dumps(seen))


main()
