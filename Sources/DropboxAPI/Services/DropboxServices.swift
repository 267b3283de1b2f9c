// SPDX-License-Identifier: Apache-2.0

public import RestSDK

/// Where the hosts are that Dropbox's specs name.
///
/// ```swift
/// var configuration = RestClient.Configuration(services: DropboxServices.addresses)
/// let client = try RestClient(
///     instanceURL: "https://api.dropboxapi.com", accessToken: token, configuration: configuration)
/// let box = StoneClient(client)
/// ```
public enum DropboxServices {
    /// The addresses by the hosts' names: `api`, `content` and `notify`, each below `/2`.
    public static let addresses: [RestRequest.Service: RestRequest.Service.Address] = [
        .service("api"): address("api.dropboxapi.com"),
        .service("content"): address("content.dropboxapi.com"),
        .service("notify"): address("notify.dropboxapi.com"),
    ]

    private static func address(_ host: String) -> RestRequest.Service.Address {
        RestRequest.Service.Address(origin: Origin(scheme: .https, host: host), basePath: "/2")
    }
}
