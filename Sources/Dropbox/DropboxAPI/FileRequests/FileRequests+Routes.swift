// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension FileRequests {
    /// The routes of `file_requests`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var count: Route<RPC, Void, FileRequests.CountFileRequestsResult, FileRequests.CountFileRequestsError> {
            Route(RouteInfo(
                "file_requests", "count", scope: "file_requests.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .void, .type, .type)
        }

        @inline(never)
        public static var create: Route<RPC, FileRequests.CreateFileRequestArgs, FileRequests.FileRequest, FileRequests.CreateFileRequestError> {
            Route(RouteInfo(
                "file_requests", "create", scope: "file_requests.write", attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var delete: Route<RPC, FileRequests.DeleteFileRequestArgs, FileRequests.DeleteFileRequestsResult, FileRequests.DeleteFileRequestError> {
            Route(RouteInfo(
                "file_requests", "delete", scope: "file_requests.write", attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var deleteAllClosed: Route<RPC, Void, FileRequests.DeleteAllClosedFileRequestsResult, FileRequests.DeleteAllClosedFileRequestsError> {
            Route(RouteInfo(
                "file_requests", "delete_all_closed", scope: "file_requests.write",
                attributes: ["allow_app_folder_app": "true"]
            ), .void, .type, .type)
        }

        @inline(never)
        public static var get: Route<RPC, FileRequests.GetFileRequestArgs, FileRequests.FileRequest, FileRequests.GetFileRequestError> {
            Route(RouteInfo(
                "file_requests", "get", scope: "file_requests.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var list: Route<RPC, Void, FileRequests.ListFileRequestsResult, FileRequests.ListFileRequestsError> {
            Route(RouteInfo(
                "file_requests", "list", scope: "file_requests.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .void, .type, .type)
        }

        @inline(never)
        public static var listV2: Route<RPC, FileRequests.ListFileRequestsArg, FileRequests.ListFileRequestsV2Result, FileRequests.ListFileRequestsError> {
            Route(RouteInfo(
                "file_requests", "list", version: 2, scope: "file_requests.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var listContinue: Route<RPC, FileRequests.ListFileRequestsContinueArg, FileRequests.ListFileRequestsV2Result, FileRequests.ListFileRequestsContinueError> {
            Route(RouteInfo(
                "file_requests", "list/continue", scope: "file_requests.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var update: Route<RPC, FileRequests.UpdateFileRequestArgs, FileRequests.FileRequest, FileRequests.UpdateFileRequestError> {
            Route(RouteInfo(
                "file_requests", "update", scope: "file_requests.write", attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [
                count.info, create.info, delete.info, deleteAllClosed.info, get.info, list.info, listV2.info,
                listContinue.info, update.info
            ]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `file_requests`.
    public var fileRequests: RouteGroup<FileRequests> { RouteGroup(self) }
}

nonisolated extension RouteGroup<FileRequests> {
    /// Calls `file_requests/count`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func count() -> RouteCall<FileRequests.CountFileRequestsResult, FileRequests.CountFileRequestsError> {
        client.call(FileRequests.Routes.count, ())
    }

    /// Calls `file_requests/create`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func create(
        _ argument: FileRequests.CreateFileRequestArgs
    ) -> RouteCall<FileRequests.FileRequest, FileRequests.CreateFileRequestError> {
        client.call(FileRequests.Routes.create, argument)
    }

    /// Calls `file_requests/create`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func create(
        title: String, destination: String, deadline: FileRequests.FileRequestDeadline? = nil, open: Bool = true,
        description: String? = nil, videoProjectID: String? = nil
    ) -> RouteCall<FileRequests.FileRequest, FileRequests.CreateFileRequestError> {
        create(FileRequests.CreateFileRequestArgs(title: title, destination: destination, deadline: deadline, open: open, description: description, videoProjectID: videoProjectID))
    }

    /// Calls `file_requests/delete`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func delete(
        _ argument: FileRequests.DeleteFileRequestArgs
    ) -> RouteCall<FileRequests.DeleteFileRequestsResult, FileRequests.DeleteFileRequestError> {
        client.call(FileRequests.Routes.delete, argument)
    }

    /// Calls `file_requests/delete`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func delete(
        ids: [String]
    ) -> RouteCall<FileRequests.DeleteFileRequestsResult, FileRequests.DeleteFileRequestError> {
        delete(FileRequests.DeleteFileRequestArgs(ids: ids))
    }

    /// Calls `file_requests/delete_all_closed`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func deleteAllClosed() -> RouteCall<FileRequests.DeleteAllClosedFileRequestsResult, FileRequests.DeleteAllClosedFileRequestsError> {
        client.call(FileRequests.Routes.deleteAllClosed, ())
    }

    /// Calls `file_requests/get`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func get(
        _ argument: FileRequests.GetFileRequestArgs
    ) -> RouteCall<FileRequests.FileRequest, FileRequests.GetFileRequestError> {
        client.call(FileRequests.Routes.get, argument)
    }

    /// Calls `file_requests/get`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func get(id: String) -> RouteCall<FileRequests.FileRequest, FileRequests.GetFileRequestError> {
        get(FileRequests.GetFileRequestArgs(id: id))
    }

    /// Calls `file_requests/list`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func list() -> RouteCall<FileRequests.ListFileRequestsResult, FileRequests.ListFileRequestsError> {
        client.call(FileRequests.Routes.list, ())
    }

    /// Calls `file_requests/list_v2`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func listV2(
        _ argument: FileRequests.ListFileRequestsArg
    ) -> PagedCall<FileRequests.ListFileRequestsV2Result, FileRequests.FileRequest, FileRequests.ListFileRequestsError, FileRequests.ListFileRequestsContinueError> {
        PagedCall(client.call(FileRequests.Routes.listV2, argument), list: { $0.fileRequests }, following: { $0.hasMore ? client.call(FileRequests.Routes.listContinue, FileRequests.ListFileRequestsContinueArg(cursor: $0.cursor)) : nil })
    }

    /// Calls `file_requests/list_v2`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func listV2(
        limit: UInt64 = 1000
    ) -> PagedCall<FileRequests.ListFileRequestsV2Result, FileRequests.FileRequest, FileRequests.ListFileRequestsError, FileRequests.ListFileRequestsContinueError> {
        listV2(FileRequests.ListFileRequestsArg(limit: limit))
    }

    /// Calls `file_requests/list/continue`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func listContinue(
        _ argument: FileRequests.ListFileRequestsContinueArg
    ) -> RouteCall<FileRequests.ListFileRequestsV2Result, FileRequests.ListFileRequestsContinueError> {
        client.call(FileRequests.Routes.listContinue, argument)
    }

    /// Calls `file_requests/list/continue`.
    ///
    /// The token needs the scope `file_requests.read`.
    public func listContinue(
        cursor: String
    ) -> RouteCall<FileRequests.ListFileRequestsV2Result, FileRequests.ListFileRequestsContinueError> {
        listContinue(FileRequests.ListFileRequestsContinueArg(cursor: cursor))
    }

    /// Calls `file_requests/update`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func update(
        _ argument: FileRequests.UpdateFileRequestArgs
    ) -> RouteCall<FileRequests.FileRequest, FileRequests.UpdateFileRequestError> {
        client.call(FileRequests.Routes.update, argument)
    }

    /// Calls `file_requests/update`.
    ///
    /// The token needs the scope `file_requests.write`.
    public func update(
        id: String, title: String? = nil, destination: String? = nil,
        deadline: FileRequests.UpdateFileRequestDeadline = FileRequests.UpdateFileRequestDeadline.noUpdate,
        open: Bool? = nil, description: String? = nil
    ) -> RouteCall<FileRequests.FileRequest, FileRequests.UpdateFileRequestError> {
        update(FileRequests.UpdateFileRequestArgs(id: id, title: title, destination: destination, deadline: deadline, open: open, description: description))
    }
}
