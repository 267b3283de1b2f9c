// SPDX-License-Identifier: Apache-2.0

/// A function of an API as a value: its name and what goes in and comes out.
///
/// Generated code has one for every route of a spec. One can be written by hand as well, such as for a route that is
/// not public yet; ``StoneClient/call(_:_:)`` sends any of them.
public struct Route<Style: RouteStyle, Argument: Sendable, Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// Everything about the route but its types.
    public let info: RouteInfo
    /// How its argument is written.
    public let argument: StoneCoding<Argument>
    /// How its result is read.
    public let output: StoneCoding<Output>
    /// How its own failure is read; `nil` when it has none.
    public let failure: StoneCoding<Failure>?

    /// Makes a route.
    public init(
        _ info: RouteInfo, _ argument: StoneCoding<Argument>, _ output: StoneCoding<Output>,
        _ failure: StoneCoding<Failure>?
    ) {
        self.info = RouteInfo(info, style: Style.name)
        self.argument = argument
        self.output = output
        self.failure = failure
    }
}

extension Route where Failure == Never {
    /// Makes a route that has no failure of its own.
    public init(_ info: RouteInfo, _ argument: StoneCoding<Argument>, _ output: StoneCoding<Output>) {
        self.init(info, argument, output, nil)
    }
}

/// How argument, result and bodies of a route travel.
public protocol RouteStyle {
    /// The style's name in the specs' attribute `style`.
    static var name: String { get }
}

/// Argument and result are the bodies.
public enum RPC: RouteStyle {
    /// `rpc`.
    public static let name = "rpc"
}

/// The argument is a header field, the request's body is content, the result is the body of the answer.
public enum Upload: RouteStyle {
    /// `upload`.
    public static let name = "upload"
}

/// The argument is a header field, the result is one of the answer, whose body is content.
public enum Download: RouteStyle {
    /// `download`.
    public static let name = "download"
}

/// Everything that a spec says about a route but its types.
public struct RouteInfo: Sendable, Hashable {
    private struct Content: Hashable {
        let namespace: String
        let name: String
        let version: Int
        var style = "rpc"
        let host: String
        let auth: [String]
        let scope: String?
        let isDeprecated: Bool
        let isPreview: Bool
        let isRead: Bool
        let attributes: [String: String]
    }

    /// Kept as one word, so that a route is a few words that generated code hands on.
    private final class Box: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    private let box: Box

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - namespace: the namespace, as the spec has it.
    ///   - name: the name without its version; it may have slashes.
    ///   - version: the version, from 1.
    ///   - host: the host's name in the specs.
    ///   - auth: who may call it; `nil` for `user` alone.
    ///   - scope: the permission that a token must have; `nil` for none.
    ///   - isDeprecated: whether it should not be used any more.
    ///   - isPreview: whether it may still change without notice.
    ///   - isRead: whether it changes nothing on the server.
    ///   - attributes: the other attributes that differ from their defaults; of two with one name the last one counts.
    public init(
        _ namespace: String, _ name: String, version: Int = 1, host: String = "api", auth: [String]? = nil,
        scope: String? = nil, isDeprecated: Bool = false, isPreview: Bool = false, isRead: Bool = false,
        attributes: KeyValuePairs<String, String>? = nil
    ) {
        box = Box(
            Content(
                namespace: namespace, name: name, version: version, host: host, auth: auth ?? ["user"], scope: scope,
                isDeprecated: isDeprecated, isPreview: isPreview, isRead: isRead,
                attributes: Dictionary((attributes ?? [:]).map { ($0.key, $0.value) }) { $1 }))
    }

    init(_ info: RouteInfo, style: String) {
        var content = info.box.content
        content.style = style
        box = Box(content)
    }

    /// Whether the specs say the same.
    public static func == (left: RouteInfo, right: RouteInfo) -> Bool { left.box.content == right.box.content }

    /// Feeds what the specs say to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.content)
    }
}

extension RouteInfo {
    /// The namespace, as the spec has it.
    public var namespace: String { box.content.namespace }
    /// The name without its version; it may have slashes.
    public var name: String { box.content.name }
    /// The version, from 1.
    public var version: Int { box.content.version }
    /// How argument and result travel: `rpc`, `upload` or `download`.
    public var style: String { box.content.style }
    /// The host's name in the specs, such as `api` or `content`.
    public var host: String { box.content.host }
    /// Who may call it, such as `user`, `team`, `app` or `noauth`.
    public var auth: [String] { box.content.auth }
    /// The permission that a token must have; `nil` for none.
    public var scope: String? { box.content.scope }
    /// Whether it should not be used any more.
    public var isDeprecated: Bool { box.content.isDeprecated }
    /// Whether it may still change without notice.
    public var isPreview: Bool { box.content.isPreview }
    /// Whether it changes nothing on the server, so that it can be sent again at any time.
    public var isRead: Bool { box.content.isRead }
    /// The other attributes that differ from their defaults, as text.
    public var attributes: [String: String] { box.content.attributes }

    /// The name as it stands in a URL: from version 2 on with `_v2` at its end.
    public var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// The name by which a registry finds the route: `files/list_folder`.
    public var id: String { "\(namespace)/\(wireName)" }
}
