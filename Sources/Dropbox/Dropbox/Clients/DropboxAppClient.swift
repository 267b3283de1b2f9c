// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import StoneRuntime

/// Calls Dropbox for the app itself, with its key and secret, where no user is needed.
///
/// A route that needs somebody's token fails with `RestError.Code.invalidRequest`; nothing is sent then.
public struct DropboxAppClient: DropboxCaller {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - app: the app with key and secret, and where Dropbox is.
    ///   - configuration: everything else.
    public init(app: DropboxApp, configuration: RestClient.Configuration = RestClient.Configuration()) {
        routes = app.routes(nil, configuration)
    }
}
