// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Account {
    /// The routes of `account`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var deleteProfilePhoto: Route<RPC, Account.DeleteProfilePhotoArg, Account.DeleteProfilePhotoResult, Account.DeleteProfilePhotoError> {
            Route(RouteInfo("account", "delete_profile_photo", scope: "account_info.write"), .type, .type, .type)
        }

        @inline(never)
        public static var getPhoto: Route<Download, Account.AccountPhotoGetArg, Account.AccountPhotoGetResult, Account.AccountPhotoGetError> {
            Route(RouteInfo(
                "account", "get_photo", host: "content", scope: "account_info.read", isRead: true,
                attributes: ["allow_app_folder_app": "true", "select_admin_mode": "whole_team"]
            ), .type, .type, .type)
        }

        @inline(never)
        public static var setProfilePhoto: Route<RPC, Account.SetProfilePhotoArg, Account.SetProfilePhotoResult, Account.SetProfilePhotoError> {
            Route(RouteInfo("account", "set_profile_photo", scope: "account_info.write"), .type, .type, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [deleteProfilePhoto.info, getPhoto.info, setProfilePhoto.info]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `account`.
    public var account: RouteGroup<Account> { RouteGroup(self) }
}

nonisolated extension RouteGroup<Account> {
    /// Calls `account/delete_profile_photo`.
    ///
    /// The token needs the scope `account_info.write`.
    public func deleteProfilePhoto(
        _ argument: Account.DeleteProfilePhotoArg
    ) -> RouteCall<Account.DeleteProfilePhotoResult, Account.DeleteProfilePhotoError> {
        client.call(Account.Routes.deleteProfilePhoto, argument)
    }

    /// Calls `account/delete_profile_photo`.
    ///
    /// The token needs the scope `account_info.write`.
    public func deleteProfilePhoto() -> RouteCall<Account.DeleteProfilePhotoResult, Account.DeleteProfilePhotoError> {
        deleteProfilePhoto(Account.DeleteProfilePhotoArg())
    }

    /// Calls `account/get_photo`.
    ///
    /// The token needs the scope `account_info.read`.
    public func getPhoto(
        _ argument: Account.AccountPhotoGetArg
    ) -> DownloadCall<Account.AccountPhotoGetResult, Account.AccountPhotoGetError> {
        client.call(Account.Routes.getPhoto, argument)
    }

    /// Calls `account/get_photo`.
    ///
    /// The token needs the scope `account_info.read`.
    public func getPhoto(
        dbxAccountID: String, size: String, circleCrop: Bool, expectAccountPhoto: Bool
    ) -> DownloadCall<Account.AccountPhotoGetResult, Account.AccountPhotoGetError> {
        getPhoto(Account.AccountPhotoGetArg(dbxAccountID: dbxAccountID, size: size, circleCrop: circleCrop, expectAccountPhoto: expectAccountPhoto))
    }

    /// Calls `account/set_profile_photo`.
    ///
    /// The token needs the scope `account_info.write`.
    public func setProfilePhoto(
        _ argument: Account.SetProfilePhotoArg
    ) -> RouteCall<Account.SetProfilePhotoResult, Account.SetProfilePhotoError> {
        client.call(Account.Routes.setProfilePhoto, argument)
    }

    /// Calls `account/set_profile_photo`.
    ///
    /// The token needs the scope `account_info.write`.
    public func setProfilePhoto(
        photo: Account.PhotoSourceArg
    ) -> RouteCall<Account.SetProfilePhotoResult, Account.SetProfilePhotoError> {
        setProfilePhoto(Account.SetProfilePhotoArg(photo: photo))
    }
}
