# SPDX-License-Identifier: Apache-2.0
"""Moves records by both bulk APIs of simple-salesforce and prints what it saw as one JSON object.

The package always speaks https; an adapter sends its requests to the org's loopback port instead.
Usage: simple_salesforce_bulk.py PORT FOLDER, with TOKEN in the environment.
"""
import csv
import io
import json
import os
import sys
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from simple_salesforce import Salesforce
from simple_salesforce.exceptions import SalesforceError


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


def connect(port):
    session = requests.Session()
    session.trust_env = False
    session.mount("https://", Loopback(port))
    return Salesforce(session_id=os.environ["TOKEN"], instance="org.my.salesforce.com", session=session, version="60.0")


def good(results):
    return [sum(1 for result in results if result["success"]), len(results)]


def failure(call):
    """What the exception of a call says, or that there was none."""
    try:
        call()
    except SalesforceError as error:
        return str(error)
    return "no error"


def first(org, seen):
    """Every call of `bulk`: API 1.0 with batches in JSON."""
    bulk = org.bulk.Account
    records = [{"Name": f"One {number}", "ExternalId__c": f"one-{number}"} for number in range(2_500)]
    inserted = bulk.insert(records, batch_size=1_000)
    seen["inserted"] = good(inserted)
    again = [{"ExternalId__c": "one-1", "Site": "s"}, {"ExternalId__c": "one-new", "Name": "New"}, {"Name": "no key"}]
    seen["upserted"] = [
        [result["success"], result["created"], len(result["errors"])]
        for result in bulk.upsert(again, "ExternalId__c", use_serial=True)]
    ids = [result["id"] for result in inserted]
    changes = [{"Id": i, "NumberOfEmployees": 3, "Site": None} for i in ids[:10]] + [{"Id": "x", "Site": "y"}]
    seen["updated"] = good(bulk.update(changes, batch_size="auto"))
    detailed = bulk.update([{"Id": ids[0], "Owner": {"Email": "x@y"}}, {"Id": ids[1], "Parent": {"ExternalId__c": "one-7"}}],
                           include_detailed_results=True)
    seen["detailed"] = [detailed[0]["success"], detailed[0]["Owner.Email"], detailed[1]["success"]]
    query = "SELECT Id, Name, Parent.Name, NumberOfEmployees FROM Account WHERE ExternalId__c LIKE 'one-%' ORDER BY Name"
    found = bulk.query(query)
    seen["queried"] = [len(found), found[0]["attributes"]["type"], sorted(found[0])]
    seen["lazy"] = sum(len(page) for page in bulk.query(query, lazy_operation=True))
    seen["bypassed"] = [name for part in bulk.delete([{"Id": i} for i in ids[:5]], bypass_results=True) for name in part]
    seen["deleted"] = good(bulk.delete([{"Id": i} for i in ids[5:20]]))
    seen["hardDeleted"] = good(bulk.hard_delete([{"Id": i} for i in ids[20:30]]))
    seen["all"] = len(bulk.query_all("SELECT Id FROM Account WHERE IsDeleted = true AND ExternalId__c LIKE 'one-%'"))
    seen["submitted"] = good(org.bulk.submit_dml("Account", "insert", [{"Name": "Submitted"}]))
    seen["refused"] = [
        failure(lambda: bulk.query("SELECT Nope FROM Account")),
        failure(lambda: org.bulk.Nothing.insert([{"Name": "x"}])),
        failure(lambda: bulk.upsert([{"Name": "x"}], "Name")),
    ]


def second(org, seen, folder):
    """The calls of `bulk2` that the other script leaves out."""
    bulk = org.bulk2.Account
    path = os.path.join(folder, "records.csv")
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, delimiter="|", lineterminator="\r\n", quoting=csv.QUOTE_ALL)
        writer.writerow(["Name", "ExternalId__c", "Parent.ExternalId__c"])
        writer.writerows(
            [f"Two\n{number} \"x\"", f"two-{number}", "one-100" if number else "#N/A"] for number in range(700))
    job = bulk.upsert(csv_file=path, external_id_field="ExternalId__c", batch_size=300, column_delimiter="PIPE",
                      line_ending="CRLF", wait=0.01)
    seen["chunks"] = [[part["numberRecordsProcessed"], part["numberRecordsFailed"]] for part in job]
    good_records = [bulk.get_successful_records(part["job_id"]) for part in job]
    seen["successful"] = sum(len(list(csv.reader(io.StringIO(text), delimiter="|"))) - 1 for text in good_records)
    seen["failed"] = bulk.get_failed_records(job[0]["job_id"]).splitlines()
    seen["unprocessed"] = bulk.get_unprocessed_records(job[0]["job_id"]).splitlines()
    query = "SELECT Name, Parent.Name FROM Account WHERE ExternalId__c LIKE 'two-%' ORDER BY ExternalId__c"
    files = bulk.download(query, folder, max_records=300, wait=0.01)
    seen["downloaded"] = [part["number_of_records"] for part in files]
    names = [row["Name"] for part in files for row in csv.DictReader(open(part["file"], newline=""))]
    seen["names"] = [len(names), names[0]]
    ids = [row["sf__Id"] for row in csv.DictReader(io.StringIO(good_records[0]), delimiter="|")]
    seen["hardDeletedToo"] = bulk.hard_delete(records=[{"Id": i} for i in ids[:3]], wait=0.01)[0]["numberRecordsFailed"]


def main():
    org = connect(int(sys.argv[1]))
    seen = {}
    first(org, seen)
    second(org, seen, sys.argv[2])
    print(json.dumps(seen))


main()
