// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Users {
    /// The routes of `users`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var featuresGetValues: Route<RPC, Users.UserFeaturesGetValuesBatchArg, Users.UserFeaturesGetValuesBatchResult, Users.UserFeaturesGetValuesBatchError> {
            Route(RouteInfo(
                "users", "features/get_values", scope: "account_info.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getAccount: Route<RPC, Users.GetAccountArg, Users.BasicAccount, Users.GetAccountError> {
            Route(RouteInfo(
                "users", "get_account", scope: "sharing.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var getAccountBatch: Route<RPC, Users.GetAccountBatchArg, [Users.BasicAccount], Users.GetAccountBatchError> {
            Route(RouteInfo(
                "users", "get_account_batch", scope: "sharing.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .type, .list(.type), .type)
        }

        @inline(never)
        public static var getCurrentAccount: Route<RPC, Void, Users.FullAccount, Never> {
            Route(RouteInfo(
                "users", "get_current_account", scope: "account_info.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .void, .type)
        }

        @inline(never)
        public static var getSpaceUsage: Route<RPC, Void, Users.SpaceUsage, Never> {
            Route(RouteInfo(
                "users", "get_space_usage", scope: "account_info.read", isRead: true,
                attributes: ["allow_app_folder_app": "true"]
            ), .void, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [featuresGetValues.info, getAccount.info, getAccountBatch.info, getCurrentAccount.info, getSpaceUsage.info]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `users`.
    public var users: RouteGroup<Users> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Users> {
    /// Calls `users/features/get_values`.
    ///
    /// The token needs the scope `account_info.read`.
    public func featuresGetValues(
        _ argument: Users.UserFeaturesGetValuesBatchArg
    ) -> RouteCall<Users.UserFeaturesGetValuesBatchResult, Users.UserFeaturesGetValuesBatchError> {
        client.call(Users.Routes.featuresGetValues, argument)
    }

    /// Calls `users/features/get_values`.
    ///
    /// The token needs the scope `account_info.read`.
    public func featuresGetValues(
        features: [Users.UserFeature]
    ) -> RouteCall<Users.UserFeaturesGetValuesBatchResult, Users.UserFeaturesGetValuesBatchError> {
        featuresGetValues(Users.UserFeaturesGetValuesBatchArg(features: features))
    }

    /// Calls `users/get_account`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getAccount(_ argument: Users.GetAccountArg) -> RouteCall<Users.BasicAccount, Users.GetAccountError> {
        client.call(Users.Routes.getAccount, argument)
    }

    /// Calls `users/get_account`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getAccount(accountID: String) -> RouteCall<Users.BasicAccount, Users.GetAccountError> {
        getAccount(Users.GetAccountArg(accountID: accountID))
    }

    /// Calls `users/get_account_batch`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getAccountBatch(
        _ argument: Users.GetAccountBatchArg
    ) -> RouteCall<[Users.BasicAccount], Users.GetAccountBatchError> {
        client.call(Users.Routes.getAccountBatch, argument)
    }

    /// Calls `users/get_account_batch`.
    ///
    /// The token needs the scope `sharing.read`.
    public func getAccountBatch(accountIDs: [String]) -> RouteCall<[Users.BasicAccount], Users.GetAccountBatchError> {
        getAccountBatch(Users.GetAccountBatchArg(accountIDs: accountIDs))
    }

    /// Calls `users/get_current_account`.
    ///
    /// The token needs the scope `account_info.read`.
    public func getCurrentAccount() -> RouteCall<Users.FullAccount, Never> {
        client.call(Users.Routes.getCurrentAccount, ())
    }

    /// Calls `users/get_space_usage`.
    ///
    /// The token needs the scope `account_info.read`.
    public func getSpaceUsage() -> RouteCall<Users.SpaceUsage, Never> {
        client.call(Users.Routes.getSpaceUsage, ())
    }
}
