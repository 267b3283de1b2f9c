# SPDX-License-Identifier: Apache-2.0
"""Uses less common features of a test server with Dropbox's SDK for Python, and prints the results as JSON.

    files_check.py PORT, with ACCESS_TOKEN, REFRESH_TOKEN, APP_KEY and APP_SECRET in the environment
"""
import concurrent.futures
import json
import warnings

from box_sdk import box, dropbox, failing, finished, requests, seen
from dropbox import async_, files

# Some routes are deprecated, and called on purpose.
warnings.simplefilter("ignore")

# A concurrent session: parallel parts, with the last part first.
block = 4 << 20
parts = [bytes([number]) * block for number in range(3)] + [b"end"]
start = box.files_upload_session_start(b"", session_type=files.UploadSessionType.concurrent)


def append(number):
    cursor = files.UploadSessionCursor(start.session_id, number * block)
    box.files_upload_session_append_v2(parts[number], cursor, close=number == 3)


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    list(pool.map(append, [3, 1, 2, 0]))
end = files.UploadSessionCursor(start.session_id, 3 * block + 3)
seen["concurrent"] = box.files_upload_session_finish(b"", end, files.CommitInfo("/parts.bin")).size
seen["parts"] = box.files_download("/parts.bin")[1].content == b"".join(parts)
failing(lambda: box.files_upload_session_finish(b"", end, files.CommitInfo("/parts.bin")))

closed = box.files_upload_session_start(b"closed", close=True)
failing(lambda: box.files_upload_session_append_v2(b"x", files.UploadSessionCursor(closed.session_id, 6)))
box.files_upload(b"first", "/taken.txt")
failing(lambda: box.files_upload(b"other", "/taken.txt"))
try:
    box.files_upload(b"other", "/taken.txt")
except dropbox.exceptions.ApiError as error:
    kept = error.error.get_path().upload_session_id
    cursor = files.UploadSessionCursor(kept, 5)
    seen["kept"] = box.files_upload_session_finish(b"", cursor, files.CommitInfo("/kept.txt")).size

# Temporary links for uploads.
link = box.files_get_temporary_upload_link(files.CommitInfo("/linked.txt")).link
octets = {"Content-Type": "application/octet-stream"}
answer = requests.post(link, data=b"by link", headers=octets)
seen["linked"] = [answer.status_code, answer.json()["content-hash"] == box.files_get_metadata("/linked.txt").content_hash]
seen["linkedTwice"] = requests.post(link, data=b"again", headers=octets).status_code

# Earlier revisions, and permanently deleted files.
old = box.files_upload(b"old", "/rev.txt")
box.files_upload(b"new", "/rev.txt", mode=files.WriteMode.overwrite)
seen["oldRevision"] = box.files_download("/rev.txt", rev=old.rev)[1].content.decode()
box.files_permanently_delete("/rev.txt")
failing(lambda: box.files_list_revisions("/rev.txt"))
failing(lambda: box.files_restore("/rev.txt", old.rev))

# The account.
account = box.users_get_current_account().account_id
seen["accounts"] = [found.account_id == account for found in box.users_get_account_batch([account])]
failing(lambda: box.users_get_account_batch(["dbid:" + "x" * 35]))

print(json.dumps(seen))
