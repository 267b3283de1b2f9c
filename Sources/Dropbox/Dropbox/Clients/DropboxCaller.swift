// SPDX-License-Identifier: Apache-2.0

public import StoneRuntime

/// What calls Dropbox's routes for somebody: a user, a team or the app itself.
///
/// Every namespace of the routes is a property, those of sources that you generate as well:
///
/// ```swift
/// let page = try await box.files.listFolder(path: "").value
/// ```
@dynamicMemberLookup
public protocol DropboxCaller: Sendable {
    /// Calls the routes; for those that no property has, such as routes you wrote by hand.
    var routes: StoneClient { get }
}

extension DropboxCaller {
    /// The routes of a namespace.
    public subscript<Namespace>(
        dynamicMember namespace: KeyPath<StoneClient, RouteGroup<Namespace>>
    ) -> RouteGroup<Namespace> {
        routes[keyPath: namespace]
    }
}
