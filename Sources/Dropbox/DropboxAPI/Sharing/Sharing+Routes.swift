// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Sharing {
    /// The routes of `sharing`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var addFileMember: Route<RPC, Sharing.AddFileMemberArgs, [Sharing.FileMemberActionResult], Sharing.AddFileMemberError> {
            Route(RouteInfo(
                "sharing", "add_file_member", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .list(.type), .type)
        }

        @inline(never)
        public static var addFolderMember: Route<RPC, Sharing.AddFolderMemberArg, Void, Sharing.AddFolderMemberError> {
            Route(RouteInfo(
                "sharing", "add_folder_member", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var checkJobStatus: Route<RPC, Async.PollArg, Sharing.JobStatus, Async.PollError> {
            Route(RouteInfo(
                "sharing", "check_job_status", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var checkRemoveMemberJobStatus: Route<RPC, Async.PollArg, Sharing.RemoveMemberJobStatus, Async.PollError> {
            Route(RouteInfo(
                "sharing", "check_remove_member_job_status", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var checkShareJobStatus: Route<RPC, Async.PollArg, Sharing.ShareFolderJobStatus, Async.PollError> {
            Route(RouteInfo(
                "sharing", "check_share_job_status", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var createSharedLink: Route<RPC, Sharing.CreateSharedLinkArg, Sharing.PathLinkMetadata, Sharing.CreateSharedLinkError> {
            Route(RouteInfo(
                "sharing", "create_shared_link", scope: "sharing.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var createSharedLinkWithSettings: Route<RPC, Sharing.CreateSharedLinkWithSettingsArg, Sharing.SharedLinkMetadata, Sharing.CreateSharedLinkWithSettingsError> {
            Route(RouteInfo(
                "sharing", "create_shared_link_with_settings", scope: "sharing.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getFileMetadata: Route<RPC, Sharing.GetFileMetadataArg, Sharing.SharedFileMetadata, Sharing.GetFileMetadataError> {
            Route(RouteInfo(
                "sharing", "get_file_metadata", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getFileMetadataBatch: Route<RPC, Sharing.GetFileMetadataBatchArg, [Sharing.GetFileMetadataBatchResult], Sharing.SharingUserError> {
            Route(RouteInfo(
                "sharing", "get_file_metadata/batch", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .list(.type), .type)
        }

        @inline(never)
        public static var getFolderMetadata: Route<RPC, Sharing.GetMetadataArgs, Sharing.SharedFolderMetadata, Sharing.SharedFolderAccessError> {
            Route(RouteInfo(
                "sharing", "get_folder_metadata", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getSharedLinkFile: Route<Download, Sharing.GetSharedLinkMetadataArg, Sharing.SharedLinkMetadata, Sharing.GetSharedLinkFileError> {
            Route(RouteInfo(
                "sharing", "get_shared_link_file", host: "content", auth: ["app", "user"], scope: "sharing.read",
                isRead: true, attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getSharedLinkMetadata: Route<RPC, Sharing.GetSharedLinkMetadataArg, Sharing.SharedLinkMetadata, Sharing.SharedLinkMetadataError> {
            Route(RouteInfo(
                "sharing", "get_shared_link_metadata", auth: ["app", "user"], scope: "sharing.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getSharedLinks: Route<RPC, Sharing.GetSharedLinksArg, Sharing.GetSharedLinksResult, Sharing.GetSharedLinksError> {
            Route(RouteInfo(
                "sharing", "get_shared_links", scope: "sharing.read", isDeprecated: true, isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFileMembers: Route<RPC, Sharing.ListFileMembersArg, Sharing.SharedFileMembers, Sharing.ListFileMembersError> {
            Route(RouteInfo(
                "sharing", "list_file_members", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFileMembersBatch: Route<RPC, Sharing.ListFileMembersBatchArg, [Sharing.ListFileMembersBatchResult], Sharing.SharingUserError> {
            Route(RouteInfo(
                "sharing", "list_file_members/batch", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .list(.type), .type)
        }

        @inline(never)
        public static var listFileMembersContinue: Route<RPC, Sharing.ListFileMembersContinueArg, Sharing.SharedFileMembers, Sharing.ListFileMembersContinueError> {
            Route(RouteInfo(
                "sharing", "list_file_members/continue", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolderMembers: Route<RPC, Sharing.ListFolderMembersArgs, Sharing.SharedFolderMembers, Sharing.SharedFolderAccessError> {
            Route(RouteInfo(
                "sharing", "list_folder_members", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolderMembersContinue: Route<RPC, Sharing.ListFolderMembersContinueArg, Sharing.SharedFolderMembers, Sharing.ListFolderMembersContinueError> {
            Route(RouteInfo(
                "sharing", "list_folder_members/continue", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolders: Route<RPC, Sharing.ListFoldersArgs, Sharing.ListFoldersResult, Never> {
            Route(RouteInfo("sharing", "list_folders", scope: "sharing.read", isRead: true), .type, .type)
        }

        @inline(never)
        public static var listFoldersContinue: Route<RPC, Sharing.ListFoldersContinueArg, Sharing.ListFoldersResult, Sharing.ListFoldersContinueError> {
            Route(RouteInfo(
                "sharing", "list_folders/continue", scope: "sharing.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listMountableFolders: Route<RPC, Sharing.ListFoldersArgs, Sharing.ListFoldersResult, Never> {
            Route(RouteInfo("sharing", "list_mountable_folders", scope: "sharing.read", isRead: true), .type, .type)
        }

        @inline(never)
        public static var listMountableFoldersContinue: Route<RPC, Sharing.ListFoldersContinueArg, Sharing.ListFoldersResult, Sharing.ListFoldersContinueError> {
            Route(RouteInfo(
                "sharing", "list_mountable_folders/continue", scope: "sharing.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listReceivedFiles: Route<RPC, Sharing.ListFilesArg, Sharing.ListFilesResult, Sharing.SharingUserError> {
            Route(RouteInfo(
                "sharing", "list_received_files", scope: "sharing.read", isRead: true,
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listReceivedFilesContinue: Route<RPC, Sharing.ListFilesContinueArg, Sharing.ListFilesResult, Sharing.ListFilesContinueError> {
            Route(RouteInfo(
                "sharing", "list_received_files/continue", scope: "sharing.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listSharedLinks: Route<RPC, Sharing.ListSharedLinksArg, Sharing.ListSharedLinksResult, Sharing.ListSharedLinksError> {
            Route(RouteInfo(
                "sharing", "list_shared_links", scope: "sharing.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var modifySharedLinkSettings: Route<RPC, Sharing.ModifySharedLinkSettingsArgs, Sharing.SharedLinkMetadata, Sharing.ModifySharedLinkSettingsError> {
            Route(RouteInfo(
                "sharing", "modify_shared_link_settings", scope: "sharing.write",
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var mountFolder: Route<RPC, Sharing.MountFolderArg, Sharing.SharedFolderMetadata, Sharing.MountFolderError> {
            Route(RouteInfo("sharing", "mount_folder", scope: "sharing.write"), .type, .type, .type)
        }

        @inline(never)
        public static var relinquishAccess: Route<RPC, Sharing.RelinquishAccessArg, Sharing.RelinquishAccessResult, Sharing.RelinquishAccessError> {
            Route(RouteInfo(
                "sharing", "relinquish_access", scope: "private:sharing.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var relinquishFileMembership: Route<RPC, Sharing.RelinquishFileMembershipArg, Void, Sharing.RelinquishFileMembershipError> {
            Route(RouteInfo(
                "sharing", "relinquish_file_membership", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var relinquishFolderMembership: Route<RPC, Sharing.RelinquishFolderMembershipArg, Async.LaunchEmptyResult, Sharing.RelinquishFolderMembershipError> {
            Route(RouteInfo("sharing", "relinquish_folder_membership", scope: "sharing.write"), .type, .type, .type)
        }

        @inline(never)
        public static var removeFileMember: Route<RPC, Sharing.RemoveFileMemberArg, Sharing.FileMemberActionIndividualResult, Sharing.RemoveFileMemberError> {
            Route(RouteInfo(
                "sharing", "remove_file_member", scope: "sharing.write", isDeprecated: true,
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var removeFileMember2: Route<RPC, Sharing.RemoveFileMemberArg, Sharing.FileMemberRemoveActionResult, Sharing.RemoveFileMemberError> {
            Route(RouteInfo(
                "sharing", "remove_file_member_2", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var removeFolderMember: Route<RPC, Sharing.RemoveFolderMemberArg, Async.LaunchResultBase, Sharing.RemoveFolderMemberError> {
            Route(RouteInfo(
                "sharing", "remove_folder_member", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var revokeSharedLink: Route<RPC, Sharing.RevokeSharedLinkArg, Void, Sharing.RevokeSharedLinkError> {
            Route(RouteInfo(
                "sharing", "revoke_shared_link", scope: "sharing.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var setAccessInheritance: Route<RPC, Sharing.SetAccessInheritanceArg, Sharing.ShareFolderLaunch, Sharing.SetAccessInheritanceError> {
            Route(RouteInfo("sharing", "set_access_inheritance", scope: "sharing.write"), .type, .type, .type)
        }

        @inline(never)
        public static var shareFolder: Route<RPC, Sharing.ShareFolderArg, Sharing.ShareFolderLaunch, Sharing.ShareFolderError> {
            Route(RouteInfo(
                "sharing", "share_folder", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var transferFolder: Route<RPC, Sharing.TransferFolderArg, Void, Sharing.TransferFolderError> {
            Route(RouteInfo(
                "sharing", "transfer_folder", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var unmountFolder: Route<RPC, Sharing.UnmountFolderArg, Void, Sharing.UnmountFolderError> {
            Route(RouteInfo(
                "sharing", "unmount_folder", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var unshareFile: Route<RPC, Sharing.UnshareFileArg, Void, Sharing.UnshareFileError> {
            Route(RouteInfo(
                "sharing", "unshare_file", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var unshareFolder: Route<RPC, Sharing.UnshareFolderArg, Async.LaunchEmptyResult, Sharing.UnshareFolderError> {
            Route(RouteInfo(
                "sharing", "unshare_folder", scope: "sharing.write", attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var updateFileMember: Route<RPC, Sharing.UpdateFileMemberArgs, Sharing.MemberAccessLevelResult, Sharing.FileMemberActionError> {
            Route(RouteInfo(
                "sharing", "update_file_member", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var updateFilePolicy: Route<RPC, Sharing.UpdateFilePolicyArg, Sharing.SharedFileMetadata, Sharing.UpdateFilePolicyError> {
            Route(RouteInfo("sharing", "update_file_policy", scope: "sharing.write"), .type, .type, .type)
        }

        @inline(never)
        public static var updateFolderMember: Route<RPC, Sharing.UpdateFolderMemberArg, Sharing.MemberAccessLevelResult, Sharing.UpdateFolderMemberError> {
            Route(RouteInfo(
                "sharing", "update_folder_member", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var updateFolderPolicy: Route<RPC, Sharing.UpdateFolderPolicyArg, Sharing.SharedFolderMetadata, Sharing.UpdateFolderPolicyError> {
            Route(RouteInfo(
                "sharing", "update_folder_policy", scope: "sharing.write",
                attributes: ["select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [
                addFileMember.info, addFolderMember.info, checkJobStatus.info, checkRemoveMemberJobStatus.info,
                checkShareJobStatus.info, createSharedLink.info, createSharedLinkWithSettings.info,
                getFileMetadata.info, getFileMetadataBatch.info, getFolderMetadata.info, getSharedLinkFile.info,
                getSharedLinkMetadata.info, getSharedLinks.info, listFileMembers.info, listFileMembersBatch.info,
                listFileMembersContinue.info, listFolderMembers.info, listFolderMembersContinue.info, listFolders.info,
                listFoldersContinue.info, listMountableFolders.info, listMountableFoldersContinue.info,
                listReceivedFiles.info, listReceivedFilesContinue.info, listSharedLinks.info,
                modifySharedLinkSettings.info, mountFolder.info, relinquishAccess.info, relinquishFileMembership.info,
                relinquishFolderMembership.info, removeFileMember.info, removeFileMember2.info,
                removeFolderMember.info, revokeSharedLink.info, setAccessInheritance.info, shareFolder.info,
                transferFolder.info, unmountFolder.info, unshareFile.info, unshareFolder.info, updateFileMember.info,
                updateFilePolicy.info, updateFolderMember.info, updateFolderPolicy.info
            ]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `sharing`.
    public var sharing: RouteGroup<Sharing> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Sharing> {
    /// Calls `sharing/add_file_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func addFileMember(
        _ argument: Sharing.AddFileMemberArgs
    ) -> RouteCall<[Sharing.FileMemberActionResult], Sharing.AddFileMemberError> {
        client.call(Sharing.Routes.addFileMember, argument)
    }

    /// Calls `sharing/add_file_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func addFileMember(
        file: String, members: [Sharing.MemberSelector], customMessage: String? = nil, quiet: Bool = false,
        accessLevel: Sharing.AccessLevel? = nil, addMessageAsComment: Bool = false
    ) -> RouteCall<[Sharing.FileMemberActionResult], Sharing.AddFileMemberError> {
        addFileMember(Sharing.AddFileMemberArgs(file: file, members: members, customMessage: customMessage, quiet: quiet, accessLevel: accessLevel, addMessageAsComment: addMessageAsComment))
    }

    /// Calls `sharing/add_folder_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func addFolderMember(
        _ argument: Sharing.AddFolderMemberArg
    ) -> RouteCall<Void, Sharing.AddFolderMemberError> {
        client.call(Sharing.Routes.addFolderMember, argument)
    }

    /// Calls `sharing/add_folder_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func addFolderMember(
        sharedFolderID: String, members: [Sharing.AddMember], quiet: Bool = false, customMessage: String? = nil
    ) -> RouteCall<Void, Sharing.AddFolderMemberError> {
        addFolderMember(Sharing.AddFolderMemberArg(sharedFolderID: sharedFolderID, members: members, quiet: quiet, customMessage: customMessage))
    }

    /// Calls `sharing/check_job_status`.
    ///
    /// The token needs the scope `sharing.write`.
    public func checkJobStatus(_ argument: Async.PollArg) -> RouteCall<Sharing.JobStatus, Async.PollError> {
        client.call(Sharing.Routes.checkJobStatus, argument)
    }

    /// Calls `sharing/check_job_status`.
    ///
    /// The token needs the scope `sharing.write`.
    public func checkJobStatus(asyncJobID: String) -> RouteCall<Sharing.JobStatus, Async.PollError> {
        checkJobStatus(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `sharing/check_remove_member_job_status`.
    ///
    /// The token needs the scope `sharing.write`.
    public func checkRemoveMemberJobStatus(
        _ argument: Async.PollArg
    ) -> RouteCall<Sharing.RemoveMemberJobStatus, Async.PollError> {
        client.call(Sharing.Routes.checkRemoveMemberJobStatus, argument)
    }

    /// Calls `sharing/check_remove_member_job_status`.
    ///
    /// The token needs the scope `sharing.write`.
    public func checkRemoveMemberJobStatus(
        asyncJobID: String
    ) -> RouteCall<Sharing.RemoveMemberJobStatus, Async.PollError> {
        checkRemoveMemberJobStatus(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `sharing/check_share_job_status`.
    ///
    /// The token needs the scope `sharing.write`.
    public func checkShareJobStatus(
        _ argument: Async.PollArg
    ) -> RouteCall<Sharing.ShareFolderJobStatus, Async.PollError> {
        client.call(Sharing.Routes.checkShareJobStatus, argument)
    }

    /// Calls `sharing/check_share_job_status`.
    ///
    /// The token needs the scope `sharing.write`.
    public func checkShareJobStatus(asyncJobID: String) -> RouteCall<Sharing.ShareFolderJobStatus, Async.PollError> {
        checkShareJobStatus(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `sharing/create_shared_link`.
    ///
    /// The token needs the scope `sharing.write`.
    @available(*, deprecated)
    public func createSharedLink(
        _ argument: Sharing.CreateSharedLinkArg
    ) -> RouteCall<Sharing.PathLinkMetadata, Sharing.CreateSharedLinkError> {
        client.call(Sharing.Routes.createSharedLink, argument)
    }

    /// Calls `sharing/create_shared_link`.
    ///
    /// The token needs the scope `sharing.write`.
    @available(*, deprecated)
    public func createSharedLink(
        path: String, shortURL: Bool = false, pendingUpload: Sharing.PendingUploadMode? = nil
    ) -> RouteCall<Sharing.PathLinkMetadata, Sharing.CreateSharedLinkError> {
        createSharedLink(Sharing.CreateSharedLinkArg(path: path, shortURL: shortURL, pendingUpload: pendingUpload))
    }

    /// Calls `sharing/create_shared_link_with_settings`.
    ///
    /// The token needs the scope `sharing.write`.
    public func createSharedLinkWithSettings(
        _ argument: Sharing.CreateSharedLinkWithSettingsArg
    ) -> RouteCall<Sharing.SharedLinkMetadata, Sharing.CreateSharedLinkWithSettingsError> {
        client.call(Sharing.Routes.createSharedLinkWithSettings, argument)
    }

    /// Calls `sharing/create_shared_link_with_settings`.
    ///
    /// The token needs the scope `sharing.write`.
    public func createSharedLinkWithSettings(
        path: String, settings: Sharing.SharedLinkSettings? = nil
    ) -> RouteCall<Sharing.SharedLinkMetadata, Sharing.CreateSharedLinkWithSettingsError> {
        createSharedLinkWithSettings(Sharing.CreateSharedLinkWithSettingsArg(path: path, settings: settings))
    }

    /// Calls `sharing/get_file_metadata`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getFileMetadata(
        _ argument: Sharing.GetFileMetadataArg
    ) -> RouteCall<Sharing.SharedFileMetadata, Sharing.GetFileMetadataError> {
        client.call(Sharing.Routes.getFileMetadata, argument)
    }

    /// Calls `sharing/get_file_metadata`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getFileMetadata(
        file: String, actions: [Sharing.FileAction]? = nil
    ) -> RouteCall<Sharing.SharedFileMetadata, Sharing.GetFileMetadataError> {
        getFileMetadata(Sharing.GetFileMetadataArg(file: file, actions: actions))
    }

    /// Calls `sharing/get_file_metadata/batch`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getFileMetadataBatch(
        _ argument: Sharing.GetFileMetadataBatchArg
    ) -> RouteCall<[Sharing.GetFileMetadataBatchResult], Sharing.SharingUserError> {
        client.call(Sharing.Routes.getFileMetadataBatch, argument)
    }

    /// Calls `sharing/get_file_metadata/batch`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getFileMetadataBatch(
        files: [String], actions: [Sharing.FileAction]? = nil
    ) -> RouteCall<[Sharing.GetFileMetadataBatchResult], Sharing.SharingUserError> {
        getFileMetadataBatch(Sharing.GetFileMetadataBatchArg(files: files, actions: actions))
    }

    /// Calls `sharing/get_folder_metadata`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getFolderMetadata(
        _ argument: Sharing.GetMetadataArgs
    ) -> RouteCall<Sharing.SharedFolderMetadata, Sharing.SharedFolderAccessError> {
        client.call(Sharing.Routes.getFolderMetadata, argument)
    }

    /// Calls `sharing/get_folder_metadata`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getFolderMetadata(
        sharedFolderID: String, actions: [Sharing.FolderAction]? = nil
    ) -> RouteCall<Sharing.SharedFolderMetadata, Sharing.SharedFolderAccessError> {
        getFolderMetadata(Sharing.GetMetadataArgs(sharedFolderID: sharedFolderID, actions: actions))
    }

    /// Calls `sharing/get_shared_link_file`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getSharedLinkFile(
        _ argument: Sharing.GetSharedLinkMetadataArg
    ) -> DownloadCall<Sharing.SharedLinkMetadata, Sharing.GetSharedLinkFileError> {
        client.call(Sharing.Routes.getSharedLinkFile, argument)
    }

    /// Calls `sharing/get_shared_link_file`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getSharedLinkFile(
        url: String, path: String? = nil, linkPassword: String? = nil
    ) -> DownloadCall<Sharing.SharedLinkMetadata, Sharing.GetSharedLinkFileError> {
        getSharedLinkFile(Sharing.GetSharedLinkMetadataArg(url: url, path: path, linkPassword: linkPassword))
    }

    /// Calls `sharing/get_shared_link_metadata`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getSharedLinkMetadata(
        _ argument: Sharing.GetSharedLinkMetadataArg
    ) -> RouteCall<Sharing.SharedLinkMetadata, Sharing.SharedLinkMetadataError> {
        client.call(Sharing.Routes.getSharedLinkMetadata, argument)
    }

    /// Calls `sharing/get_shared_link_metadata`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getSharedLinkMetadata(
        url: String, path: String? = nil, linkPassword: String? = nil
    ) -> RouteCall<Sharing.SharedLinkMetadata, Sharing.SharedLinkMetadataError> {
        getSharedLinkMetadata(Sharing.GetSharedLinkMetadataArg(url: url, path: path, linkPassword: linkPassword))
    }

    /// Calls `sharing/get_shared_links`.
    ///
    /// The token needs the scope `sharing.read`.
    @available(*, deprecated)
    public func getSharedLinks(
        _ argument: Sharing.GetSharedLinksArg
    ) -> RouteCall<Sharing.GetSharedLinksResult, Sharing.GetSharedLinksError> {
        client.call(Sharing.Routes.getSharedLinks, argument)
    }

    /// Calls `sharing/get_shared_links`.
    ///
    /// The token needs the scope `sharing.read`.
    @available(*, deprecated)
    public func getSharedLinks(
        path: String? = nil
    ) -> RouteCall<Sharing.GetSharedLinksResult, Sharing.GetSharedLinksError> {
        getSharedLinks(Sharing.GetSharedLinksArg(path: path))
    }

    /// Calls `sharing/list_file_members`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFileMembers(
        _ argument: Sharing.ListFileMembersArg
    ) -> PagedCall<Sharing.SharedFileMembers, Never, Sharing.ListFileMembersError, Sharing.ListFileMembersContinueError> {
        PagedCall(client.call(Sharing.Routes.listFileMembers, argument), following: { page in page.cursor.map { client.call(Sharing.Routes.listFileMembersContinue, Sharing.ListFileMembersContinueArg(cursor: $0)) } })
    }

    /// Calls `sharing/list_file_members`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFileMembers(
        file: String, actions: [Sharing.MemberAction]? = nil, includeInherited: Bool = true, limit: UInt32 = 100
    ) -> PagedCall<Sharing.SharedFileMembers, Never, Sharing.ListFileMembersError, Sharing.ListFileMembersContinueError> {
        listFileMembers(Sharing.ListFileMembersArg(file: file, actions: actions, includeInherited: includeInherited, limit: limit))
    }

    /// Calls `sharing/list_file_members/batch`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFileMembersBatch(
        _ argument: Sharing.ListFileMembersBatchArg
    ) -> RouteCall<[Sharing.ListFileMembersBatchResult], Sharing.SharingUserError> {
        client.call(Sharing.Routes.listFileMembersBatch, argument)
    }

    /// Calls `sharing/list_file_members/batch`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFileMembersBatch(
        files: [String], limit: UInt32 = 1000
    ) -> RouteCall<[Sharing.ListFileMembersBatchResult], Sharing.SharingUserError> {
        listFileMembersBatch(Sharing.ListFileMembersBatchArg(files: files, limit: limit))
    }

    /// Calls `sharing/list_file_members/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFileMembersContinue(
        _ argument: Sharing.ListFileMembersContinueArg
    ) -> RouteCall<Sharing.SharedFileMembers, Sharing.ListFileMembersContinueError> {
        client.call(Sharing.Routes.listFileMembersContinue, argument)
    }

    /// Calls `sharing/list_file_members/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFileMembersContinue(
        cursor: String
    ) -> RouteCall<Sharing.SharedFileMembers, Sharing.ListFileMembersContinueError> {
        listFileMembersContinue(Sharing.ListFileMembersContinueArg(cursor: cursor))
    }

    /// Calls `sharing/list_folder_members`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFolderMembers(
        _ argument: Sharing.ListFolderMembersArgs
    ) -> PagedCall<Sharing.SharedFolderMembers, Never, Sharing.SharedFolderAccessError, Sharing.ListFolderMembersContinueError> {
        PagedCall(client.call(Sharing.Routes.listFolderMembers, argument), following: { page in page.cursor.map { client.call(Sharing.Routes.listFolderMembersContinue, Sharing.ListFolderMembersContinueArg(cursor: $0)) } })
    }

    /// Calls `sharing/list_folder_members`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFolderMembers(
        sharedFolderID: String, actions: [Sharing.MemberAction]? = nil, limit: UInt32 = 1000, path: String? = nil
    ) -> PagedCall<Sharing.SharedFolderMembers, Never, Sharing.SharedFolderAccessError, Sharing.ListFolderMembersContinueError> {
        listFolderMembers(Sharing.ListFolderMembersArgs(sharedFolderID: sharedFolderID, actions: actions, limit: limit, path: path))
    }

    /// Calls `sharing/list_folder_members/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFolderMembersContinue(
        _ argument: Sharing.ListFolderMembersContinueArg
    ) -> RouteCall<Sharing.SharedFolderMembers, Sharing.ListFolderMembersContinueError> {
        client.call(Sharing.Routes.listFolderMembersContinue, argument)
    }

    /// Calls `sharing/list_folder_members/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFolderMembersContinue(
        cursor: String
    ) -> RouteCall<Sharing.SharedFolderMembers, Sharing.ListFolderMembersContinueError> {
        listFolderMembersContinue(Sharing.ListFolderMembersContinueArg(cursor: cursor))
    }

    /// Calls `sharing/list_folders`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFolders(
        _ argument: Sharing.ListFoldersArgs
    ) -> PagedCall<Sharing.ListFoldersResult, Sharing.SharedFolderMetadata, Never, Sharing.ListFoldersContinueError> {
        PagedCall(client.call(Sharing.Routes.listFolders, argument), list: { $0.entries }, following: { page in page.cursor.map { client.call(Sharing.Routes.listFoldersContinue, Sharing.ListFoldersContinueArg(cursor: $0)) } })
    }

    /// Calls `sharing/list_folders`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFolders(
        limit: UInt32 = 1000, actions: [Sharing.FolderAction]? = nil
    ) -> PagedCall<Sharing.ListFoldersResult, Sharing.SharedFolderMetadata, Never, Sharing.ListFoldersContinueError> {
        listFolders(Sharing.ListFoldersArgs(limit: limit, actions: actions))
    }

    /// Calls `sharing/list_folders/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFoldersContinue(
        _ argument: Sharing.ListFoldersContinueArg
    ) -> RouteCall<Sharing.ListFoldersResult, Sharing.ListFoldersContinueError> {
        client.call(Sharing.Routes.listFoldersContinue, argument)
    }

    /// Calls `sharing/list_folders/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listFoldersContinue(
        cursor: String
    ) -> RouteCall<Sharing.ListFoldersResult, Sharing.ListFoldersContinueError> {
        listFoldersContinue(Sharing.ListFoldersContinueArg(cursor: cursor))
    }

    /// Calls `sharing/list_mountable_folders`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listMountableFolders(
        _ argument: Sharing.ListFoldersArgs
    ) -> PagedCall<Sharing.ListFoldersResult, Sharing.SharedFolderMetadata, Never, Sharing.ListFoldersContinueError> {
        PagedCall(client.call(Sharing.Routes.listMountableFolders, argument), list: { $0.entries }, following: { page in page.cursor.map { client.call(Sharing.Routes.listMountableFoldersContinue, Sharing.ListFoldersContinueArg(cursor: $0)) } })
    }

    /// Calls `sharing/list_mountable_folders`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listMountableFolders(
        limit: UInt32 = 1000, actions: [Sharing.FolderAction]? = nil
    ) -> PagedCall<Sharing.ListFoldersResult, Sharing.SharedFolderMetadata, Never, Sharing.ListFoldersContinueError> {
        listMountableFolders(Sharing.ListFoldersArgs(limit: limit, actions: actions))
    }

    /// Calls `sharing/list_mountable_folders/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listMountableFoldersContinue(
        _ argument: Sharing.ListFoldersContinueArg
    ) -> RouteCall<Sharing.ListFoldersResult, Sharing.ListFoldersContinueError> {
        client.call(Sharing.Routes.listMountableFoldersContinue, argument)
    }

    /// Calls `sharing/list_mountable_folders/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listMountableFoldersContinue(
        cursor: String
    ) -> RouteCall<Sharing.ListFoldersResult, Sharing.ListFoldersContinueError> {
        listMountableFoldersContinue(Sharing.ListFoldersContinueArg(cursor: cursor))
    }

    /// Calls `sharing/list_received_files`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listReceivedFiles(
        _ argument: Sharing.ListFilesArg
    ) -> PagedCall<Sharing.ListFilesResult, Sharing.SharedFileMetadata, Sharing.SharingUserError, Sharing.ListFilesContinueError> {
        PagedCall(client.call(Sharing.Routes.listReceivedFiles, argument), list: { $0.entries }, following: { page in page.cursor.map { client.call(Sharing.Routes.listReceivedFilesContinue, Sharing.ListFilesContinueArg(cursor: $0)) } })
    }

    /// Calls `sharing/list_received_files`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listReceivedFiles(
        limit: UInt32 = 100, actions: [Sharing.FileAction]? = nil
    ) -> PagedCall<Sharing.ListFilesResult, Sharing.SharedFileMetadata, Sharing.SharingUserError, Sharing.ListFilesContinueError> {
        listReceivedFiles(Sharing.ListFilesArg(limit: limit, actions: actions))
    }

    /// Calls `sharing/list_received_files/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listReceivedFilesContinue(
        _ argument: Sharing.ListFilesContinueArg
    ) -> RouteCall<Sharing.ListFilesResult, Sharing.ListFilesContinueError> {
        client.call(Sharing.Routes.listReceivedFilesContinue, argument)
    }

    /// Calls `sharing/list_received_files/continue`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listReceivedFilesContinue(
        cursor: String
    ) -> RouteCall<Sharing.ListFilesResult, Sharing.ListFilesContinueError> {
        listReceivedFilesContinue(Sharing.ListFilesContinueArg(cursor: cursor))
    }

    /// Calls `sharing/list_shared_links`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listSharedLinks(
        _ argument: Sharing.ListSharedLinksArg
    ) -> PagedCall<Sharing.ListSharedLinksResult, Sharing.SharedLinkMetadata, Sharing.ListSharedLinksError, Sharing.ListSharedLinksError> {
        PagedCall(client.call(Sharing.Routes.listSharedLinks, argument), list: { $0.links }, following: { page in page.hasMore ? page.cursor.map { client.call(Sharing.Routes.listSharedLinks, argument.replacing(\.cursor, $0)) } : nil })
    }

    /// Calls `sharing/list_shared_links`.
    ///
    /// The token needs the scope `sharing.read`.
    public func listSharedLinks(
        path: String? = nil, cursor: String? = nil, directOnly: Bool? = nil
    ) -> PagedCall<Sharing.ListSharedLinksResult, Sharing.SharedLinkMetadata, Sharing.ListSharedLinksError, Sharing.ListSharedLinksError> {
        listSharedLinks(Sharing.ListSharedLinksArg(path: path, cursor: cursor, directOnly: directOnly))
    }

    /// Calls `sharing/modify_shared_link_settings`.
    ///
    /// The token needs the scope `sharing.write`.
    public func modifySharedLinkSettings(
        _ argument: Sharing.ModifySharedLinkSettingsArgs
    ) -> RouteCall<Sharing.SharedLinkMetadata, Sharing.ModifySharedLinkSettingsError> {
        client.call(Sharing.Routes.modifySharedLinkSettings, argument)
    }

    /// Calls `sharing/modify_shared_link_settings`.
    ///
    /// The token needs the scope `sharing.write`.
    public func modifySharedLinkSettings(
        url: String, settings: Sharing.SharedLinkSettings, removeExpiration: Bool = false
    ) -> RouteCall<Sharing.SharedLinkMetadata, Sharing.ModifySharedLinkSettingsError> {
        modifySharedLinkSettings(Sharing.ModifySharedLinkSettingsArgs(url: url, settings: settings, removeExpiration: removeExpiration))
    }

    /// Calls `sharing/mount_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func mountFolder(
        _ argument: Sharing.MountFolderArg
    ) -> RouteCall<Sharing.SharedFolderMetadata, Sharing.MountFolderError> {
        client.call(Sharing.Routes.mountFolder, argument)
    }

    /// Calls `sharing/mount_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func mountFolder(
        sharedFolderID: String
    ) -> RouteCall<Sharing.SharedFolderMetadata, Sharing.MountFolderError> {
        mountFolder(Sharing.MountFolderArg(sharedFolderID: sharedFolderID))
    }

    /// Calls `sharing/relinquish_access`.
    ///
    /// The token needs the scope `private:sharing.write`.
    public func relinquishAccess(
        _ argument: Sharing.RelinquishAccessArg
    ) -> RouteCall<Sharing.RelinquishAccessResult, Sharing.RelinquishAccessError> {
        client.call(Sharing.Routes.relinquishAccess, argument)
    }

    /// Calls `sharing/relinquish_access`.
    ///
    /// The token needs the scope `private:sharing.write`.
    public func relinquishAccess(
        fileID: String
    ) -> RouteCall<Sharing.RelinquishAccessResult, Sharing.RelinquishAccessError> {
        relinquishAccess(Sharing.RelinquishAccessArg(fileID: fileID))
    }

    /// Calls `sharing/relinquish_file_membership`.
    ///
    /// The token needs the scope `sharing.write`.
    public func relinquishFileMembership(
        _ argument: Sharing.RelinquishFileMembershipArg
    ) -> RouteCall<Void, Sharing.RelinquishFileMembershipError> {
        client.call(Sharing.Routes.relinquishFileMembership, argument)
    }

    /// Calls `sharing/relinquish_file_membership`.
    ///
    /// The token needs the scope `sharing.write`.
    public func relinquishFileMembership(file: String) -> RouteCall<Void, Sharing.RelinquishFileMembershipError> {
        relinquishFileMembership(Sharing.RelinquishFileMembershipArg(file: file))
    }

    /// Calls `sharing/relinquish_folder_membership`.
    ///
    /// The token needs the scope `sharing.write`.
    public func relinquishFolderMembership(
        _ argument: Sharing.RelinquishFolderMembershipArg
    ) -> JobCall<Async.LaunchEmptyResult, Sharing.JobStatus, Void, Sharing.RelinquishFolderMembershipError, Async.PollError> {
        JobCall(client.call(Sharing.Routes.relinquishFolderMembership, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Sharing.Routes.checkJobStatus, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `sharing/relinquish_folder_membership`.
    ///
    /// The token needs the scope `sharing.write`.
    public func relinquishFolderMembership(
        sharedFolderID: String, leaveACopy: Bool = false
    ) -> JobCall<Async.LaunchEmptyResult, Sharing.JobStatus, Void, Sharing.RelinquishFolderMembershipError, Async.PollError> {
        relinquishFolderMembership(Sharing.RelinquishFolderMembershipArg(sharedFolderID: sharedFolderID, leaveACopy: leaveACopy))
    }

    /// Calls `sharing/remove_file_member`.
    ///
    /// The token needs the scope `sharing.write`.
    @available(*, deprecated)
    public func removeFileMember(
        _ argument: Sharing.RemoveFileMemberArg
    ) -> RouteCall<Sharing.FileMemberActionIndividualResult, Sharing.RemoveFileMemberError> {
        client.call(Sharing.Routes.removeFileMember, argument)
    }

    /// Calls `sharing/remove_file_member`.
    ///
    /// The token needs the scope `sharing.write`.
    @available(*, deprecated)
    public func removeFileMember(
        file: String, member: Sharing.MemberSelector
    ) -> RouteCall<Sharing.FileMemberActionIndividualResult, Sharing.RemoveFileMemberError> {
        removeFileMember(Sharing.RemoveFileMemberArg(file: file, member: member))
    }

    /// Calls `sharing/remove_file_member_2`.
    ///
    /// The token needs the scope `sharing.write`.
    public func removeFileMember2(
        _ argument: Sharing.RemoveFileMemberArg
    ) -> RouteCall<Sharing.FileMemberRemoveActionResult, Sharing.RemoveFileMemberError> {
        client.call(Sharing.Routes.removeFileMember2, argument)
    }

    /// Calls `sharing/remove_file_member_2`.
    ///
    /// The token needs the scope `sharing.write`.
    public func removeFileMember2(
        file: String, member: Sharing.MemberSelector
    ) -> RouteCall<Sharing.FileMemberRemoveActionResult, Sharing.RemoveFileMemberError> {
        removeFileMember2(Sharing.RemoveFileMemberArg(file: file, member: member))
    }

    /// Calls `sharing/remove_folder_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func removeFolderMember(
        _ argument: Sharing.RemoveFolderMemberArg
    ) -> JobCall<Async.LaunchResultBase, Sharing.RemoveMemberJobStatus, Sharing.MemberAccessLevelResult, Sharing.RemoveFolderMemberError, Async.PollError> {
        JobCall(client.call(Sharing.Routes.removeFolderMember, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Sharing.Routes.checkRemoveMemberJobStatus, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `sharing/remove_folder_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func removeFolderMember(
        sharedFolderID: String, member: Sharing.MemberSelector, leaveACopy: Bool
    ) -> JobCall<Async.LaunchResultBase, Sharing.RemoveMemberJobStatus, Sharing.MemberAccessLevelResult, Sharing.RemoveFolderMemberError, Async.PollError> {
        removeFolderMember(Sharing.RemoveFolderMemberArg(sharedFolderID: sharedFolderID, member: member, leaveACopy: leaveACopy))
    }

    /// Calls `sharing/revoke_shared_link`.
    ///
    /// The token needs the scope `sharing.write`.
    public func revokeSharedLink(
        _ argument: Sharing.RevokeSharedLinkArg
    ) -> RouteCall<Void, Sharing.RevokeSharedLinkError> {
        client.call(Sharing.Routes.revokeSharedLink, argument)
    }

    /// Calls `sharing/revoke_shared_link`.
    ///
    /// The token needs the scope `sharing.write`.
    public func revokeSharedLink(url: String) -> RouteCall<Void, Sharing.RevokeSharedLinkError> {
        revokeSharedLink(Sharing.RevokeSharedLinkArg(url: url))
    }

    /// Calls `sharing/set_access_inheritance`.
    ///
    /// The token needs the scope `sharing.write`.
    public func setAccessInheritance(
        _ argument: Sharing.SetAccessInheritanceArg
    ) -> JobCall<Sharing.ShareFolderLaunch, Sharing.ShareFolderJobStatus, Sharing.SharedFolderMetadata, Sharing.SetAccessInheritanceError, Async.PollError> {
        JobCall(client.call(Sharing.Routes.setAccessInheritance, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Sharing.Routes.checkShareJobStatus, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `sharing/set_access_inheritance`.
    ///
    /// The token needs the scope `sharing.write`.
    public func setAccessInheritance(
        sharedFolderID: String, accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit
    ) -> JobCall<Sharing.ShareFolderLaunch, Sharing.ShareFolderJobStatus, Sharing.SharedFolderMetadata, Sharing.SetAccessInheritanceError, Async.PollError> {
        setAccessInheritance(Sharing.SetAccessInheritanceArg(sharedFolderID: sharedFolderID, accessInheritance: accessInheritance))
    }

    /// Calls `sharing/share_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func shareFolder(
        _ argument: Sharing.ShareFolderArg
    ) -> JobCall<Sharing.ShareFolderLaunch, Sharing.ShareFolderJobStatus, Sharing.SharedFolderMetadata, Sharing.ShareFolderError, Async.PollError> {
        JobCall(client.call(Sharing.Routes.shareFolder, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Sharing.Routes.checkShareJobStatus, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `sharing/share_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func shareFolder(
        path: String, aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, forceAsync: Bool = false,
        memberPolicy: Sharing.MemberPolicy? = nil, sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil,
        viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
        accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit,
        actions: [Sharing.FolderAction]? = nil, linkSettings: Sharing.LinkSettings? = nil
    ) -> JobCall<Sharing.ShareFolderLaunch, Sharing.ShareFolderJobStatus, Sharing.SharedFolderMetadata, Sharing.ShareFolderError, Async.PollError> {
        shareFolder(Sharing.ShareFolderArg(path: path, aclUpdatePolicy: aclUpdatePolicy, forceAsync: forceAsync, memberPolicy: memberPolicy, sharedLinkPolicy: sharedLinkPolicy, viewerInfoPolicy: viewerInfoPolicy, accessInheritance: accessInheritance, actions: actions, linkSettings: linkSettings))
    }

    /// Calls `sharing/transfer_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func transferFolder(_ argument: Sharing.TransferFolderArg) -> RouteCall<Void, Sharing.TransferFolderError> {
        client.call(Sharing.Routes.transferFolder, argument)
    }

    /// Calls `sharing/transfer_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func transferFolder(
        sharedFolderID: String, toDropboxID: String
    ) -> RouteCall<Void, Sharing.TransferFolderError> {
        transferFolder(Sharing.TransferFolderArg(sharedFolderID: sharedFolderID, toDropboxID: toDropboxID))
    }

    /// Calls `sharing/unmount_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func unmountFolder(_ argument: Sharing.UnmountFolderArg) -> RouteCall<Void, Sharing.UnmountFolderError> {
        client.call(Sharing.Routes.unmountFolder, argument)
    }

    /// Calls `sharing/unmount_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func unmountFolder(sharedFolderID: String) -> RouteCall<Void, Sharing.UnmountFolderError> {
        unmountFolder(Sharing.UnmountFolderArg(sharedFolderID: sharedFolderID))
    }

    /// Calls `sharing/unshare_file`.
    ///
    /// The token needs the scope `sharing.write`.
    public func unshareFile(_ argument: Sharing.UnshareFileArg) -> RouteCall<Void, Sharing.UnshareFileError> {
        client.call(Sharing.Routes.unshareFile, argument)
    }

    /// Calls `sharing/unshare_file`.
    ///
    /// The token needs the scope `sharing.write`.
    public func unshareFile(file: String) -> RouteCall<Void, Sharing.UnshareFileError> {
        unshareFile(Sharing.UnshareFileArg(file: file))
    }

    /// Calls `sharing/unshare_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func unshareFolder(
        _ argument: Sharing.UnshareFolderArg
    ) -> JobCall<Async.LaunchEmptyResult, Sharing.JobStatus, Void, Sharing.UnshareFolderError, Async.PollError> {
        JobCall(client.call(Sharing.Routes.unshareFolder, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Sharing.Routes.checkJobStatus, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `sharing/unshare_folder`.
    ///
    /// The token needs the scope `sharing.write`.
    public func unshareFolder(
        sharedFolderID: String, leaveACopy: Bool = false
    ) -> JobCall<Async.LaunchEmptyResult, Sharing.JobStatus, Void, Sharing.UnshareFolderError, Async.PollError> {
        unshareFolder(Sharing.UnshareFolderArg(sharedFolderID: sharedFolderID, leaveACopy: leaveACopy))
    }

    /// Calls `sharing/update_file_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFileMember(
        _ argument: Sharing.UpdateFileMemberArgs
    ) -> RouteCall<Sharing.MemberAccessLevelResult, Sharing.FileMemberActionError> {
        client.call(Sharing.Routes.updateFileMember, argument)
    }

    /// Calls `sharing/update_file_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFileMember(
        file: String, member: Sharing.MemberSelector, accessLevel: Sharing.AccessLevel
    ) -> RouteCall<Sharing.MemberAccessLevelResult, Sharing.FileMemberActionError> {
        updateFileMember(Sharing.UpdateFileMemberArgs(file: file, member: member, accessLevel: accessLevel))
    }

    /// Calls `sharing/update_file_policy`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFilePolicy(
        _ argument: Sharing.UpdateFilePolicyArg
    ) -> RouteCall<Sharing.SharedFileMetadata, Sharing.UpdateFilePolicyError> {
        client.call(Sharing.Routes.updateFilePolicy, argument)
    }

    /// Calls `sharing/update_file_policy`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFilePolicy(
        file: String, actions: [Sharing.FileAction]? = nil, linkSettings: Sharing.LinkSettings? = nil,
        viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil
    ) -> RouteCall<Sharing.SharedFileMetadata, Sharing.UpdateFilePolicyError> {
        updateFilePolicy(Sharing.UpdateFilePolicyArg(file: file, actions: actions, linkSettings: linkSettings, viewerInfoPolicy: viewerInfoPolicy))
    }

    /// Calls `sharing/update_folder_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFolderMember(
        _ argument: Sharing.UpdateFolderMemberArg
    ) -> RouteCall<Sharing.MemberAccessLevelResult, Sharing.UpdateFolderMemberError> {
        client.call(Sharing.Routes.updateFolderMember, argument)
    }

    /// Calls `sharing/update_folder_member`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFolderMember(
        sharedFolderID: String, member: Sharing.MemberSelector, accessLevel: Sharing.AccessLevel
    ) -> RouteCall<Sharing.MemberAccessLevelResult, Sharing.UpdateFolderMemberError> {
        updateFolderMember(Sharing.UpdateFolderMemberArg(sharedFolderID: sharedFolderID, member: member, accessLevel: accessLevel))
    }

    /// Calls `sharing/update_folder_policy`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFolderPolicy(
        _ argument: Sharing.UpdateFolderPolicyArg
    ) -> RouteCall<Sharing.SharedFolderMetadata, Sharing.UpdateFolderPolicyError> {
        client.call(Sharing.Routes.updateFolderPolicy, argument)
    }

    /// Calls `sharing/update_folder_policy`.
    ///
    /// The token needs the scope `sharing.write`.
    public func updateFolderPolicy(
        sharedFolderID: String, memberPolicy: Sharing.MemberPolicy? = nil,
        aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
        sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil, linkSettings: Sharing.LinkSettings? = nil,
        actions: [Sharing.FolderAction]? = nil
    ) -> RouteCall<Sharing.SharedFolderMetadata, Sharing.UpdateFolderPolicyError> {
        updateFolderPolicy(Sharing.UpdateFolderPolicyArg(sharedFolderID: sharedFolderID, memberPolicy: memberPolicy, aclUpdatePolicy: aclUpdatePolicy, viewerInfoPolicy: viewerInfoPolicy, sharedLinkPolicy: sharedLinkPolicy, linkSettings: linkSettings, actions: actions))
    }
}
