# SPDX-License-Identifier: Apache-2.0
"""The common code of the tests' authorization servers: arguments, clients, and the line that reports readiness.

Every server has one user, and for each grant three clients: GRANT-none without a secret, GRANT-basic and GRANT-post
with one. One resource, at /services/data/, needs an access token. Its responses have Salesforce's format.
"""
import argparse
import ctypes
import json
import os
import signal
import sys
import threading

GRANTS = ["code", "device", "machine", "password", "jwt"]
WAYS = ["none", "basic", "post"]
SCOPE = "read"
PAGE = {"totalSize": 1, "done": True, "records": [{"attributes": {"type": "Account"}, "Name": "Ada"}]}
EXPIRED = [{"errorCode": "INVALID_SESSION_ID", "message": "Session expired or invalid"}]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True, help="where the server may write")
    parser.add_argument("--password", required=True, help="of the user, and the secret of every client that has one")
    parser.add_argument("--lifetime", type=int, default=3600, help="of access tokens, in seconds")
    parser.add_argument("--redirect", action="append", default=[], help="a redirect URI of the clients for codes")
    parser.add_argument("--key", default="", help="the public key of the statements, in PEM form")
    threading.Thread(target=end_with_input, daemon=True).start()
    return parser.parse_args()


def end_with_input():
    """Exits when standard input ends, because the process that started this one has closed it or exited."""
    sys.stdin.buffer.read()
    os._exit(0)


def end_with_parent():
    """In a child process, ends it when this process has exited (PR_SET_PDEATHSIG, only on Linux)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def ready(**facts):
    """Prints the URLs of the server, one for each fact."""
    print(json.dumps(facts), flush=True)
