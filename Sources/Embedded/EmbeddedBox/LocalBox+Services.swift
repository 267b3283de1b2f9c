// SPDX-License-Identifier: Apache-2.0

public import RestSDK

extension LocalBox {
    /// Where the hosts that Dropbox's specs name are at this box, in place of Dropbox's own addresses.
    ///
    /// ```swift
    /// let configuration = RestClient.Configuration(services: box.services)
    /// let client = try RestClient(
    ///     instanceURL: box.origin, accessToken: Secret(box.accessToken), configuration: configuration)
    /// let page = try await StoneClient(client).files.listFolder(path: "").value
    /// ```
    public var services: [RestRequest.Service: RestRequest.Service.Address] {
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
        let address = RestRequest.Service.Address(origin: origin, basePath: "/2")
        var content = address
        content.maximumBodySize = LocalBoxConfiguration().uploadLimit
        return [.service("api"): address, .service("content"): content, .service("notify"): address]
    }
}
