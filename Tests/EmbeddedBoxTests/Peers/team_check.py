# SPDX-License-Identifier: Apache-2.0
"""Uses a test server with a team with Dropbox's SDK for Python, and prints the results as JSON.

    team_check.py PORT, with TEAM_TOKEN and MEMBERS in the environment. MEMBERS contains the id of each member, a comma,
    and the number of the member's namespace.
"""
import json
import os

from box_sdk import box, dropbox, failing, seen, session
from dropbox import files
from dropbox.common import PathRoot

team = dropbox.DropboxTeam(os.environ["TEAM_TOKEN"], session=session())
members = [member.split(",") for member in os.environ["MEMBERS"].split()]
admin, second, third = (member for member, _ in members)
home = members[1][1]

# Each member has separate files.
for member in (admin, second, third):
    one = team.as_user(member)
    email = one.users_get_current_account().email
    one.files_upload(email.encode(), "/mine.txt")
    one.files_upload(b"x", f"/{email}")
seen["own"] = [team.as_user(member).files_download("/mine.txt")[1].content.decode() for member in (admin, second, third)]
seen["listed"] = [[entry.name for entry in team.as_user(member).files_list_folder("").entries] for member in (admin, second, third)]
seen["self"] = team.as_user(second).users_get_current_account().email

# The root of the team, which all members can access, and roots that they cannot access.
root = PathRoot.root(team.as_user(second).users_get_current_account().root_info.root_namespace_id)
team.as_user(second).with_path_root(root).files_upload(b"shared", "/team.txt")
seen["shared"] = team.as_user(third).with_path_root(root).files_download("/team.txt")[1].content.decode()
other = PathRoot.namespace_id(home)
failing(lambda: team.as_user(third).with_path_root(other).files_list_folder(""))
failing(lambda: team.as_user(third).with_path_root(PathRoot.root("1")).files_list_folder(""))
asAdmin = team.as_admin(admin)
seen["asAdmin"] = asAdmin.with_path_root(other).files_download("/mine.txt")[1].content.decode()
failing(lambda: team.as_user("dbmid:none").files_list_folder(""))
failing(lambda: team.as_admin(second).files_list_folder(""))
failing(lambda: dropbox.Dropbox(os.environ["TEAM_TOKEN"], session=session()).files_list_folder(""))

# No member can access another's files with ids, revisions, cursors, sessions, jobs or namespaces.
theirs = team.as_user(second)
mine = team.as_user(third)
file = theirs.files_upload(b"secret", "/secret.txt")
cursor = theirs.files_list_folder("").cursor
started = theirs.files_upload_session_start(b"secret", close=True).session_id
job = theirs.files_delete_batch([files.DeleteArg("/none")]).get_async_job_id()
failing(lambda: mine.files_download(file.id))
failing(lambda: mine.files_download("rev:" + file.rev + "f"))
failing(lambda: mine.files_download(f"ns:{home}/secret.txt"))
failing(lambda: mine.files_list_folder_continue(cursor))
failing(lambda: mine.files_upload_session_finish(b"", files.UploadSessionCursor(started, 6), files.CommitInfo("/stolen")))
failing(lambda: mine.files_delete_batch_check(job))
failing(lambda: mine.files_restore("/secret.txt", file.rev))

# Links give access on purpose.
link = theirs.sharing_create_shared_link_with_settings("/secret.txt").url
seen["link"] = mine.sharing_get_shared_link_file(link)[1].content.decode()
folder = theirs.sharing_create_shared_link_with_settings(theirs.files_create_folder_v2("/given").metadata.path_lower).url
theirs.files_upload(b"inside", "/given/inside.txt")
inside = mine.files_list_folder("", shared_link=files.SharedLink(folder)).entries
seen["inside"] = [[entry.name, entry.path_lower] for entry in inside]
failing(lambda: mine.files_list_folder("", shared_link=files.SharedLink(folder + "x")))
seen["links"] = len(mine.sharing_list_shared_links().links)

print(json.dumps(seen))
