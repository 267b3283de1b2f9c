// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime
public import RestSDK

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Files {
    /// The routes of `files`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var alphaGetMetadata: Route<RPC, Files.AlphaGetMetadataArg, Files.Metadata, Files.AlphaGetMetadataError> {
            Route(RouteInfo(
                "files", "alpha/get_metadata", scope: "files.metadata.read", isDeprecated: true, isPreview: true,
                isRead: true, attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var alphaUpload: Route<Upload, Files.UploadArg, Files.FileMetadata, Files.UploadError> {
            Route(RouteInfo(
                "files", "alpha/upload", host: "content", scope: "files.content.write", isDeprecated: true,
                isPreview: true, attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var copy: Route<RPC, Files.RelocationArg, Files.Metadata, Files.RelocationError> {
            Route(RouteInfo(
                "files", "copy", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var copyV2: Route<RPC, Files.RelocationArg, Files.RelocationResult, Files.RelocationError> {
            Route(RouteInfo(
                "files", "copy", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var copyBatch: Route<RPC, Files.RelocationBatchArg, Files.RelocationBatchLaunch, Never> {
            Route(RouteInfo(
                "files", "copy_batch", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var copyBatchV2: Route<RPC, Files.RelocationBatchArgBase, Files.RelocationBatchV2Launch, Never> {
            Route(RouteInfo(
                "files", "copy_batch", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var copyBatchCheck: Route<RPC, Async.PollArg, Files.RelocationBatchJobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "copy_batch/check", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var copyBatchCheckV2: Route<RPC, Async.PollArg, Files.RelocationBatchV2JobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "copy_batch/check", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var copyReferenceGet: Route<RPC, Files.GetCopyReferenceArg, Files.GetCopyReferenceResult, Files.GetCopyReferenceError> {
            Route(RouteInfo(
                "files", "copy_reference/get", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var copyReferenceSave: Route<RPC, Files.SaveCopyReferenceArg, Files.SaveCopyReferenceResult, Files.SaveCopyReferenceError> {
            Route(RouteInfo(
                "files", "copy_reference/save", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var createFolder: Route<RPC, Files.CreateFolderArg, Files.FolderMetadata, Files.CreateFolderError> {
            Route(RouteInfo(
                "files", "create_folder", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var createFolderV2: Route<RPC, Files.CreateFolderArg, Files.CreateFolderResult, Files.CreateFolderError> {
            Route(RouteInfo(
                "files", "create_folder", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var createFolderBatch: Route<RPC, Files.CreateFolderBatchArg, Files.CreateFolderBatchLaunch, Never> {
            Route(RouteInfo(
                "files", "create_folder_batch", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var createFolderBatchCheck: Route<RPC, Async.PollArg, Files.CreateFolderBatchJobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "create_folder_batch/check", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var delete: Route<RPC, Files.DeleteArg, Files.Metadata, Files.DeleteError> {
            Route(RouteInfo(
                "files", "delete", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var deleteV2: Route<RPC, Files.DeleteArg, Files.DeleteResult, Files.DeleteError> {
            Route(RouteInfo(
                "files", "delete", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var deleteBatch: Route<RPC, Files.DeleteBatchArg, Files.DeleteBatchLaunch, Never> {
            Route(RouteInfo(
                "files", "delete_batch", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var deleteBatchCheck: Route<RPC, Async.PollArg, Files.DeleteBatchJobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "delete_batch/check", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var download: Route<Download, Files.DownloadArg, Files.FileMetadata, Files.DownloadError> {
            Route(RouteInfo(
                "files", "download", host: "content", scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var downloadZip: Route<Download, Files.DownloadZipArg, Files.DownloadZipResult, Files.DownloadZipError> {
            Route(RouteInfo(
                "files", "download_zip", host: "content", scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var export: Route<Download, Files.ExportArg, Files.ExportResult, Files.ExportError> {
            Route(RouteInfo(
                "files", "export", host: "content", scope: "files.content.read", isPreview: true, isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getFileLockBatch: Route<RPC, Files.LockFileBatchArg, Files.LockFileBatchResult, Files.LockFileError> {
            Route(RouteInfo(
                "files", "get_file_lock_batch", scope: "files.content.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getMetadata: Route<RPC, Files.GetMetadataArg, Files.Metadata, Files.GetMetadataError> {
            Route(RouteInfo(
                "files", "get_metadata", scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getPreview: Route<Download, Files.PreviewArg, Files.FileMetadata, Files.PreviewError> {
            Route(RouteInfo(
                "files", "get_preview", host: "content", scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getTemporaryLink: Route<RPC, Files.GetTemporaryLinkArg, Files.GetTemporaryLinkResult, Files.GetTemporaryLinkError> {
            Route(RouteInfo(
                "files", "get_temporary_link", scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getTemporaryUploadLink: Route<RPC, Files.GetTemporaryUploadLinkArg, Files.GetTemporaryUploadLinkResult, Never> {
            Route(RouteInfo(
                "files", "get_temporary_upload_link", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type)
        }

        @inline(never)
        public static var getThumbnail: Route<Download, Files.ThumbnailArg, Files.FileMetadata, Files.ThumbnailError> {
            Route(RouteInfo(
                "files", "get_thumbnail", host: "content", scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getThumbnailV2: Route<Download, Files.ThumbnailV2Arg, Files.PreviewResult, Files.ThumbnailV2Error> {
            Route(RouteInfo(
                "files", "get_thumbnail", version: 2, host: "content", auth: ["app", "user"],
                scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getThumbnailBatch: Route<RPC, Files.GetThumbnailBatchArg, Files.GetThumbnailBatchResult, Files.GetThumbnailBatchError> {
            Route(RouteInfo(
                "files", "get_thumbnail_batch", host: "content", scope: "files.content.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolder: Route<RPC, Files.ListFolderArg, Files.ListFolderResult, Files.ListFolderError> {
            Route(RouteInfo(
                "files", "list_folder", auth: ["app", "user"], scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolderContinue: Route<RPC, Files.ListFolderContinueArg, Files.ListFolderResult, Files.ListFolderContinueError> {
            Route(RouteInfo(
                "files", "list_folder/continue", auth: ["app", "user"], scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolderGetLatestCursor: Route<RPC, Files.ListFolderArg, Files.ListFolderGetLatestCursorResult, Files.ListFolderError> {
            Route(RouteInfo(
                "files", "list_folder/get_latest_cursor", scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listFolderLongpoll: Route<RPC, Files.ListFolderLongpollArg, Files.ListFolderLongpollResult, Files.ListFolderLongpollError> {
            Route(RouteInfo(
                "files", "list_folder/longpoll", host: "notify", auth: ["noauth"], scope: "files.metadata.read",
                isRead: true, attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listRevisions: Route<RPC, Files.ListRevisionsArg, Files.ListRevisionsResult, Files.ListRevisionsError> {
            Route(RouteInfo(
                "files", "list_revisions", scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var lockFileBatch: Route<RPC, Files.LockFileBatchArg, Files.LockFileBatchResult, Files.LockFileError> {
            Route(RouteInfo("files", "lock_file_batch", scope: "files.content.write"), .type, .type, .type)
        }

        @inline(never)
        public static var move: Route<RPC, Files.RelocationArg, Files.Metadata, Files.RelocationError> {
            Route(RouteInfo(
                "files", "move", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var moveV2: Route<RPC, Files.RelocationArg, Files.RelocationResult, Files.RelocationError> {
            Route(RouteInfo(
                "files", "move", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var moveBatch: Route<RPC, Files.RelocationBatchArg, Files.RelocationBatchLaunch, Never> {
            Route(RouteInfo(
                "files", "move_batch", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var moveBatchV2: Route<RPC, Files.MoveBatchArg, Files.RelocationBatchV2Launch, Never> {
            Route(RouteInfo(
                "files", "move_batch", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var moveBatchCheck: Route<RPC, Async.PollArg, Files.RelocationBatchJobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "move_batch/check", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var moveBatchCheckV2: Route<RPC, Async.PollArg, Files.RelocationBatchV2JobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "move_batch/check", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var paperCreate: Route<Upload, Files.PaperCreateArg, Files.PaperCreateResult, Files.PaperCreateError> {
            Route(RouteInfo(
                "files", "paper/create", scope: "files.content.write", isPreview: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var paperUpdate: Route<Upload, Files.PaperUpdateArg, Files.PaperUpdateResult, Files.PaperUpdateError> {
            Route(RouteInfo(
                "files", "paper/update", scope: "files.content.write", isPreview: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var permanentlyDelete: Route<RPC, Files.DeleteArg, Void, Files.DeleteError> {
            Route(RouteInfo(
                "files", "permanently_delete", scope: "files.permanent_delete",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var propertiesAdd: Route<RPC, FileProperties.AddPropertiesArg, Void, FileProperties.AddPropertiesError> {
            Route(RouteInfo(
                "files", "properties/add", scope: "files.metadata.write", isDeprecated: true
            ), .type, .void, .type)
        }

        @inline(never)
        public static var propertiesOverwrite: Route<RPC, FileProperties.OverwritePropertyGroupArg, Void, FileProperties.InvalidPropertyGroupError> {
            Route(RouteInfo(
                "files", "properties/overwrite", scope: "files.metadata.write", isDeprecated: true
            ), .type, .void, .type)
        }

        @inline(never)
        public static var propertiesUpdate: Route<RPC, FileProperties.UpdatePropertiesArg, Void, FileProperties.UpdatePropertiesError> {
            Route(RouteInfo(
                "files", "properties/update", scope: "files.metadata.write", isDeprecated: true
            ), .type, .void, .type)
        }

        @inline(never)
        public static var restore: Route<RPC, Files.RestoreArg, Files.FileMetadata, Files.RestoreError> {
            Route(RouteInfo(
                "files", "restore", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var saveURL: Route<RPC, Files.SaveUrlArg, Files.SaveUrlResult, Files.SaveUrlError> {
            Route(RouteInfo(
                "files", "save_url", scope: "files.content.write", attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var saveURLCheckJobStatus: Route<RPC, Async.PollArg, Files.SaveUrlJobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "save_url/check_job_status", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var search: Route<RPC, Files.SearchArg, Files.SearchResult, Files.SearchError> {
            Route(RouteInfo(
                "files", "search", scope: "files.metadata.read", isDeprecated: true, isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var searchV2: Route<RPC, Files.SearchV2Arg, Files.SearchV2Result, Files.SearchError> {
            Route(RouteInfo(
                "files", "search", version: 2, scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var searchContinueV2: Route<RPC, Files.SearchV2ContinueArg, Files.SearchV2Result, Files.SearchError> {
            Route(RouteInfo(
                "files", "search/continue", version: 2, scope: "files.metadata.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var tagsAdd: Route<RPC, Files.AddTagArg, Void, Files.AddTagError> {
            Route(RouteInfo("files", "tags/add", scope: "files.metadata.write", isPreview: true), .type, .void, .type)
        }

        @inline(never)
        public static var tagsGet: Route<RPC, Files.GetTagsArg, Files.GetTagsResult, Files.BaseTagError> {
            Route(RouteInfo(
                "files", "tags/get", scope: "files.metadata.read", isPreview: true, isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var tagsRemove: Route<RPC, Files.RemoveTagArg, Void, Files.RemoveTagError> {
            Route(RouteInfo(
                "files", "tags/remove", scope: "files.metadata.write", isPreview: true
            ), .type, .void, .type)
        }

        @inline(never)
        public static var unlockFileBatch: Route<RPC, Files.UnlockFileBatchArg, Files.LockFileBatchResult, Files.LockFileError> {
            Route(RouteInfo(
                "files", "unlock_file_batch", scope: "files.content.write",
                attributes: ["select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var upload: Route<Upload, Files.UploadArg, Files.FileMetadata, Files.UploadError> {
            Route(RouteInfo(
                "files", "upload", host: "content", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var uploadSessionAppend: Route<Upload, Files.UploadSessionCursor, Void, Files.UploadSessionAppendError> {
            Route(RouteInfo(
                "files", "upload_session/append", host: "content", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var uploadSessionAppendV2: Route<Upload, Files.UploadSessionAppendArg, Void, Files.UploadSessionAppendError> {
            Route(RouteInfo(
                "files", "upload_session/append", version: 2, host: "content", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .void, .type)
        }

        @inline(never)
        public static var uploadSessionAppendBatch: Route<Upload, Files.UploadSessionAppendBatchArg, Files.UploadSessionAppendBatchResult, Files.UploadSessionAppendBatchError> {
            Route(RouteInfo(
                "files", "upload_session/append_batch", host: "content", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var uploadSessionFinish: Route<Upload, Files.UploadSessionFinishArg, Files.FileMetadata, Files.UploadSessionFinishError> {
            Route(RouteInfo(
                "files", "upload_session/finish", host: "content", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var uploadSessionFinishBatch: Route<RPC, Files.UploadSessionFinishBatchArg, Files.UploadSessionFinishBatchLaunch, Never> {
            Route(RouteInfo(
                "files", "upload_session/finish_batch", scope: "files.content.write", isDeprecated: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var uploadSessionFinishBatchV2: Route<RPC, Files.UploadSessionFinishBatchArg, Files.UploadSessionFinishBatchResult, Never> {
            Route(RouteInfo(
                "files", "upload_session/finish_batch", version: 2, scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        @inline(never)
        public static var uploadSessionFinishBatchCheck: Route<RPC, Async.PollArg, Files.UploadSessionFinishBatchJobStatus, Async.PollError> {
            Route(RouteInfo(
                "files", "upload_session/finish_batch/check", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var uploadSessionStart: Route<Upload, Files.UploadSessionStartArg, Files.UploadSessionStartResult, Files.UploadSessionStartError> {
            Route(RouteInfo(
                "files", "upload_session/start", host: "content", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var uploadSessionStartBatch: Route<RPC, Files.UploadSessionStartBatchArg, Files.UploadSessionStartBatchResult, Never> {
            Route(RouteInfo(
                "files", "upload_session/start_batch", scope: "files.content.write",
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "team_admin"]
            ), .type, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [
                alphaGetMetadata.info, alphaUpload.info, copy.info, copyV2.info, copyBatch.info, copyBatchV2.info,
                copyBatchCheck.info, copyBatchCheckV2.info, copyReferenceGet.info, copyReferenceSave.info,
                createFolder.info, createFolderV2.info, createFolderBatch.info, createFolderBatchCheck.info,
                delete.info, deleteV2.info, deleteBatch.info, deleteBatchCheck.info, download.info, downloadZip.info,
                export.info, getFileLockBatch.info, getMetadata.info, getPreview.info, getTemporaryLink.info,
                getTemporaryUploadLink.info, getThumbnail.info, getThumbnailV2.info, getThumbnailBatch.info,
                listFolder.info, listFolderContinue.info, listFolderGetLatestCursor.info, listFolderLongpoll.info,
                listRevisions.info, lockFileBatch.info, move.info, moveV2.info, moveBatch.info, moveBatchV2.info,
                moveBatchCheck.info, moveBatchCheckV2.info, paperCreate.info, paperUpdate.info, permanentlyDelete.info,
                propertiesAdd.info, propertiesOverwrite.info, propertiesUpdate.info, restore.info, saveURL.info,
                saveURLCheckJobStatus.info, search.info, searchV2.info, searchContinueV2.info, tagsAdd.info,
                tagsGet.info, tagsRemove.info, unlockFileBatch.info, upload.info, uploadSessionAppend.info,
                uploadSessionAppendV2.info, uploadSessionAppendBatch.info, uploadSessionFinish.info,
                uploadSessionFinishBatch.info, uploadSessionFinishBatchV2.info, uploadSessionFinishBatchCheck.info,
                uploadSessionStart.info, uploadSessionStartBatch.info
            ]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `files`.
    public var files: RouteGroup<Files> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Files> {
    /// Calls `files/alpha/get_metadata`.
    ///
    /// The token needs the scope `files.metadata.read`.
    ///
    /// It may still change without notice.
    @available(*, deprecated)
    public func alphaGetMetadata(
        _ argument: Files.AlphaGetMetadataArg
    ) -> RouteCall<Files.Metadata, Files.AlphaGetMetadataError> {
        client.call(Files.Routes.alphaGetMetadata, argument)
    }

    /// Calls `files/alpha/get_metadata`.
    ///
    /// The token needs the scope `files.metadata.read`.
    ///
    /// It may still change without notice.
    @available(*, deprecated)
    public func alphaGetMetadata(
        path: String, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
        includeHasExplicitSharedMembers: Bool = false, includePropertyGroups: FileProperties.TemplateFilterBase? = nil,
        includePropertyTemplates: [String]? = nil
    ) -> RouteCall<Files.Metadata, Files.AlphaGetMetadataError> {
        alphaGetMetadata(Files.AlphaGetMetadataArg(path: path, includeMediaInfo: includeMediaInfo, includeDeleted: includeDeleted, includeHasExplicitSharedMembers: includeHasExplicitSharedMembers, includePropertyGroups: includePropertyGroups, includePropertyTemplates: includePropertyTemplates))
    }

    /// Calls `files/alpha/upload`.
    ///
    /// The token needs the scope `files.content.write`.
    ///
    /// It may still change without notice.
    @available(*, deprecated)
    public func alphaUpload(
        body: HTTPBody, _ argument: Files.UploadArg
    ) -> RouteCall<Files.FileMetadata, Files.UploadError> {
        client.call(Files.Routes.alphaUpload, argument, body: body)
    }

    /// Calls `files/alpha/upload`.
    ///
    /// The token needs the scope `files.content.write`.
    ///
    /// It may still change without notice.
    @available(*, deprecated)
    public func alphaUpload(
        body: HTTPBody, path: String, mode: Files.WriteMode = Files.WriteMode.add, autorename: Bool = false,
        clientModified: Date? = nil, mute: Bool = false, propertyGroups: [FileProperties.PropertyGroup]? = nil,
        strictConflict: Bool = false, contentHash: String? = nil
    ) -> RouteCall<Files.FileMetadata, Files.UploadError> {
        alphaUpload(body: body, Files.UploadArg(path: path, mode: mode, autorename: autorename, clientModified: clientModified, mute: mute, propertyGroups: propertyGroups, strictConflict: strictConflict, contentHash: contentHash))
    }

    /// Calls `files/copy`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func copy(_ argument: Files.RelocationArg) -> RouteCall<Files.Metadata, Files.RelocationError> {
        client.call(Files.Routes.copy, argument)
    }

    /// Calls `files/copy`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func copy(
        fromPath: String, toPath: String, allowSharedFolder: Bool = false, autorename: Bool = false,
        allowOwnershipTransfer: Bool = false
    ) -> RouteCall<Files.Metadata, Files.RelocationError> {
        copy(Files.RelocationArg(fromPath: fromPath, toPath: toPath, allowSharedFolder: allowSharedFolder, autorename: autorename, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/copy_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyV2(_ argument: Files.RelocationArg) -> RouteCall<Files.RelocationResult, Files.RelocationError> {
        client.call(Files.Routes.copyV2, argument)
    }

    /// Calls `files/copy_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyV2(
        fromPath: String, toPath: String, allowSharedFolder: Bool = false, autorename: Bool = false,
        allowOwnershipTransfer: Bool = false
    ) -> RouteCall<Files.RelocationResult, Files.RelocationError> {
        copyV2(Files.RelocationArg(fromPath: fromPath, toPath: toPath, allowSharedFolder: allowSharedFolder, autorename: autorename, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/copy_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func copyBatch(
        _ argument: Files.RelocationBatchArg
    ) -> JobCall<Files.RelocationBatchLaunch, Files.RelocationBatchJobStatus, Files.RelocationBatchResult, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.copyBatch, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.copyBatchCheck, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/copy_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func copyBatch(
        entries: [Files.RelocationPath], autorename: Bool = false, allowSharedFolder: Bool = false,
        allowOwnershipTransfer: Bool = false
    ) -> JobCall<Files.RelocationBatchLaunch, Files.RelocationBatchJobStatus, Files.RelocationBatchResult, Never, Async.PollError> {
        copyBatch(Files.RelocationBatchArg(entries: entries, autorename: autorename, allowSharedFolder: allowSharedFolder, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/copy_batch_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyBatchV2(
        _ argument: Files.RelocationBatchArgBase
    ) -> JobCall<Files.RelocationBatchV2Launch, Files.RelocationBatchV2JobStatus, Files.RelocationBatchV2Result, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.copyBatchV2, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.copyBatchCheckV2, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/copy_batch_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyBatchV2(
        entries: [Files.RelocationPath], autorename: Bool = false
    ) -> JobCall<Files.RelocationBatchV2Launch, Files.RelocationBatchV2JobStatus, Files.RelocationBatchV2Result, Never, Async.PollError> {
        copyBatchV2(Files.RelocationBatchArgBase(entries: entries, autorename: autorename))
    }

    /// Calls `files/copy_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func copyBatchCheck(
        _ argument: Async.PollArg
    ) -> RouteCall<Files.RelocationBatchJobStatus, Async.PollError> {
        client.call(Files.Routes.copyBatchCheck, argument)
    }

    /// Calls `files/copy_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func copyBatchCheck(asyncJobID: String) -> RouteCall<Files.RelocationBatchJobStatus, Async.PollError> {
        copyBatchCheck(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/copy_batch/check_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyBatchCheckV2(
        _ argument: Async.PollArg
    ) -> RouteCall<Files.RelocationBatchV2JobStatus, Async.PollError> {
        client.call(Files.Routes.copyBatchCheckV2, argument)
    }

    /// Calls `files/copy_batch/check_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyBatchCheckV2(asyncJobID: String) -> RouteCall<Files.RelocationBatchV2JobStatus, Async.PollError> {
        copyBatchCheckV2(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/copy_reference/get`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyReferenceGet(
        _ argument: Files.GetCopyReferenceArg
    ) -> RouteCall<Files.GetCopyReferenceResult, Files.GetCopyReferenceError> {
        client.call(Files.Routes.copyReferenceGet, argument)
    }

    /// Calls `files/copy_reference/get`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyReferenceGet(path: String) -> RouteCall<Files.GetCopyReferenceResult, Files.GetCopyReferenceError> {
        copyReferenceGet(Files.GetCopyReferenceArg(path: path))
    }

    /// Calls `files/copy_reference/save`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyReferenceSave(
        _ argument: Files.SaveCopyReferenceArg
    ) -> RouteCall<Files.SaveCopyReferenceResult, Files.SaveCopyReferenceError> {
        client.call(Files.Routes.copyReferenceSave, argument)
    }

    /// Calls `files/copy_reference/save`.
    ///
    /// The token needs the scope `files.content.write`.
    public func copyReferenceSave(
        copyReference: String, path: String
    ) -> RouteCall<Files.SaveCopyReferenceResult, Files.SaveCopyReferenceError> {
        copyReferenceSave(Files.SaveCopyReferenceArg(copyReference: copyReference, path: path))
    }

    /// Calls `files/create_folder`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func createFolder(
        _ argument: Files.CreateFolderArg
    ) -> RouteCall<Files.FolderMetadata, Files.CreateFolderError> {
        client.call(Files.Routes.createFolder, argument)
    }

    /// Calls `files/create_folder`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func createFolder(
        path: String, autorename: Bool = false
    ) -> RouteCall<Files.FolderMetadata, Files.CreateFolderError> {
        createFolder(Files.CreateFolderArg(path: path, autorename: autorename))
    }

    /// Calls `files/create_folder_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func createFolderV2(
        _ argument: Files.CreateFolderArg
    ) -> RouteCall<Files.CreateFolderResult, Files.CreateFolderError> {
        client.call(Files.Routes.createFolderV2, argument)
    }

    /// Calls `files/create_folder_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func createFolderV2(
        path: String, autorename: Bool = false
    ) -> RouteCall<Files.CreateFolderResult, Files.CreateFolderError> {
        createFolderV2(Files.CreateFolderArg(path: path, autorename: autorename))
    }

    /// Calls `files/create_folder_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func createFolderBatch(
        _ argument: Files.CreateFolderBatchArg
    ) -> JobCall<Files.CreateFolderBatchLaunch, Files.CreateFolderBatchJobStatus, Files.CreateFolderBatchResult, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.createFolderBatch, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.createFolderBatchCheck, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/create_folder_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func createFolderBatch(
        paths: [String], autorename: Bool = false, forceAsync: Bool = false
    ) -> JobCall<Files.CreateFolderBatchLaunch, Files.CreateFolderBatchJobStatus, Files.CreateFolderBatchResult, Never, Async.PollError> {
        createFolderBatch(Files.CreateFolderBatchArg(paths: paths, autorename: autorename, forceAsync: forceAsync))
    }

    /// Calls `files/create_folder_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    public func createFolderBatchCheck(
        _ argument: Async.PollArg
    ) -> RouteCall<Files.CreateFolderBatchJobStatus, Async.PollError> {
        client.call(Files.Routes.createFolderBatchCheck, argument)
    }

    /// Calls `files/create_folder_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    public func createFolderBatchCheck(
        asyncJobID: String
    ) -> RouteCall<Files.CreateFolderBatchJobStatus, Async.PollError> {
        createFolderBatchCheck(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/delete`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func delete(_ argument: Files.DeleteArg) -> RouteCall<Files.Metadata, Files.DeleteError> {
        client.call(Files.Routes.delete, argument)
    }

    /// Calls `files/delete`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func delete(path: String, parentRev: String? = nil) -> RouteCall<Files.Metadata, Files.DeleteError> {
        delete(Files.DeleteArg(path: path, parentRev: parentRev))
    }

    /// Calls `files/delete_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func deleteV2(_ argument: Files.DeleteArg) -> RouteCall<Files.DeleteResult, Files.DeleteError> {
        client.call(Files.Routes.deleteV2, argument)
    }

    /// Calls `files/delete_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func deleteV2(path: String, parentRev: String? = nil) -> RouteCall<Files.DeleteResult, Files.DeleteError> {
        deleteV2(Files.DeleteArg(path: path, parentRev: parentRev))
    }

    /// Calls `files/delete_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func deleteBatch(
        _ argument: Files.DeleteBatchArg
    ) -> JobCall<Files.DeleteBatchLaunch, Files.DeleteBatchJobStatus, Files.DeleteBatchResult, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.deleteBatch, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.deleteBatchCheck, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/delete_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func deleteBatch(
        entries: [Files.DeleteArg]
    ) -> JobCall<Files.DeleteBatchLaunch, Files.DeleteBatchJobStatus, Files.DeleteBatchResult, Never, Async.PollError> {
        deleteBatch(Files.DeleteBatchArg(entries: entries))
    }

    /// Calls `files/delete_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    public func deleteBatchCheck(_ argument: Async.PollArg) -> RouteCall<Files.DeleteBatchJobStatus, Async.PollError> {
        client.call(Files.Routes.deleteBatchCheck, argument)
    }

    /// Calls `files/delete_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    public func deleteBatchCheck(asyncJobID: String) -> RouteCall<Files.DeleteBatchJobStatus, Async.PollError> {
        deleteBatchCheck(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/download`.
    ///
    /// The token needs the scope `files.content.read`.
    public func download(_ argument: Files.DownloadArg) -> DownloadCall<Files.FileMetadata, Files.DownloadError> {
        client.call(Files.Routes.download, argument)
    }

    /// Calls `files/download`.
    ///
    /// The token needs the scope `files.content.read`.
    public func download(path: String, rev: String? = nil) -> DownloadCall<Files.FileMetadata, Files.DownloadError> {
        download(Files.DownloadArg(path: path, rev: rev))
    }

    /// Calls `files/download_zip`.
    ///
    /// The token needs the scope `files.content.read`.
    public func downloadZip(
        _ argument: Files.DownloadZipArg
    ) -> DownloadCall<Files.DownloadZipResult, Files.DownloadZipError> {
        client.call(Files.Routes.downloadZip, argument)
    }

    /// Calls `files/download_zip`.
    ///
    /// The token needs the scope `files.content.read`.
    public func downloadZip(path: String) -> DownloadCall<Files.DownloadZipResult, Files.DownloadZipError> {
        downloadZip(Files.DownloadZipArg(path: path))
    }

    /// Calls `files/export`.
    ///
    /// The token needs the scope `files.content.read`.
    ///
    /// It may still change without notice.
    public func export(_ argument: Files.ExportArg) -> DownloadCall<Files.ExportResult, Files.ExportError> {
        client.call(Files.Routes.export, argument)
    }

    /// Calls `files/export`.
    ///
    /// The token needs the scope `files.content.read`.
    ///
    /// It may still change without notice.
    public func export(
        path: String, exportFormat: String? = nil
    ) -> DownloadCall<Files.ExportResult, Files.ExportError> {
        export(Files.ExportArg(path: path, exportFormat: exportFormat))
    }

    /// Calls `files/get_file_lock_batch`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getFileLockBatch(
        _ argument: Files.LockFileBatchArg
    ) -> RouteCall<Files.LockFileBatchResult, Files.LockFileError> {
        client.call(Files.Routes.getFileLockBatch, argument)
    }

    /// Calls `files/get_file_lock_batch`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getFileLockBatch(
        entries: [Files.LockFileArg]
    ) -> RouteCall<Files.LockFileBatchResult, Files.LockFileError> {
        getFileLockBatch(Files.LockFileBatchArg(entries: entries))
    }

    /// Calls `files/get_metadata`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func getMetadata(_ argument: Files.GetMetadataArg) -> RouteCall<Files.Metadata, Files.GetMetadataError> {
        client.call(Files.Routes.getMetadata, argument)
    }

    /// Calls `files/get_metadata`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func getMetadata(
        path: String, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
        includeHasExplicitSharedMembers: Bool = false, includePropertyGroups: FileProperties.TemplateFilterBase? = nil
    ) -> RouteCall<Files.Metadata, Files.GetMetadataError> {
        getMetadata(Files.GetMetadataArg(path: path, includeMediaInfo: includeMediaInfo, includeDeleted: includeDeleted, includeHasExplicitSharedMembers: includeHasExplicitSharedMembers, includePropertyGroups: includePropertyGroups))
    }

    /// Calls `files/get_preview`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getPreview(_ argument: Files.PreviewArg) -> DownloadCall<Files.FileMetadata, Files.PreviewError> {
        client.call(Files.Routes.getPreview, argument)
    }

    /// Calls `files/get_preview`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getPreview(path: String, rev: String? = nil) -> DownloadCall<Files.FileMetadata, Files.PreviewError> {
        getPreview(Files.PreviewArg(path: path, rev: rev))
    }

    /// Calls `files/get_temporary_link`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getTemporaryLink(
        _ argument: Files.GetTemporaryLinkArg
    ) -> RouteCall<Files.GetTemporaryLinkResult, Files.GetTemporaryLinkError> {
        client.call(Files.Routes.getTemporaryLink, argument)
    }

    /// Calls `files/get_temporary_link`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getTemporaryLink(path: String) -> RouteCall<Files.GetTemporaryLinkResult, Files.GetTemporaryLinkError> {
        getTemporaryLink(Files.GetTemporaryLinkArg(path: path))
    }

    /// Calls `files/get_temporary_upload_link`.
    ///
    /// The token needs the scope `files.content.write`.
    public func getTemporaryUploadLink(
        _ argument: Files.GetTemporaryUploadLinkArg
    ) -> RouteCall<Files.GetTemporaryUploadLinkResult, Never> {
        client.call(Files.Routes.getTemporaryUploadLink, argument)
    }

    /// Calls `files/get_temporary_upload_link`.
    ///
    /// The token needs the scope `files.content.write`.
    public func getTemporaryUploadLink(
        commitInfo: Files.CommitInfo, duration: Double = 14400.0
    ) -> RouteCall<Files.GetTemporaryUploadLinkResult, Never> {
        getTemporaryUploadLink(Files.GetTemporaryUploadLinkArg(commitInfo: commitInfo, duration: duration))
    }

    /// Calls `files/get_thumbnail`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getThumbnail(_ argument: Files.ThumbnailArg) -> DownloadCall<Files.FileMetadata, Files.ThumbnailError> {
        client.call(Files.Routes.getThumbnail, argument)
    }

    /// Calls `files/get_thumbnail`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getThumbnail(
        path: String, format: Files.ThumbnailFormat = Files.ThumbnailFormat.jpeg,
        size: Files.ThumbnailSize = Files.ThumbnailSize.w64h64, mode: Files.ThumbnailMode = Files.ThumbnailMode.strict,
        excludeMediaInfo: Bool? = nil
    ) -> DownloadCall<Files.FileMetadata, Files.ThumbnailError> {
        getThumbnail(Files.ThumbnailArg(path: path, format: format, size: size, mode: mode, excludeMediaInfo: excludeMediaInfo))
    }

    /// Calls `files/get_thumbnail_v2`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getThumbnailV2(
        _ argument: Files.ThumbnailV2Arg
    ) -> DownloadCall<Files.PreviewResult, Files.ThumbnailV2Error> {
        client.call(Files.Routes.getThumbnailV2, argument)
    }

    /// Calls `files/get_thumbnail_v2`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getThumbnailV2(
        resource: Files.PathOrLink, format: Files.ThumbnailFormat = Files.ThumbnailFormat.jpeg,
        size: Files.ThumbnailSize = Files.ThumbnailSize.w64h64, mode: Files.ThumbnailMode = Files.ThumbnailMode.strict,
        excludeMediaInfo: Bool? = nil
    ) -> DownloadCall<Files.PreviewResult, Files.ThumbnailV2Error> {
        getThumbnailV2(Files.ThumbnailV2Arg(resource: resource, format: format, size: size, mode: mode, excludeMediaInfo: excludeMediaInfo))
    }

    /// Calls `files/get_thumbnail_batch`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getThumbnailBatch(
        _ argument: Files.GetThumbnailBatchArg
    ) -> RouteCall<Files.GetThumbnailBatchResult, Files.GetThumbnailBatchError> {
        client.call(Files.Routes.getThumbnailBatch, argument)
    }

    /// Calls `files/get_thumbnail_batch`.
    ///
    /// The token needs the scope `files.content.read`.
    public func getThumbnailBatch(
        entries: [Files.ThumbnailArg]
    ) -> RouteCall<Files.GetThumbnailBatchResult, Files.GetThumbnailBatchError> {
        getThumbnailBatch(Files.GetThumbnailBatchArg(entries: entries))
    }

    /// Calls `files/list_folder`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolder(
        _ argument: Files.ListFolderArg
    ) -> PagedCall<Files.ListFolderResult, Files.Metadata, Files.ListFolderError, Files.ListFolderContinueError> {
        PagedCall(client.call(Files.Routes.listFolder, argument), list: { $0.entries }, following: { $0.hasMore ? client.call(Files.Routes.listFolderContinue, Files.ListFolderContinueArg(cursor: $0.cursor)) : nil })
    }

    /// Calls `files/list_folder`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolder(
        path: String, recursive: Bool = false, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
        includeHasExplicitSharedMembers: Bool = false, includeMountedFolders: Bool = true, limit: UInt32? = nil,
        sharedLink: Files.SharedLink? = nil, includePropertyGroups: FileProperties.TemplateFilterBase? = nil,
        includeNonDownloadableFiles: Bool = true, includeRestorableInfo: Bool = false
    ) -> PagedCall<Files.ListFolderResult, Files.Metadata, Files.ListFolderError, Files.ListFolderContinueError> {
        listFolder(Files.ListFolderArg(path: path, recursive: recursive, includeMediaInfo: includeMediaInfo, includeDeleted: includeDeleted, includeHasExplicitSharedMembers: includeHasExplicitSharedMembers, includeMountedFolders: includeMountedFolders, limit: limit, sharedLink: sharedLink, includePropertyGroups: includePropertyGroups, includeNonDownloadableFiles: includeNonDownloadableFiles, includeRestorableInfo: includeRestorableInfo))
    }

    /// Calls `files/list_folder/continue`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolderContinue(
        _ argument: Files.ListFolderContinueArg
    ) -> RouteCall<Files.ListFolderResult, Files.ListFolderContinueError> {
        client.call(Files.Routes.listFolderContinue, argument)
    }

    /// Calls `files/list_folder/continue`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolderContinue(cursor: String) -> RouteCall<Files.ListFolderResult, Files.ListFolderContinueError> {
        listFolderContinue(Files.ListFolderContinueArg(cursor: cursor))
    }

    /// Calls `files/list_folder/get_latest_cursor`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolderGetLatestCursor(
        _ argument: Files.ListFolderArg
    ) -> RouteCall<Files.ListFolderGetLatestCursorResult, Files.ListFolderError> {
        client.call(Files.Routes.listFolderGetLatestCursor, argument)
    }

    /// Calls `files/list_folder/get_latest_cursor`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolderGetLatestCursor(
        path: String, recursive: Bool = false, includeMediaInfo: Bool = false, includeDeleted: Bool = false,
        includeHasExplicitSharedMembers: Bool = false, includeMountedFolders: Bool = true, limit: UInt32? = nil,
        sharedLink: Files.SharedLink? = nil, includePropertyGroups: FileProperties.TemplateFilterBase? = nil,
        includeNonDownloadableFiles: Bool = true, includeRestorableInfo: Bool = false
    ) -> RouteCall<Files.ListFolderGetLatestCursorResult, Files.ListFolderError> {
        listFolderGetLatestCursor(Files.ListFolderArg(path: path, recursive: recursive, includeMediaInfo: includeMediaInfo, includeDeleted: includeDeleted, includeHasExplicitSharedMembers: includeHasExplicitSharedMembers, includeMountedFolders: includeMountedFolders, limit: limit, sharedLink: sharedLink, includePropertyGroups: includePropertyGroups, includeNonDownloadableFiles: includeNonDownloadableFiles, includeRestorableInfo: includeRestorableInfo))
    }

    /// Calls `files/list_folder/longpoll`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolderLongpoll(
        _ argument: Files.ListFolderLongpollArg
    ) -> RouteCall<Files.ListFolderLongpollResult, Files.ListFolderLongpollError> {
        client.call(Files.Routes.listFolderLongpoll, argument)
    }

    /// Calls `files/list_folder/longpoll`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listFolderLongpoll(
        cursor: String, timeout: UInt64 = 30
    ) -> RouteCall<Files.ListFolderLongpollResult, Files.ListFolderLongpollError> {
        listFolderLongpoll(Files.ListFolderLongpollArg(cursor: cursor, timeout: timeout))
    }

    /// Calls `files/list_revisions`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listRevisions(
        _ argument: Files.ListRevisionsArg
    ) -> RouteCall<Files.ListRevisionsResult, Files.ListRevisionsError> {
        client.call(Files.Routes.listRevisions, argument)
    }

    /// Calls `files/list_revisions`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func listRevisions(
        path: String, mode: Files.ListRevisionsMode = Files.ListRevisionsMode.path, limit: UInt64 = 10,
        beforeRev: String? = nil, includeRestorableInfo: Bool = false
    ) -> RouteCall<Files.ListRevisionsResult, Files.ListRevisionsError> {
        listRevisions(Files.ListRevisionsArg(path: path, mode: mode, limit: limit, beforeRev: beforeRev, includeRestorableInfo: includeRestorableInfo))
    }

    /// Calls `files/lock_file_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func lockFileBatch(
        _ argument: Files.LockFileBatchArg
    ) -> RouteCall<Files.LockFileBatchResult, Files.LockFileError> {
        client.call(Files.Routes.lockFileBatch, argument)
    }

    /// Calls `files/lock_file_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func lockFileBatch(
        entries: [Files.LockFileArg]
    ) -> RouteCall<Files.LockFileBatchResult, Files.LockFileError> {
        lockFileBatch(Files.LockFileBatchArg(entries: entries))
    }

    /// Calls `files/move`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func move(_ argument: Files.RelocationArg) -> RouteCall<Files.Metadata, Files.RelocationError> {
        client.call(Files.Routes.move, argument)
    }

    /// Calls `files/move`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func move(
        fromPath: String, toPath: String, allowSharedFolder: Bool = false, autorename: Bool = false,
        allowOwnershipTransfer: Bool = false
    ) -> RouteCall<Files.Metadata, Files.RelocationError> {
        move(Files.RelocationArg(fromPath: fromPath, toPath: toPath, allowSharedFolder: allowSharedFolder, autorename: autorename, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/move_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func moveV2(_ argument: Files.RelocationArg) -> RouteCall<Files.RelocationResult, Files.RelocationError> {
        client.call(Files.Routes.moveV2, argument)
    }

    /// Calls `files/move_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func moveV2(
        fromPath: String, toPath: String, allowSharedFolder: Bool = false, autorename: Bool = false,
        allowOwnershipTransfer: Bool = false
    ) -> RouteCall<Files.RelocationResult, Files.RelocationError> {
        moveV2(Files.RelocationArg(fromPath: fromPath, toPath: toPath, allowSharedFolder: allowSharedFolder, autorename: autorename, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/move_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func moveBatch(
        _ argument: Files.RelocationBatchArg
    ) -> JobCall<Files.RelocationBatchLaunch, Files.RelocationBatchJobStatus, Files.RelocationBatchResult, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.moveBatch, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.moveBatchCheck, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/move_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func moveBatch(
        entries: [Files.RelocationPath], autorename: Bool = false, allowSharedFolder: Bool = false,
        allowOwnershipTransfer: Bool = false
    ) -> JobCall<Files.RelocationBatchLaunch, Files.RelocationBatchJobStatus, Files.RelocationBatchResult, Never, Async.PollError> {
        moveBatch(Files.RelocationBatchArg(entries: entries, autorename: autorename, allowSharedFolder: allowSharedFolder, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/move_batch_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func moveBatchV2(
        _ argument: Files.MoveBatchArg
    ) -> JobCall<Files.RelocationBatchV2Launch, Files.RelocationBatchV2JobStatus, Files.RelocationBatchV2Result, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.moveBatchV2, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.moveBatchCheckV2, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/move_batch_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func moveBatchV2(
        entries: [Files.RelocationPath], autorename: Bool = false, allowOwnershipTransfer: Bool = false
    ) -> JobCall<Files.RelocationBatchV2Launch, Files.RelocationBatchV2JobStatus, Files.RelocationBatchV2Result, Never, Async.PollError> {
        moveBatchV2(Files.MoveBatchArg(entries: entries, autorename: autorename, allowOwnershipTransfer: allowOwnershipTransfer))
    }

    /// Calls `files/move_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func moveBatchCheck(
        _ argument: Async.PollArg
    ) -> RouteCall<Files.RelocationBatchJobStatus, Async.PollError> {
        client.call(Files.Routes.moveBatchCheck, argument)
    }

    /// Calls `files/move_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func moveBatchCheck(asyncJobID: String) -> RouteCall<Files.RelocationBatchJobStatus, Async.PollError> {
        moveBatchCheck(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/move_batch/check_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func moveBatchCheckV2(
        _ argument: Async.PollArg
    ) -> RouteCall<Files.RelocationBatchV2JobStatus, Async.PollError> {
        client.call(Files.Routes.moveBatchCheckV2, argument)
    }

    /// Calls `files/move_batch/check_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func moveBatchCheckV2(asyncJobID: String) -> RouteCall<Files.RelocationBatchV2JobStatus, Async.PollError> {
        moveBatchCheckV2(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/paper/create`.
    ///
    /// The token needs the scope `files.content.write`.
    ///
    /// It may still change without notice.
    public func paperCreate(
        body: HTTPBody, _ argument: Files.PaperCreateArg
    ) -> RouteCall<Files.PaperCreateResult, Files.PaperCreateError> {
        client.call(Files.Routes.paperCreate, argument, body: body)
    }

    /// Calls `files/paper/create`.
    ///
    /// The token needs the scope `files.content.write`.
    ///
    /// It may still change without notice.
    public func paperCreate(
        body: HTTPBody, path: String, importFormat: Files.ImportFormat
    ) -> RouteCall<Files.PaperCreateResult, Files.PaperCreateError> {
        paperCreate(body: body, Files.PaperCreateArg(path: path, importFormat: importFormat))
    }

    /// Calls `files/paper/update`.
    ///
    /// The token needs the scope `files.content.write`.
    ///
    /// It may still change without notice.
    public func paperUpdate(
        body: HTTPBody, _ argument: Files.PaperUpdateArg
    ) -> RouteCall<Files.PaperUpdateResult, Files.PaperUpdateError> {
        client.call(Files.Routes.paperUpdate, argument, body: body)
    }

    /// Calls `files/paper/update`.
    ///
    /// The token needs the scope `files.content.write`.
    ///
    /// It may still change without notice.
    public func paperUpdate(
        body: HTTPBody, path: String, importFormat: Files.ImportFormat, docUpdatePolicy: Files.PaperDocUpdatePolicy,
        paperRevision: Int64? = nil
    ) -> RouteCall<Files.PaperUpdateResult, Files.PaperUpdateError> {
        paperUpdate(body: body, Files.PaperUpdateArg(path: path, importFormat: importFormat, docUpdatePolicy: docUpdatePolicy, paperRevision: paperRevision))
    }

    /// Calls `files/permanently_delete`.
    ///
    /// The token needs the scope `files.permanent_delete`.
    public func permanentlyDelete(_ argument: Files.DeleteArg) -> RouteCall<Void, Files.DeleteError> {
        client.call(Files.Routes.permanentlyDelete, argument)
    }

    /// Calls `files/permanently_delete`.
    ///
    /// The token needs the scope `files.permanent_delete`.
    public func permanentlyDelete(path: String, parentRev: String? = nil) -> RouteCall<Void, Files.DeleteError> {
        permanentlyDelete(Files.DeleteArg(path: path, parentRev: parentRev))
    }

    /// Calls `files/properties/add`.
    ///
    /// The token needs the scope `files.metadata.write`.
    @available(*, deprecated)
    public func propertiesAdd(
        _ argument: FileProperties.AddPropertiesArg
    ) -> RouteCall<Void, FileProperties.AddPropertiesError> {
        client.call(Files.Routes.propertiesAdd, argument)
    }

    /// Calls `files/properties/add`.
    ///
    /// The token needs the scope `files.metadata.write`.
    @available(*, deprecated)
    public func propertiesAdd(
        path: String, propertyGroups: [FileProperties.PropertyGroup]
    ) -> RouteCall<Void, FileProperties.AddPropertiesError> {
        propertiesAdd(FileProperties.AddPropertiesArg(path: path, propertyGroups: propertyGroups))
    }

    /// Calls `files/properties/overwrite`.
    ///
    /// The token needs the scope `files.metadata.write`.
    @available(*, deprecated)
    public func propertiesOverwrite(
        _ argument: FileProperties.OverwritePropertyGroupArg
    ) -> RouteCall<Void, FileProperties.InvalidPropertyGroupError> {
        client.call(Files.Routes.propertiesOverwrite, argument)
    }

    /// Calls `files/properties/overwrite`.
    ///
    /// The token needs the scope `files.metadata.write`.
    @available(*, deprecated)
    public func propertiesOverwrite(
        path: String, propertyGroups: [FileProperties.PropertyGroup]
    ) -> RouteCall<Void, FileProperties.InvalidPropertyGroupError> {
        propertiesOverwrite(FileProperties.OverwritePropertyGroupArg(path: path, propertyGroups: propertyGroups))
    }

    /// Calls `files/properties/update`.
    ///
    /// The token needs the scope `files.metadata.write`.
    @available(*, deprecated)
    public func propertiesUpdate(
        _ argument: FileProperties.UpdatePropertiesArg
    ) -> RouteCall<Void, FileProperties.UpdatePropertiesError> {
        client.call(Files.Routes.propertiesUpdate, argument)
    }

    /// Calls `files/properties/update`.
    ///
    /// The token needs the scope `files.metadata.write`.
    @available(*, deprecated)
    public func propertiesUpdate(
        path: String, updatePropertyGroups: [FileProperties.PropertyGroupUpdate]
    ) -> RouteCall<Void, FileProperties.UpdatePropertiesError> {
        propertiesUpdate(FileProperties.UpdatePropertiesArg(path: path, updatePropertyGroups: updatePropertyGroups))
    }

    /// Calls `files/restore`.
    ///
    /// The token needs the scope `files.content.write`.
    public func restore(_ argument: Files.RestoreArg) -> RouteCall<Files.FileMetadata, Files.RestoreError> {
        client.call(Files.Routes.restore, argument)
    }

    /// Calls `files/restore`.
    ///
    /// The token needs the scope `files.content.write`.
    public func restore(path: String, rev: String) -> RouteCall<Files.FileMetadata, Files.RestoreError> {
        restore(Files.RestoreArg(path: path, rev: rev))
    }

    /// Calls `files/save_url`.
    ///
    /// The token needs the scope `files.content.write`.
    public func saveURL(
        _ argument: Files.SaveUrlArg
    ) -> JobCall<Files.SaveUrlResult, Files.SaveUrlJobStatus, Files.FileMetadata, Files.SaveUrlError, Async.PollError> {
        JobCall(client.call(Files.Routes.saveURL, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.saveURLCheckJobStatus, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/save_url`.
    ///
    /// The token needs the scope `files.content.write`.
    public func saveURL(
        path: String, url: String
    ) -> JobCall<Files.SaveUrlResult, Files.SaveUrlJobStatus, Files.FileMetadata, Files.SaveUrlError, Async.PollError> {
        saveURL(Files.SaveUrlArg(path: path, url: url))
    }

    /// Calls `files/save_url/check_job_status`.
    ///
    /// The token needs the scope `files.content.write`.
    public func saveURLCheckJobStatus(_ argument: Async.PollArg) -> RouteCall<Files.SaveUrlJobStatus, Async.PollError> {
        client.call(Files.Routes.saveURLCheckJobStatus, argument)
    }

    /// Calls `files/save_url/check_job_status`.
    ///
    /// The token needs the scope `files.content.write`.
    public func saveURLCheckJobStatus(asyncJobID: String) -> RouteCall<Files.SaveUrlJobStatus, Async.PollError> {
        saveURLCheckJobStatus(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/search`.
    ///
    /// The token needs the scope `files.metadata.read`.
    @available(*, deprecated)
    public func search(_ argument: Files.SearchArg) -> RouteCall<Files.SearchResult, Files.SearchError> {
        client.call(Files.Routes.search, argument)
    }

    /// Calls `files/search`.
    ///
    /// The token needs the scope `files.metadata.read`.
    @available(*, deprecated)
    public func search(
        path: String, query: String, start: UInt64 = 0, maxResults: UInt64 = 100,
        mode: Files.SearchMode = Files.SearchMode.filename
    ) -> RouteCall<Files.SearchResult, Files.SearchError> {
        search(Files.SearchArg(path: path, query: query, start: start, maxResults: maxResults, mode: mode))
    }

    /// Calls `files/search_v2`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func searchV2(
        _ argument: Files.SearchV2Arg
    ) -> PagedCall<Files.SearchV2Result, Files.SearchMatchV2, Files.SearchError, Files.SearchError> {
        PagedCall(client.call(Files.Routes.searchV2, argument), list: { $0.matches }, following: { page in page.hasMore ? page.cursor.map { client.call(Files.Routes.searchContinueV2, Files.SearchV2ContinueArg(cursor: $0)) } : nil })
    }

    /// Calls `files/search_v2`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func searchV2(
        query: String, options: Files.SearchOptions? = nil, matchFieldOptions: Files.SearchMatchFieldOptions? = nil,
        includeHighlights: Bool? = nil
    ) -> PagedCall<Files.SearchV2Result, Files.SearchMatchV2, Files.SearchError, Files.SearchError> {
        searchV2(Files.SearchV2Arg(query: query, options: options, matchFieldOptions: matchFieldOptions, includeHighlights: includeHighlights))
    }

    /// Calls `files/search/continue_v2`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func searchContinueV2(
        _ argument: Files.SearchV2ContinueArg
    ) -> RouteCall<Files.SearchV2Result, Files.SearchError> {
        client.call(Files.Routes.searchContinueV2, argument)
    }

    /// Calls `files/search/continue_v2`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func searchContinueV2(cursor: String) -> RouteCall<Files.SearchV2Result, Files.SearchError> {
        searchContinueV2(Files.SearchV2ContinueArg(cursor: cursor))
    }

    /// Calls `files/tags/add`.
    ///
    /// The token needs the scope `files.metadata.write`.
    ///
    /// It may still change without notice.
    public func tagsAdd(_ argument: Files.AddTagArg) -> RouteCall<Void, Files.AddTagError> {
        client.call(Files.Routes.tagsAdd, argument)
    }

    /// Calls `files/tags/add`.
    ///
    /// The token needs the scope `files.metadata.write`.
    ///
    /// It may still change without notice.
    public func tagsAdd(path: String, tagText: String) -> RouteCall<Void, Files.AddTagError> {
        tagsAdd(Files.AddTagArg(path: path, tagText: tagText))
    }

    /// Calls `files/tags/get`.
    ///
    /// The token needs the scope `files.metadata.read`.
    ///
    /// It may still change without notice.
    public func tagsGet(_ argument: Files.GetTagsArg) -> RouteCall<Files.GetTagsResult, Files.BaseTagError> {
        client.call(Files.Routes.tagsGet, argument)
    }

    /// Calls `files/tags/get`.
    ///
    /// The token needs the scope `files.metadata.read`.
    ///
    /// It may still change without notice.
    public func tagsGet(paths: [String]) -> RouteCall<Files.GetTagsResult, Files.BaseTagError> {
        tagsGet(Files.GetTagsArg(paths: paths))
    }

    /// Calls `files/tags/remove`.
    ///
    /// The token needs the scope `files.metadata.write`.
    ///
    /// It may still change without notice.
    public func tagsRemove(_ argument: Files.RemoveTagArg) -> RouteCall<Void, Files.RemoveTagError> {
        client.call(Files.Routes.tagsRemove, argument)
    }

    /// Calls `files/tags/remove`.
    ///
    /// The token needs the scope `files.metadata.write`.
    ///
    /// It may still change without notice.
    public func tagsRemove(path: String, tagText: String) -> RouteCall<Void, Files.RemoveTagError> {
        tagsRemove(Files.RemoveTagArg(path: path, tagText: tagText))
    }

    /// Calls `files/unlock_file_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func unlockFileBatch(
        _ argument: Files.UnlockFileBatchArg
    ) -> RouteCall<Files.LockFileBatchResult, Files.LockFileError> {
        client.call(Files.Routes.unlockFileBatch, argument)
    }

    /// Calls `files/unlock_file_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func unlockFileBatch(
        entries: [Files.UnlockFileArg]
    ) -> RouteCall<Files.LockFileBatchResult, Files.LockFileError> {
        unlockFileBatch(Files.UnlockFileBatchArg(entries: entries))
    }

    /// Calls `files/upload`.
    ///
    /// The token needs the scope `files.content.write`.
    public func upload(
        body: HTTPBody, _ argument: Files.UploadArg
    ) -> RouteCall<Files.FileMetadata, Files.UploadError> {
        client.call(Files.Routes.upload, argument, body: body)
    }

    /// Calls `files/upload`.
    ///
    /// The token needs the scope `files.content.write`.
    public func upload(
        body: HTTPBody, path: String, mode: Files.WriteMode = Files.WriteMode.add, autorename: Bool = false,
        clientModified: Date? = nil, mute: Bool = false, propertyGroups: [FileProperties.PropertyGroup]? = nil,
        strictConflict: Bool = false, contentHash: String? = nil
    ) -> RouteCall<Files.FileMetadata, Files.UploadError> {
        upload(body: body, Files.UploadArg(path: path, mode: mode, autorename: autorename, clientModified: clientModified, mute: mute, propertyGroups: propertyGroups, strictConflict: strictConflict, contentHash: contentHash))
    }

    /// Calls `files/upload_session/append`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func uploadSessionAppend(
        body: HTTPBody, _ argument: Files.UploadSessionCursor
    ) -> RouteCall<Void, Files.UploadSessionAppendError> {
        client.call(Files.Routes.uploadSessionAppend, argument, body: body)
    }

    /// Calls `files/upload_session/append`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func uploadSessionAppend(
        body: HTTPBody, sessionID: String, offset: UInt64
    ) -> RouteCall<Void, Files.UploadSessionAppendError> {
        uploadSessionAppend(body: body, Files.UploadSessionCursor(sessionID: sessionID, offset: offset))
    }

    /// Calls `files/upload_session/append_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionAppendV2(
        body: HTTPBody, _ argument: Files.UploadSessionAppendArg
    ) -> RouteCall<Void, Files.UploadSessionAppendError> {
        client.call(Files.Routes.uploadSessionAppendV2, argument, body: body)
    }

    /// Calls `files/upload_session/append_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionAppendV2(
        body: HTTPBody, cursor: Files.UploadSessionCursor, close: Bool = false, contentHash: String? = nil
    ) -> RouteCall<Void, Files.UploadSessionAppendError> {
        uploadSessionAppendV2(body: body, Files.UploadSessionAppendArg(cursor: cursor, close: close, contentHash: contentHash))
    }

    /// Calls `files/upload_session/append_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionAppendBatch(
        body: HTTPBody, _ argument: Files.UploadSessionAppendBatchArg
    ) -> RouteCall<Files.UploadSessionAppendBatchResult, Files.UploadSessionAppendBatchError> {
        client.call(Files.Routes.uploadSessionAppendBatch, argument, body: body)
    }

    /// Calls `files/upload_session/append_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionAppendBatch(
        body: HTTPBody, entries: [Files.UploadSessionAppendBatchArgEntry], contentHash: String? = nil
    ) -> RouteCall<Files.UploadSessionAppendBatchResult, Files.UploadSessionAppendBatchError> {
        uploadSessionAppendBatch(body: body, Files.UploadSessionAppendBatchArg(entries: entries, contentHash: contentHash))
    }

    /// Calls `files/upload_session/finish`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionFinish(
        body: HTTPBody, _ argument: Files.UploadSessionFinishArg
    ) -> RouteCall<Files.FileMetadata, Files.UploadSessionFinishError> {
        client.call(Files.Routes.uploadSessionFinish, argument, body: body)
    }

    /// Calls `files/upload_session/finish`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionFinish(
        body: HTTPBody, cursor: Files.UploadSessionCursor, commit: Files.CommitInfo, contentHash: String? = nil
    ) -> RouteCall<Files.FileMetadata, Files.UploadSessionFinishError> {
        uploadSessionFinish(body: body, Files.UploadSessionFinishArg(cursor: cursor, commit: commit, contentHash: contentHash))
    }

    /// Calls `files/upload_session/finish_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func uploadSessionFinishBatch(
        _ argument: Files.UploadSessionFinishBatchArg
    ) -> JobCall<Files.UploadSessionFinishBatchLaunch, Files.UploadSessionFinishBatchJobStatus, Files.UploadSessionFinishBatchResult, Never, Async.PollError> {
        JobCall(client.call(Files.Routes.uploadSessionFinishBatch, argument), start: { $0.jobState() }, state: { $0.jobState() }, check: { client.call(Files.Routes.uploadSessionFinishBatchCheck, Async.PollArg(asyncJobID: $0)) })
    }

    /// Calls `files/upload_session/finish_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    @available(*, deprecated)
    public func uploadSessionFinishBatch(
        entries: [Files.UploadSessionFinishArg]
    ) -> JobCall<Files.UploadSessionFinishBatchLaunch, Files.UploadSessionFinishBatchJobStatus, Files.UploadSessionFinishBatchResult, Never, Async.PollError> {
        uploadSessionFinishBatch(Files.UploadSessionFinishBatchArg(entries: entries))
    }

    /// Calls `files/upload_session/finish_batch_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionFinishBatchV2(
        _ argument: Files.UploadSessionFinishBatchArg
    ) -> RouteCall<Files.UploadSessionFinishBatchResult, Never> {
        client.call(Files.Routes.uploadSessionFinishBatchV2, argument)
    }

    /// Calls `files/upload_session/finish_batch_v2`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionFinishBatchV2(
        entries: [Files.UploadSessionFinishArg]
    ) -> RouteCall<Files.UploadSessionFinishBatchResult, Never> {
        uploadSessionFinishBatchV2(Files.UploadSessionFinishBatchArg(entries: entries))
    }

    /// Calls `files/upload_session/finish_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionFinishBatchCheck(
        _ argument: Async.PollArg
    ) -> RouteCall<Files.UploadSessionFinishBatchJobStatus, Async.PollError> {
        client.call(Files.Routes.uploadSessionFinishBatchCheck, argument)
    }

    /// Calls `files/upload_session/finish_batch/check`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionFinishBatchCheck(
        asyncJobID: String
    ) -> RouteCall<Files.UploadSessionFinishBatchJobStatus, Async.PollError> {
        uploadSessionFinishBatchCheck(Async.PollArg(asyncJobID: asyncJobID))
    }

    /// Calls `files/upload_session/start`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionStart(
        body: HTTPBody, _ argument: Files.UploadSessionStartArg
    ) -> RouteCall<Files.UploadSessionStartResult, Files.UploadSessionStartError> {
        client.call(Files.Routes.uploadSessionStart, argument, body: body)
    }

    /// Calls `files/upload_session/start`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionStart(
        body: HTTPBody, close: Bool = false, sessionType: Files.UploadSessionType? = nil, contentHash: String? = nil
    ) -> RouteCall<Files.UploadSessionStartResult, Files.UploadSessionStartError> {
        uploadSessionStart(body: body, Files.UploadSessionStartArg(close: close, sessionType: sessionType, contentHash: contentHash))
    }

    /// Calls `files/upload_session/start_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionStartBatch(
        _ argument: Files.UploadSessionStartBatchArg
    ) -> RouteCall<Files.UploadSessionStartBatchResult, Never> {
        client.call(Files.Routes.uploadSessionStartBatch, argument)
    }

    /// Calls `files/upload_session/start_batch`.
    ///
    /// The token needs the scope `files.content.write`.
    public func uploadSessionStartBatch(
        numSessions: UInt64, sessionType: Files.UploadSessionType? = nil
    ) -> RouteCall<Files.UploadSessionStartBatchResult, Never> {
        uploadSessionStartBatch(Files.UploadSessionStartBatchArg(numSessions: numSessions, sessionType: sessionType))
    }
}
