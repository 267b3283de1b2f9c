// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// One call of a route as a value, which any client can send in any calling style.
public struct RouteEndpoint<Output: Sendable, Failure: Error & Sendable>: Endpoint {
    /// The route.
    public let info: RouteInfo
    /// The timeout of the call, or `nil` for the client's timeout.
    public var timeout: Duration?
    var progress: TransferProgress.Handler?

    private let argument: @Sendable () throws(JSONEncodingError) -> [UInt8]
    private let output: StoneCoding<Output>
    private let failure: StoneCoding<Failure>?
    private let settings: StoneClient.Settings
    /// The content to send, or `nil` if the argument is the body.
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

    /// Returns the argument as JSON.
    ///
    /// - Throws: `JSONEncodingError` if a value cannot be encoded.
    public func argumentText() throws(JSONEncodingError) -> [UInt8] { try argument() }

    /// Creates the request, which is a POST to the route's path at its host.
    ///
    /// - Throws: `RestError.Code.invalidRequest` if the argument cannot be encoded, if the app itself must call the
    ///   route and ``StoneClient/Settings/appAuthorization`` is missing, or if the route requires a token and the
    ///   client has none.
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

    func makeStreamRequest() throws(RestError) -> RestRequest {
        var request = try makeRequest()
        guard let limit = settings.streamTimeout else { return request }
        (request.timeout, request.streamTimeout) = (timeout, limit)
        return request
    }

    /// Reads the result from the response body, or from a header if the route returns content.
    ///
    /// - Throws: `RestError.Code.decoding` for an unexpected response, `RestError.Code.cancelled` if the task is
    ///   cancelled while a long response is read.
    public func content(from response: RestResponse) throws -> Output {
        if info.style == Download.name { return try content(from: response.head) }
        do throws(JSONDecodingError) {
            return try decode(response.body)
        } catch {
            guard error.reason == .interrupted else { throw error }
            throw RestError(.cancelled, "cancelled while the answer was read", response: response.head)
        }
    }

    /// Decodes a result, and accepts an empty body for routes without a result.
    func decode(_ body: [UInt8]) throws(JSONDecodingError) -> Output {
        if body.isEmpty, let nothing = () as? Output { return nothing }
        return try output.decode(body)
    }

    /// Reads the result from the header of a response whose body is content.
    ///
    /// - Throws: `RestError.Code.decoding` if the header is missing or invalid.
    public func content(from head: HTTPResponse.Head) throws(RestError) -> Output {
        guard let text = head.fields[settings.resultField] else {
            throw RestError(.decoding, "the answer has no field \(settings.resultField)", response: head)
        }
        do throws(JSONDecodingError) {
            return try output.decode(Array(text.utf8))
        } catch {
            throw RestError(.decoding, "\(settings.resultField): \(error)", response: head, underlying: error)
        }
    }

    /// Returns the route's own error: the member `error` of a response with status 409.
    public func routeError(from error: RestError) -> Failure? {
        guard error.status == 409, let failure, let value = error.bodyRoot?["error"] else { return nil }
        return try? failure.decode(value)
    }

    private var contentType: String? {
        guard info.style != Download.name else { return nil }
        return body == nil ? "application/json" : "application/octet-stream"
    }

    /// Authorizes the request with the token if possible, otherwise as the app itself if the route allows it.
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

    /// Escapes JSON to printable ASCII for a header, with `\uXXXX` for other UTF-16 code units.
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
    /// Returns the value as JSON in printable ASCII, for a header.
    ///
    /// - Throws: `JSONEncodingError` as ``json()``.
    public func headerText() throws(JSONEncodingError) -> String {
        RouteEndpoint<Void, Never>.headerText(try json())
    }
}

/// The details of an error response other than its typed error, from the error in `CallError.route`.
///
/// ```swift
/// } catch .route(.path(.notFound), let error) {
///     show(error.userMessage?.text ?? "There is no such file.")
/// }
/// ```
extension RestError {
    /// A message from the server for people, in a language of the server's choice.
    public struct UserMessage: Sendable, Hashable, CustomStringConvertible {
        /// The message.
        public let text: String
        /// The language, such as `en`, or empty if the server did not name it.
        public let locale: String

        /// The message.
        public var description: String { text }
    }

    /// A short summary for logs: the body's member `error_summary`, such as `path/not_found/..`.
    ///
    /// Do not compare it, because programs should use the typed error. `nil` if the body has no such member or is
    /// longer than `maximumBodySize`.
    public var errorSummary: String? { bodyRoot?["error_summary"]?.string }

    /// A message that can be shown to people: the body's member `user_message`.
    ///
    /// Most responses have none. `nil` if it is missing or the body is longer than `maximumBodySize`.
    public var userMessage: UserMessage? {
        let message = bodyRoot?["user_message"]
        guard let text = message?.string ?? message?["text"]?.string else { return nil }
        return UserMessage(text: text, locale: message?["locale"]?.string ?? "")
    }
}

/// A route of an API as a value: its name, and the types of its argument, result and error.
///
/// Generated code has a value for every route of a spec. You can also write one by hand, for example for a route that
/// is not public yet. `StoneClient.call(_:_:)` sends all of them.
public struct Route<Style: RouteStyle, Argument: Sendable, Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// All properties of the route except its types.
    public let info: RouteInfo
    /// The coding of the argument.
    public let argument: StoneCoding<Argument>
    /// The coding of the result.
    public let output: StoneCoding<Output>
    /// The coding of the route's own error, if it has one.
    public let failure: StoneCoding<Failure>?

    /// Creates a route.
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
    /// Creates a route that has no errors except those of every call.
    public init(_ info: RouteInfo, _ argument: StoneCoding<Argument>, _ output: StoneCoding<Output>) {
        self.init(info, argument, output, nil)
    }
}

/// The way in which a route's argument, result and content are sent.
public protocol RouteStyle {
    /// The style's name in the specs' attribute `style`.
    static var name: String { get }
}

/// The argument and the result are the bodies.
public enum RPC: RouteStyle {
    /// `rpc`.
    public static let name = "rpc"
}

/// The argument is a header, the request body is content, and the result is the response body.
public enum Upload: RouteStyle {
    /// `upload`.
    public static let name = "upload"
}

/// The argument is a header, the result is a response header, and the response body is content.
public enum Download: RouteStyle {
    /// `download`.
    public static let name = "download"
}

/// All properties that a spec defines for a route, except its types.
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

    /// Stored as one word, so that generated code passes only a few words for each route.
    private final class Box: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    private let box: Box

    /// Creates the properties of a route.
    ///
    /// - Parameters:
    ///   - namespace: the namespace in the spec.
    ///   - name: the name without its version, which can contain slashes.
    ///   - version: the version, from 1.
    ///   - host: the host's name in the spec.
    ///   - auth: the accepted authentication types, or `nil` for `user` only.
    ///   - scope: the scope that the token must have, if any.
    ///   - isDeprecated: whether the route is deprecated.
    ///   - isPreview: whether the route may change without notice.
    ///   - isRead: whether the route changes nothing on the server.
    ///   - attributes: the other attributes that differ from their defaults. If a name occurs twice, the last value is
    ///     used.
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

    /// Compares the properties.
    public static func == (left: RouteInfo, right: RouteInfo) -> Bool { left.box.content == right.box.content }

    /// Hashes the properties.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.content)
    }

    /// The namespace in the spec.
    public var namespace: String { box.content.namespace }
    /// The name without its version, which can contain slashes.
    public var name: String { box.content.name }
    /// The version, from 1.
    public var version: Int { box.content.version }
    /// The style: `rpc`, `upload` or `download`.
    public var style: String { box.content.style }
    /// The host's name in the spec, such as `api` or `content`.
    public var host: String { box.content.host }
    /// The accepted authentication types, such as `user`, `team`, `app` or `noauth`.
    public var auth: [String] { box.content.auth }
    /// The scope that the token must have, if any.
    public var scope: String? { box.content.scope }
    /// Whether the route is deprecated.
    public var isDeprecated: Bool { box.content.isDeprecated }
    /// Whether the route may change without notice.
    public var isPreview: Bool { box.content.isPreview }
    /// Whether the route changes nothing on the server, so that it is safe to repeat.
    public var isRead: Bool { box.content.isRead }
    /// The other attributes that differ from their defaults, as strings.
    public var attributes: [String: String] { box.content.attributes }

    /// The name in a URL, which ends with `_v2` for version 2, and so on.
    public var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// The route's key in a registry, such as `files/list_folder`.
    public var id: String { "\(namespace)/\(wireName)" }
}
