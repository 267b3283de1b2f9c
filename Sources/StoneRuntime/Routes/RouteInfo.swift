// SPDX-License-Identifier: Apache-2.0

/// Everything that a spec says about a route but its types.
public struct RouteInfo: Sendable, Hashable {
    /// The namespace, as the spec has it.
    public let namespace: String
    /// The name without its version; it may have slashes.
    public let name: String
    /// The version, from 1.
    public let version: Int
    /// How argument and result travel: `rpc`, `upload` or `download`.
    public private(set) var style = "rpc"
    /// The host's name in the specs, such as `api` or `content`.
    public let host: String
    /// Who may call it, such as `user`, `team`, `app` or `noauth`.
    public let auth: [String]
    /// The permission that a token must have; `nil` for none.
    public let scope: String?
    /// Whether it should not be used any more.
    public let isDeprecated: Bool
    /// Whether it may still change without notice.
    public let isPreview: Bool
    /// Whether it changes nothing on the server, so that it can be sent again at any time.
    public let isRead: Bool
    /// The other attributes that differ from their defaults, as text.
    public let attributes: [String: String]

    /// Makes a description.
    public init(
        _ namespace: String, _ name: String, version: Int = 1, host: String = "api", auth: [String] = ["user"],
        scope: String? = nil, isDeprecated: Bool = false, isPreview: Bool = false, isRead: Bool = false,
        attributes: [String: String] = [:]
    ) {
        self.namespace = namespace
        self.name = name
        self.version = version
        self.host = host
        self.auth = auth
        self.scope = scope
        self.isDeprecated = isDeprecated
        self.isPreview = isPreview
        self.isRead = isRead
        self.attributes = attributes
    }

    /// The name as it stands in a URL: from version 2 on with `_v2` at its end.
    public var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// The name by which a registry finds the route: `files/list_folder`.
    public var id: String { "\(namespace)/\(wireName)" }

    func styled(_ style: String) -> RouteInfo {
        var copy = self
        copy.style = style
        return copy
    }
}
