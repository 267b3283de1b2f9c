// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
import RestSDK
public import StoneRuntime

/// Calls Dropbox for one user.
///
/// ```swift
/// let box = DropboxClient(accessToken: token)
/// let file = try await box.files.getMetadata(path: "/plan.txt").value
/// ```
///
/// It is a value: clients that are derived from one share its pipeline, its tokens and its settings.
public struct DropboxClient: DropboxAccountClient {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client that calls its routes so.
    public init(routes: StoneClient) {
        self.routes = routes
    }

    /// The same client for paths below another root.
    ///
    /// - Parameter root: the root; `nil` is the user's own.
    /// - Returns: a client that shares everything else with this one.
    public func withPathRoot(_ root: Common.PathRoot?) -> DropboxClient {
        // A root that could not be written must not become the user's own: the server refuses this one.
        DropboxClient(routes: routes.with("Dropbox-API-Path-Root", root.map { (try? $0.headerText()) ?? "{}" }))
    }
}

extension StoneClient {
    /// The same client with a header field of the calls that are made for somebody.
    func with(_ field: String, _ value: String?) -> StoneClient {
        var copy = self
        copy.settings.fields[field] = value
        return copy
    }
}
