# SPDX-License-Identifier: Apache-2.0
"""Uses a test server with Dropbox's own SDK for Python, and prints the results as JSON.

    dropbox_check.py PORT, with ACCESS_TOKEN, REFRESH_TOKEN, APP_KEY and APP_SECRET in the environment
"""
import hashlib
import json
import os
import threading
import urllib.request

from box_sdk import KEY, PORT, SECRET, box, dropbox, failing, seen, session
from dropbox import files, sharing
from dropbox.common import PathRoot

# The account and the connection.
seen["account"] = box.users_get_current_account().account_id
seen["space"] = box.users_get_space_usage().allocation.is_individual()
seen["user"] = box.check_user("hello").result
app = dropbox.Dropbox(app_key=KEY, app_secret=SECRET, oauth2_refresh_token=os.environ["REFRESH_TOKEN"], session=session())
seen["refreshed"] = app.users_get_current_account().account_id

# Files.
body = b"peer " * 1000
uploaded = box.files_upload(body, "/Peer/M\u00e4rz \U0001f37a.txt")
seen["uploaded"] = uploaded.name
seen["hash"] = uploaded.content_hash == hashlib.sha256(hashlib.sha256(body).digest()).hexdigest()
metadata, answer = box.files_download("/peer/M\u00c4RZ \U0001f37a.txt")
seen["downloaded"] = answer.content == body and metadata.id == uploaded.id
for number in range(25):
    box.files_upload(str(number).encode(), f"/Peer/many/{number:02}.txt")
page = box.files_list_folder("/peer", recursive=True, limit=10)
entries, pages = list(page.entries), 1
while page.has_more:
    page = box.files_list_folder_continue(page.cursor)
    entries += page.entries
    pages += 1
seen["listed"] = [len(entries), pages, sum(isinstance(entry, files.FolderMetadata) for entry in entries)]

# Changes: a long poll returns at a change, which the cursor then lists.
polled = []
poll = threading.Thread(target=lambda: polled.append(box.files_list_folder_longpoll(page.cursor, timeout=60).changes))
poll.start()
box.files_move_v2("/peer/many/00.txt", "/peer/moved.txt")
poll.join()
changes = box.files_list_folder_continue(page.cursor).entries
seen["polled"] = polled
seen["changed"] = sorted(f"{type(entry).__name__} {entry.name}" for entry in changes)

# An upload session with one wrong offset.
blocks = [bytes([number]) * 300_000 for number in range(4)]
cursor = files.UploadSessionCursor(box.files_upload_session_start(blocks[0]).session_id, len(blocks[0]))
box.files_upload_session_append_v2(blocks[1], cursor)
cursor.offset = 1
try:
    box.files_upload_session_append_v2(blocks[2], cursor)
except dropbox.exceptions.ApiError as error:
    cursor.offset = error.error.get_incorrect_offset().correct_offset
seen["offset"] = cursor.offset
box.files_upload_session_append_v2(blocks[2], cursor)
cursor.offset += len(blocks[2])
finished = box.files_upload_session_finish(blocks[3], cursor, files.CommitInfo("/peer/session.bin"))
seen["session"] = finished.size

# Many sessions in one batch, one of which does not exist.
commits = []
for number in range(3):
    started = box.files_upload_session_start(b"x" * number, close=True)
    commits.append(files.UploadSessionFinishArg(
        files.UploadSessionCursor(started.session_id, number), files.CommitInfo(f"/peer/batch/{number}")))
commits.append(files.UploadSessionFinishArg(files.UploadSessionCursor("none", 0), files.CommitInfo("/peer/batch/x")))
seen["batch"] = [entry._tag for entry in box.files_upload_session_finish_batch_v2(commits).entries]

# Folders, copies, revisions, deletions.
seen["folder"] = box.files_create_folder_v2("/peer/folder").metadata.path_lower
seen["copied"] = box.files_copy_v2("/peer/many", "/peer/copy").metadata.name
first = box.files_upload(b"one", "/peer/rev.txt")
box.files_upload(b"two", "/peer/rev.txt", mode=files.WriteMode.update(first.rev))
seen["revisions"] = len(box.files_list_revisions("/peer/rev.txt").entries)
box.files_restore("/peer/rev.txt", first.rev)
seen["restored"] = box.files_download("/peer/rev.txt")[1].content.decode()
seen["deleted"] = box.files_delete_v2("/peer/copy").metadata.name
job = box.files_delete_batch([files.DeleteArg("/peer/many/01.txt"), files.DeleteArg("/peer/none")])
while True:
    status = box.files_delete_batch_check(job.get_async_job_id())
    if status.is_complete():
        break
seen["deletedBatch"] = [entry._tag for entry in status.get_complete().entries]

# Links.
with urllib.request.urlopen(box.files_get_temporary_link("/peer/moved.txt").link) as link:
    seen["temporary"] = link.read().decode()
shared = box.sharing_create_shared_link_with_settings("/peer/moved.txt")
seen["shared"] = isinstance(box.sharing_get_shared_link_metadata(shared.url), sharing.FileLinkMetadata)
seen["links"] = [link.name for link in box.sharing_list_shared_links("/peer/moved.txt").links]
seen["sharedFile"] = box.sharing_get_shared_link_file(shared.url)[1].content.decode()

# Typed errors.
failing(lambda: box.files_get_metadata("/none"))
failing(lambda: box.files_download("/peer"))
failing(lambda: box.files_upload(b"other", "/peer/rev.txt"))
failing(lambda: box.files_create_folder_v2("/peer/folder"))
failing(lambda: box.files_move_v2("/none", "/x"))
failing(lambda: box.files_delete_v2("/none"))
failing(lambda: box.sharing_create_shared_link_with_settings("/peer/moved.txt"))
failing(lambda: box.files_list_folder_continue("guess"))
failing(lambda: dropbox.Dropbox("unknown", session=session()).users_get_current_account())
failing(lambda: box.with_path_root(PathRoot.root("1")).files_list_folder(""))

# A login with PKCE, and its revocation.
flow = dropbox.DropboxOAuth2FlowNoRedirect(KEY, use_pkce=True, token_access_type="offline")
flow.requests_session = session()
address = flow.start().split("?", 1)[1]
with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/oauth2/authorize?{address}") as page:
    result = flow.finish(page.read().decode())
seen["login"] = [result.account_id, bool(result.refresh_token), result.expires_at is not None]
logged = dropbox.Dropbox(result.access_token, session=session())
logged.auth_token_revoke()
failing(lambda: logged.users_get_current_account())

print(json.dumps(seen))
