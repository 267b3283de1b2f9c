// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// One call of a route as a value: an endpoint that any client can send in any calling style.
public struct RouteEndpoint<Output: Sendable, Failure: Error & Sendable>: Endpoint {
    /// The route.
    public let info: RouteInfo
    /// How long the call may take; `nil` takes the client's.
    public var timeout: Duration?
    /// Is told how far the bodies have come.
    var progress: TransferProgress.Handler?

    private let argument: @Sendable () throws(JSONEncodingError) -> [UInt8]
    private let output: StoneCoding<Output>
    private let failure: StoneCoding<Failure>?
    private let settings: StoneClient.Settings
    /// The content that is sent; `nil` where the argument is the body.
    private let body: HTTPBody?

    init<Style: RouteStyle, Argument>(
        _ route: Route<Style, Argument, Output, Failure>, _ argument: Argument, _ settings: StoneClient.Settings,
        body: HTTPBody? = nil
    ) {
        info = route.info
        let coding = route.argument
        self.argument = { () throws(JSONEncodingError) in try coding.encode(argument) }
        output = route.output
        failure = route.failure
        self.settings = settings
        self.body = route.info.style == Download.name ? .empty : body
    }

    /// The argument as JSON text.
    ///
    /// - Throws: `JSONEncodingError` for a value that cannot be written.
    public func argumentText() throws(JSONEncodingError) -> [UInt8] { try argument() }

    /// The request: a POST of the route's path at the route's host.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` for an argument that cannot be written, for a call of the app's own
    ///   where ``StoneClient/Settings/appAuthorization`` is missing, and for one that needs a token where the client
    ///   has none.
    public func makeRequest() throws(RestError) -> RestRequest {
        let text: [UInt8]
        do throws(JSONEncodingError) { text = try argument() } catch {
            throw RestError(.invalidRequest, "argument: \(error)", underlying: error)
        }
        var request = RestRequest(
            name: info.id, method: .post,
            resource: .data([info.namespace] + info.wireName.split(byte: "/").map(String.init)),
            service: .service(info.host), body: body ?? .bytes(text), expectation: .anything,
            effect: info.isRead ? .reads : .writes(idempotent: false))
        try authorize(&request)
        if body != nil { request.fields[settings.argumentField] = Self.headerText(text) }
        request.fields["Content-Type"] = contentType
        settings.prepare?(&request, info)
        if let timeout { request.timeout = timeout }
        return progress.map { request.reportingProgress(to: $0) } ?? request
    }

    /// The request of content that is read as it arrives.
    func makeStreamRequest() throws(RestError) -> RestRequest {
        var request = try makeRequest()
        guard let limit = settings.streamTimeout else { return request }
        (request.timeout, request.streamTimeout) = (timeout, limit)
        return request
    }

    /// The result in the body of an answer; in a header field for a route that gives content.
    ///
    /// - Throws: ``RestError/Code/decoding`` for an answer of another shape, ``RestError/Code/cancelled`` when the task
    ///   is cancelled while a long one is read.
    public func content(from response: RestResponse) throws -> Output {
        if info.style == Download.name { return try content(from: response.head) }
        do throws(JSONDecodingError) {
            return try decode(response.body)
        } catch {
            guard error.reason == .interrupted else { throw error }
            throw RestError(.cancelled, "cancelled while the response was read", response: response.head)
        }
    }

    /// The result in a body; none at all is that of a route without a result.
    func decode(_ body: [UInt8]) throws(JSONDecodingError) -> Output {
        if body.isEmpty, let nothing = () as? Output { return nothing }
        return try output.decode(body)
    }

    /// The result in a header field of an answer whose body is content.
    ///
    /// - Throws: ``RestError/Code/decoding`` when there is none, or one of another shape.
    public func content(from head: HTTPResponse.Head) throws(RestError) -> Output {
        guard let text = head.fields[settings.resultField] else {
            throw RestError(.decoding, "the response has no field \(settings.resultField)", response: head)
        }
        do throws(JSONDecodingError) {
            return try output.decode(Array(text.utf8))
        } catch {
            throw RestError(.decoding, "\(settings.resultField): \(error)", response: head, underlying: error)
        }
    }

    /// The route's own failure, which answers of status 409 have in their member `error`.
    public func routeError(from error: RestError) -> Failure? {
        guard error.status == 409, let failure, let value = error.bodyRoot?["error"] else { return nil }
        return try? failure.decode(value)
    }

    private var contentType: String? {
        guard info.style != Download.name else { return nil }
        return body == nil ? "application/json" : "application/octet-stream"
    }

    /// Chooses among nobody, the token and the app itself: the token wherever there is one and it can be used.
    private func authorize(_ request: inout RestRequest) throws(RestError) {
        request.isAuthorized = info.auth != ["noauth"]
        guard request.isAuthorized else { return }
        request.fields = settings.fields
        if settings.hasToken, info.auth.contains(where: { $0 != "app" }) { return }
        guard info.auth.contains("app") else {
            throw RestError(.invalidRequest, "\(info.id) needs the token of a \(info.auth.joined(separator: " or "))")
        }
        guard let authorization = settings.appAuthorization else {
            throw RestError(.invalidRequest, "the app itself calls \(info.id); set Settings.appAuthorization")
        }
        request.fields["Authorization"] = authorization.reveal()
    }

    /// JSON text in printable ASCII, as header fields take it: other UTF-16 units by their escapes.
    static func headerText(_ json: [UInt8]) -> String {
        var text = ""
        for unit in String(decoding: json, as: UTF8.self).utf16 {
            if unit < 0x7F, let scalar = Unicode.Scalar(unit) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}

extension StoneType {
    /// The value as JSON text in printable ASCII, as header fields take it.
    ///
    /// - Throws: `JSONEncodingError` as ``json()``.
    public func headerText() throws(JSONEncodingError) -> String {
        RouteEndpoint<Void, Never>.headerText(try json())
    }
}

/// What answers of routes say beside their typed failure: `CallError.route` carries the error that has it.
///
/// ```swift
/// } catch .route(.path(.notFound), let error) {
///     show(error.userMessage?.text ?? "There is no such file.")
/// }
/// ```
extension RestError {
    /// A text of the server for people, in a language that it chose.
    public struct UserMessage: Sendable, Hashable, CustomStringConvertible {
        /// The text.
        public let text: String
        /// The language, such as `en`; empty when the server did not say.
        public let locale: String

        /// The text.
        public var description: String { text }
    }

    /// The failure in a few words, for logs: the body's member `error_summary`, such as `path/not_found/..`.
    ///
    /// Do not compare it; the typed failure is for programs. `nil` when the body has none, or is longer than
    /// ``maximumBodySize``.
    public var errorSummary: String? { bodyRoot?["error_summary"]?.string }

    /// What people may be shown: the body's member `user_message`.
    ///
    /// `nil` when the body has none, as most have, or is longer than ``maximumBodySize``.
    public var userMessage: UserMessage? {
        let message = bodyRoot?["user_message"]
        guard let text = message?.string ?? message?["text"]?.string else { return nil }
        return UserMessage(text: text, locale: message?["locale"]?.string ?? "")
    }
}

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
