// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime
public import RestSDK

extension Notes {
    /// The routes of `notes`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var create: Route<RPC, Notes.CreateArg, Notes.Note, Notes.CreateError> {
            Route(RouteInfo("notes", "create", isDeprecated: true), .type, .type, .type)
        }

        @inline(never)
        public static var createV2: Route<Upload, Notes.CreateArg, Notes.Note, Notes.CreateError> {
            Route(RouteInfo(
                "notes", "create", version: 2, auth: ["app", "user"], scope: "notes.write", isPreview: true,
                attributes: ["retries": "3", "weight": "2.5"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var draw: Route<RPC, Notes.DrawArg, Notes.Shape, Notes.Finish> {
            Route(RouteInfo("notes", "draw"), .type, .type, .type)
        }

        @inline(never)
        public static var foldersAll: Route<RPC, Void, [Notes.Entry], Never> {
            Route(RouteInfo("notes", "folders/all", isDeprecated: true), .void, .list(.type))
        }

        @inline(never)
        public static var foldersList: Route<RPC, String, Notes.Page, Notes.LookupError> {
            Route(RouteInfo("notes", "folders/list", host: "content", isRead: true), .string, .type, .type)
        }

        @inline(never)
        public static var ping: Route<RPC, Void, String, Notes.Rating> {
            Route(RouteInfo("notes", "ping"), .void, .string, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [create.info, createV2.info, draw.info, foldersAll.info, foldersList.info, ping.info]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `notes`.
    public var notes: RouteGroup<Notes> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Notes> {
    /// Makes a note. Use `Notes.createV2`; see `Notes.CreateArg.text`, `Common.Person.id` and `Common.Person`.
    @available(*, deprecated, message: "use createV2")
    public func create(_ argument: Notes.CreateArg) -> RouteCall<Notes.Note, Notes.CreateError> {
        client.call(Notes.Routes.create, argument)
    }

    /// Makes a note. Use `Notes.createV2`; see `Notes.CreateArg.text`, `Common.Person.id` and `Common.Person`.
    @available(*, deprecated, message: "use createV2")
    public func create(
        text: String, folder: String? = nil, style: Common.Style = Common.Style.upload
    ) -> RouteCall<Notes.Note, Notes.CreateError> {
        create(Notes.CreateArg(text: text, folder: folder, style: style))
    }

    /// Makes a note in `Notes.CreateError.badName`'s place.
    ///
    /// The token needs the scope `notes.write`.
    ///
    /// It may still change without notice.
    public func createV2(body: HTTPBody, _ argument: Notes.CreateArg) -> RouteCall<Notes.Note, Notes.CreateError> {
        client.call(Notes.Routes.createV2, argument, body: body)
    }

    /// Makes a note in `Notes.CreateError.badName`'s place.
    ///
    /// The token needs the scope `notes.write`.
    ///
    /// It may still change without notice.
    public func createV2(
        body: HTTPBody, text: String, folder: String? = nil, style: Common.Style = Common.Style.upload
    ) -> RouteCall<Notes.Note, Notes.CreateError> {
        createV2(body: body, Notes.CreateArg(text: text, folder: folder, style: style))
    }

    /// Calls `notes/draw`.
    public func draw(_ argument: Notes.DrawArg) -> RouteCall<Notes.Shape, Notes.Finish> {
        client.call(Notes.Routes.draw, argument)
    }

    /// Calls `notes/draw`.
    public func draw(
        finish: Notes.Finish, bounds: Notes.Bounds, moments: Notes.Moments? = nil
    ) -> RouteCall<Notes.Shape, Notes.Finish> {
        draw(Notes.DrawArg(finish: finish, bounds: bounds, moments: moments))
    }

    /// Everything. [More](https://example.org/all)
    @available(*, deprecated)
    public func foldersAll() -> RouteCall<[Notes.Entry], Never> {
        client.call(Notes.Routes.foldersAll, ())
    }

    /// Calls `notes/folders/list`.
    public func foldersList(_ argument: String) -> RouteCall<Notes.Page, Notes.LookupError> {
        client.call(Notes.Routes.foldersList, argument)
    }

    /// Calls `notes/ping`.
    public func ping(_ argument: Void) -> RouteCall<String, Notes.Rating> {
        client.call(Notes.Routes.ping, argument)
    }
}
