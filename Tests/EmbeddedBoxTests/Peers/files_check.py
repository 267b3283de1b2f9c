# SPDX-License-Identifier: Apache-2.0
"""Uses what a box has beyond the everyday through Dropbox's SDK for Python, and prints what came of it as JSON.

    files_check.py PORT, with ACCESS_TOKEN, REFRESH_TOKEN, APP_KEY and APP_SECRET in the environment
"""
import base64
import concurrent.futures
import io
import json
import struct
import warnings
import zipfile
import zlib

from box_sdk import box, dropbox, failing, finished, requests, seen
from dropbox import async_, files, users

# The deprecated routes are called on purpose.
warnings.simplefilter("ignore")


def png(width, height):
    """A grey image."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    lines = (b"\0" + b"\x80" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def size(image):
    """The size of a PNG whose chunks and pixels are sound."""
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    position, data = 8, b""
    while position < len(image):
        length, name = struct.unpack(">I4s", image[position:position + 8])
        body = image[position + 8:position + 8 + length]
        assert struct.unpack(">I", image[position + 8 + length:position + 12 + length])[0] == zlib.crc32(name + body)
        if name == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        data += body if name == b"IDAT" else b""
        position += 12 + length
    assert len(zlib.decompress(data)) == height * (width * 3 + 1)
    return [width, height]


# A concurrent session: parts side by side, the last one first.
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

# The older forms of sessions and batches.
first = box.files_upload_session_start(b"one ")
box.files_upload_session_append(b"two", first.session_id, 4)
closed = box.files_upload_session_start(b"closed", close=True)
failing(lambda: box.files_upload_session_append_v2(b"x", files.UploadSessionCursor(closed.session_id, 6)))
job = box.files_upload_session_finish_batch([
    files.UploadSessionFinishArg(files.UploadSessionCursor(closed.session_id, 6), files.CommitInfo("/v1/closed")),
    files.UploadSessionFinishArg(files.UploadSessionCursor(first.session_id, 7), files.CommitInfo("/v1/open")),
])
ended = finished(box.files_upload_session_finish_batch_check, job).get_complete().entries
seen["finishBatch"] = [entry._tag for entry in ended]
seen["folderV1"] = box.files_create_folder("/v1/folder").name
seen["copyV1"] = box.files_copy("/v1/closed", "/v1/copy").path_lower
seen["moveV1"] = box.files_move("/v1/copy", "/v1/moved").path_lower
job = box.files_copy_batch([files.RelocationPath("/v1/moved", "/v1/again")])
seen["copyBatchV1"] = [entry.metadata.name for entry in finished(box.files_copy_batch_check, job).get_complete().entries]
job = box.files_move_batch([files.RelocationPath("/none", "/v1/x")])
seen["moveBatchV1"] = finished(box.files_move_batch_check, job).get_failed()._tag
seen["searchV1"] = [match.metadata.name for match in box.files_search("/v1", "again").matches]
seen["deleteV1"] = box.files_delete("/v1/again").name
failing(lambda: box.files_upload(b"other", "/v1/moved"))
try:
    box.files_upload(b"other", "/v1/moved")
except dropbox.exceptions.ApiError as error:
    kept = error.error.get_path().upload_session_id
    cursor = files.UploadSessionCursor(kept, 5)
    seen["kept"] = box.files_upload_session_finish(b"", cursor, files.CommitInfo("/v1/kept")).size

# Images.
box.files_upload(png(300, 150), "/images/wide.png")
box.files_upload(b"no image", "/images/text.txt")
thumbnail = files.ThumbnailSize.w128h128
metadata, answer = box.files_get_thumbnail("/images/wide.png", size=thumbnail)
seen["thumbnail"] = [metadata.name, size(answer.content)]
result, answer = box.files_get_thumbnail_v2(files.PathOrLink.path("/images/wide.png"), size=thumbnail)
seen["thumbnailV2"] = [result.file_metadata.name, size(answer.content)]
batch = box.files_get_thumbnail_batch([files.ThumbnailArg("/images/wide.png"), files.ThumbnailArg("/images/text.txt")])
seen["thumbnails"] = [entry._tag for entry in batch.entries]
seen["thumbnailSize"] = size(base64.b64decode(batch.entries[0].get_success().thumbnail))
media = box.files_get_metadata("/images/wide.png", include_media_info=True).media_info.get_metadata()
seen["media"] = [media.dimensions.width, media.dimensions.height]
failing(lambda: box.files_get_thumbnail("/images/text.txt"))
failing(lambda: box.files_get_preview("/images/text.txt"))
failing(lambda: box.files_export("/images/text.txt"))

# Searches in names and texts.
box.files_upload(b"the quick brown fox", "/search/animal.txt")
box.files_upload(b"something else", "/search/fox.md")


def names(query, **options):
    found = box.files_search_v2(query, files.SearchOptions(path="/search", **options))
    return [(match.metadata.get_metadata().name, match.match_type._tag) for match in found.matches]


seen["found"] = sorted(names("fox"))
seen["foundNames"] = names("FOX", filename_only=True)
seen["foundTexts"] = names("fox", file_extensions=["txt"])
box.files_delete_v2("/search/fox.md")
seen["foundDeleted"] = len(names("fox", file_status=files.FileStatus.deleted))

# Links that write, addresses that are read, references and locks.
link = box.files_get_temporary_upload_link(files.CommitInfo("/linked.txt")).link
octets = {"Content-Type": "application/octet-stream"}
answer = requests.post(link, data=b"by link", headers=octets)
seen["linked"] = [answer.status_code, answer.json()["content-hash"] == box.files_get_metadata("/linked.txt").content_hash]
seen["linkedTwice"] = requests.post(link, data=b"again", headers=octets).status_code
job = box.files_save_url("/saved.txt", box.files_get_temporary_link("/linked.txt").link)
seen["saved"] = finished(box.files_save_url_check_job_status, job).get_complete().size
job = box.files_save_url("/saved.txt", "http://192.0.2.1/elsewhere")
seen["notSaved"] = finished(box.files_save_url_check_job_status, job).get_failed()._tag
reference = box.files_copy_reference_get("/search").copy_reference
seen["referenced"] = box.files_copy_reference_save(reference, "/referenced").metadata.name
seen["copiedByReference"] = box.files_download("/referenced/animal.txt")[1].content.decode()
failing(lambda: box.files_copy_reference_save("guess", "/x"))
locked = box.files_lock_file_batch([files.LockFileArg("/linked.txt"), files.LockFileArg("/search")]).entries
seen["locked"] = [entry._tag for entry in locked]
seen["lock"] = box.files_get_file_lock_batch([files.LockFileArg("/linked.txt")]).entries[0].get_success().lock.content._tag
seen["unlocked"] = box.files_unlock_file_batch([files.UnlockFileArg("/linked.txt")]).entries[0].get_success().lock.content._tag

# Revisions of before, and what is gone for good.
old = box.files_upload(b"old", "/rev.txt")
box.files_upload(b"new", "/rev.txt", mode=files.WriteMode.overwrite)
seen["oldRevision"] = box.files_download("/rev.txt", rev=old.rev)[1].content.decode()
box.files_permanently_delete("/rev.txt")
failing(lambda: box.files_list_revisions("/rev.txt"))
failing(lambda: box.files_restore("/rev.txt", old.rev))

# A folder as a zip file.
box.files_upload("größer".encode(), "/zip/Inner/März.txt")
metadata, answer = box.files_download_zip("/zip")
with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
    seen["zip"] = [metadata.metadata.name, archive.namelist(), archive.read("zip/Inner/März.txt").decode(), archive.testzip()]
failing(lambda: box.files_download_zip("/linked.txt"))

# The account.
account = box.users_get_current_account().account_id
seen["accounts"] = [found.account_id == account for found in box.users_get_account_batch([account])]
failing(lambda: box.users_get_account_batch(["dbid:" + "x" * 35]))
features = box.users_features_get_values([users.UserFeature.file_locking, users.UserFeature.paper_as_files]).values
seen["features"] = [features[0].get_file_locking().get_enabled(), features[1].get_paper_as_files().get_enabled()]

print(json.dumps(seen))
