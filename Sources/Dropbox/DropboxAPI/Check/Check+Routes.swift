// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Check {
    /// The routes of `check`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var app: Route<RPC, Check.EchoArg, Check.EchoResult, Check.EchoError> {
            Route(RouteInfo(
                "check", "app", auth: ["app"], isPreview: true, attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var user: Route<RPC, Check.EchoArg, Check.EchoResult, Check.EchoError> {
            Route(RouteInfo(
                "check", "user", scope: "account_info.read", isPreview: true, isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [app.info, user.info]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `check`.
    public var check: RouteGroup<Check> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Check> {
    /// Calls `check/app`.
    ///
    /// It may still change without notice.
    public func app(_ argument: Check.EchoArg) -> RouteCall<Check.EchoResult, Check.EchoError> {
        client.call(Check.Routes.app, argument)
    }

    /// Calls `check/app`.
    ///
    /// It may still change without notice.
    public func app(query: String = "") -> RouteCall<Check.EchoResult, Check.EchoError> {
        app(Check.EchoArg(query: query))
    }

    /// Calls `check/user`.
    ///
    /// The token needs the scope `account_info.read`.
    ///
    /// It may still change without notice.
    public func user(_ argument: Check.EchoArg) -> RouteCall<Check.EchoResult, Check.EchoError> {
        client.call(Check.Routes.user, argument)
    }

    /// Calls `check/user`.
    ///
    /// The token needs the scope `account_info.read`.
    ///
    /// It may still change without notice.
    public func user(query: String = "") -> RouteCall<Check.EchoResult, Check.EchoError> {
        user(Check.EchoArg(query: query))
    }
}
