// SPDX-License-Identifier: Apache-2.0

import RestSDK
public import RestTransport

/// The servers of Dropbox; for tests, servers of your own.
///
/// ```swift
/// let hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: 8080))
/// ```
public struct DropboxHosts: Sendable, Hashable {
    /// What a host is for.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Calls without content.
        case api
        /// Calls with content.
        case content
        /// Calls that give content, where they have a host of their own.
        case download
        /// Calls that wait for news.
        case notify
    }

    /// The host of calls without content, and of the tokens.
    public var api = Origin(scheme: .https, host: "api.dropboxapi.com")
    /// The host of calls with content.
    public var content = Origin(scheme: .https, host: "content.dropboxapi.com")
    /// The host of calls that give content; `nil` takes ``content``.
    public var download: Origin?
    /// The host of calls that wait for news.
    public var notify = Origin(scheme: .https, host: "notify.dropboxapi.com")
    /// The host of the page where users log in.
    public var web = Origin(scheme: .https, host: "www.dropbox.com")
    /// Header fields of every call to a host; those of the call itself win, except that an `Authorization` among them
    /// is sent in place of the token.
    public var fields: [Role: HTTPFields] = [:]

    /// The hosts of Dropbox.
    public init() {}

    /// One server that does it all.
    public init(all origin: Origin) {
        (api, content, notify, web) = (origin, origin, origin, origin)
    }

    /// How many bytes one request may upload.
    static let largestUpload = 150 << 20

    /// The hosts as services of a client, each below `/2`.
    var addresses: [RestRequest.Service: RestRequest.Service.Address] {
        let pairs = Role.allCases.map { role in
            (
                RestRequest.Service.service(role.rawValue),
                RestRequest.Service.Address(
                    origin: origin(of: role), basePath: "/2",
                    fields: fields[role] ?? (role == .download ? fields[.content] : nil) ?? [:],
                    maximumBodySize: role == .content ? Self.largestUpload : RestRequest.maximumBodySize)
            )
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func origin(of role: Role) -> Origin {
        switch role {
        case .api: api
        case .content: content
        case .download: download ?? content
        case .notify: notify
        }
    }
}
