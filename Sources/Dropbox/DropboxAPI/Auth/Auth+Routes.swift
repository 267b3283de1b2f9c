// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Auth {
    /// The routes of `auth`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var tokenFromOauth1: Route<RPC, Auth.TokenFromOAuth1Arg, Auth.TokenFromOAuth1Result, Auth.TokenFromOAuth1Error> {
            Route(RouteInfo(
                "auth", "token/from_oauth1", auth: ["app"], isDeprecated: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var tokenRevoke: Route<RPC, Void, Void, Never> {
            Route(RouteInfo("auth", "token/revoke", attributes: ["allow_app_folder_app": "true"]), .void, .void)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [tokenFromOauth1.info, tokenRevoke.info]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `auth`.
    public var auth: RouteGroup<Auth> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Auth> {
    /// Calls `auth/token/from_oauth1`.
    @available(*, deprecated)
    public func tokenFromOauth1(
        _ argument: Auth.TokenFromOAuth1Arg
    ) -> RouteCall<Auth.TokenFromOAuth1Result, Auth.TokenFromOAuth1Error> {
        client.call(Auth.Routes.tokenFromOauth1, argument)
    }

    /// Calls `auth/token/from_oauth1`.
    @available(*, deprecated)
    public func tokenFromOauth1(
        oauth1Token: String, oauth1TokenSecret: String
    ) -> RouteCall<Auth.TokenFromOAuth1Result, Auth.TokenFromOAuth1Error> {
        tokenFromOauth1(Auth.TokenFromOAuth1Arg(oauth1Token: oauth1Token, oauth1TokenSecret: oauth1TokenSecret))
    }

    /// Calls `auth/token/revoke`.
    public func tokenRevoke() -> RouteCall<Void, Never> {
        client.call(Auth.Routes.tokenRevoke, ())
    }
}
