# SPDX-License-Identifier: Apache-2.0
"""Dropbox's own SDK for Python, connected to the test server whose port is the first argument."""
import os
import sys

PORT = sys.argv[1]
for host in ("API", "API_CONTENT", "API_NOTIFY"):
    os.environ[f"DROPBOX_{host}_HOST"] = f"127.0.0.1:{PORT}"

import dropbox  # noqa: E402  (reads the hosts on import)
import requests  # noqa: E402


class Plain(requests.adapters.HTTPAdapter):
    """Sends over http, because the SDK supports only https."""

    def send(self, request, **options):
        request.url = request.url.replace("https://", "http://", 1)
        return super().send(request, **options)


def session():
    made = requests.Session()
    made.mount("https://", Plain())
    return made


seen = {"errors": []}
KEY, SECRET = os.environ["APP_KEY"], os.environ["APP_SECRET"]
box = dropbox.Dropbox(os.environ["ACCESS_TOKEN"], session=session(), max_retries_on_error=0)


def failing(call):
    """Records the tags of the error that the call raises."""
    try:
        call()
        seen["errors"].append("none")
    except dropbox.exceptions.ApiError as error:
        value, tags = error.error, []
        while hasattr(value, "_tag") or hasattr(value, "reason"):
            if not hasattr(value, "_tag"):
                value = value.reason
                continue
            tags.append(value._tag)
            value = value._value
        seen["errors"].append("/".join(tags))
    except dropbox.exceptions.AuthError as error:
        seen["errors"].append(f"AuthError {error.error._tag}")
    except dropbox.exceptions.DropboxException as error:
        seen["errors"].append(type(error).__name__)


def finished(check, job):
    """Returns the final status of a job."""
    while True:
        status = check(job.get_async_job_id())
        if not status.is_in_progress():
            return status
