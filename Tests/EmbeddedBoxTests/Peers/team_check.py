# SPDX-License-Identifier: Apache-2.0
"""Uses a box with a team through Dropbox's SDK for Python, and prints what came of it as JSON.

    team_check.py PORT, with TEAM_TOKEN, ACCESS_TOKEN, APP_KEY and APP_SECRET in the environment
"""
import json
import os

from box_sdk import box, dropbox, failing, seen, session
from dropbox import files, team as team_types
from dropbox.common import PathRoot

team = dropbox.DropboxTeam(os.environ["TEAM_TOKEN"], session=session())
info = team.team_get_info()
seen["team"] = [info.name, info.num_provisioned_users]
page = team.team_members_list_v2(limit=2)
members = list(page.members)
while page.has_more:
    page = team.team_members_list_continue_v2(page.cursor)
    members += page.members
seen["members"] = [member.profile.email for member in members]
seen["roles"] = [len(member.roles) for member in members]
admin, second, third = (member.profile for member in members)
seen["admin"] = team.team_token_get_authenticated_admin().admin_profile.team_member_id == admin.team_member_id
found = team.team_members_get_info_v2([
    team_types.UserSelectorArg.email(second.email), team_types.UserSelectorArg.team_member_id("dbmid:none")]).members_info
seen["info"] = [entry._tag for entry in found]
namespaces = team.team_namespaces_list().namespaces
seen["namespaces"] = [namespace.namespace_type._tag for namespace in namespaces]

# Each member has files of their own.
for member in (admin, second, third):
    one = team.as_user(member.team_member_id)
    one.files_upload(member.email.encode(), "/mine.txt")
    one.files_upload(b"x", f"/{member.email}")
seen["own"] = [team.as_user(member.team_member_id).files_download("/mine.txt")[1].content.decode() for member in (admin, second, third)]
seen["listed"] = [[entry.name for entry in team.as_user(member.team_member_id).files_list_folder("").entries] for member in (admin, second, third)]
seen["self"] = team.as_user(second.team_member_id).users_get_current_account().email

# The root of the team, which all see, and roots that they do not see.
root = PathRoot.root(team.as_user(second.team_member_id).users_get_current_account().root_info.root_namespace_id)
team.as_user(second.team_member_id).with_path_root(root).files_upload(b"shared", "/team.txt")
seen["shared"] = team.as_user(third.team_member_id).with_path_root(root).files_download("/team.txt")[1].content.decode()
other = PathRoot.namespace_id(second.member_folder_id)
failing(lambda: team.as_user(third.team_member_id).with_path_root(other).files_list_folder(""))
failing(lambda: team.as_user(third.team_member_id).with_path_root(PathRoot.root("1")).files_list_folder(""))
asAdmin = team.as_admin(admin.team_member_id)
seen["asAdmin"] = asAdmin.with_path_root(other).files_download("/mine.txt")[1].content.decode()
failing(lambda: team.as_user("dbmid:none").files_list_folder(""))
failing(lambda: team.as_admin(second.team_member_id).files_list_folder(""))
failing(lambda: dropbox.DropboxTeam(os.environ["ACCESS_TOKEN"], session=session()).team_get_info())
failing(lambda: dropbox.Dropbox(os.environ["TEAM_TOKEN"], session=session()).files_list_folder(""))
failing(lambda: team.team_members_list_continue_v2("guess"))
failing(lambda: dropbox.DropboxTeam(os.environ["NARROW_TOKEN"], session=session()).team_members_list_v2())

# Nobody reaches another's files by ids, revisions, cursors, sessions, jobs or namespaces.
theirs = team.as_user(second.team_member_id)
mine = team.as_user(third.team_member_id)
file = theirs.files_upload(b"secret", "/secret.txt")
cursor = theirs.files_list_folder("").cursor
started = theirs.files_upload_session_start(b"secret", close=True).session_id
job = theirs.files_delete_batch([files.DeleteArg("/none")]).get_async_job_id()
failing(lambda: mine.files_download(file.id))
failing(lambda: mine.files_download("rev:" + file.rev + "f"))
failing(lambda: mine.files_download(f"ns:{second.member_folder_id}/secret.txt"))
failing(lambda: mine.files_list_folder_continue(cursor))
failing(lambda: mine.files_upload_session_finish(b"", files.UploadSessionCursor(started, 6), files.CommitInfo("/stolen")))
failing(lambda: mine.files_delete_batch_check(job))
failing(lambda: mine.files_restore("/secret.txt", file.rev))

# Handed over on purpose: links.
link = theirs.sharing_create_shared_link_with_settings("/secret.txt").url
seen["link"] = mine.sharing_get_shared_link_file(link)[1].content.decode()
folder = theirs.sharing_create_shared_link_with_settings(theirs.files_create_folder_v2("/given").metadata.path_lower).url
theirs.files_upload(b"inside", "/given/inside.txt")
inside = mine.files_list_folder("", shared_link=files.SharedLink(folder)).entries
seen["inside"] = [[entry.name, entry.path_lower] for entry in inside]
failing(lambda: mine.files_list_folder("", shared_link=files.SharedLink(folder + "x")))
seen["links"] = len(mine.sharing_list_shared_links().links)

print(json.dumps(seen))
