# SPDX-License-Identifier: Apache-2.0
"""What the authorization servers of the tests share: their arguments, their clients and the line they print when ready.

Every server has one user, and for each grant three clients: GRANT-none without a secret, GRANT-basic and GRANT-post
with one. Behind the tokens stands one resource in the shape of the platform, at /services/data/.
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
    """Ends this process when its standard input does, which is when whoever started it lets go of it or dies."""
    sys.stdin.buffer.read()
    os._exit(0)


def end_with_parent():
    """In a child: ends it when this process is gone (PR_SET_PDEATHSIG, which Linux alone has)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def ready(**facts):
    """Says where the server is; each fact is an address."""
    print(json.dumps(facts), flush=True)
