// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

/// All routes of the module by name, such as `files/list_folder`.
nonisolated public enum DropboxAPIRegistry {
    /// The description of each route.
    public static let routes: [String: RouteInfo] = Dictionary(
        [Account.Routes.all, Auth.Routes.all, Check.Routes.all, Contacts.Routes.all, FileProperties.Routes.all, FileRequests.Routes.all, Files.Routes.all, Sharing.Routes.all, Users.Routes.all].joined().map { ($0.id, $0) }) { first, _ in first }
}
