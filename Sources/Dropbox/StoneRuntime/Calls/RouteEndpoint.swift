// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// One call of a route as a value, which any client can send in any calling style.
public struct RouteEndpoint<Output: Sendable, Failure: Error & Sendable>: Endpoint {
    /// The route.
    public let info: RouteInfo
    /// The time limit of the call, or `nil` for the client's time limit.
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

    /// Returns the argument as JSON text.
    ///
    /// - Throws: `JSONEncodingError` if a value cannot be encoded.
    public func argumentText() throws(JSONEncodingError) -> [UInt8] { try argument() }

    /// Makes the request, a POST to the route's path at the route's host.
    ///
    /// - Throws: `RestError.Code.invalidRequest` if the argument cannot be written, if
    ///   ``StoneClient/Settings/appAuthorization`` is needed and missing, or if the client has no token and the route
    ///   needs one.
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

    /// Reads the result from the body of a response, or from a header field if the route downloads content.
    ///
    /// - Throws: `RestError.Code.decoding` for an invalid response, `RestError.Code.cancelled` if the task is
    ///   cancelled while a long response is read.
    public func content(from response: RestResponse) throws -> Output {
        if info.style == Download.name { return try content(from: response.head) }
        do throws(JSONDecodingError) {
            return try decode(response.body)
        } catch {
            guard error.reason == .interrupted else { throw error }
            throw RestError(.cancelled, "cancelled while the response was read", response: response.head)
        }
    }

    /// Reads the result from a body, which may be empty if the route has no result.
    func decode(_ body: [UInt8]) throws(JSONDecodingError) -> Output {
        if body.isEmpty, let nothing = () as? Output { return nothing }
        return try output.decode(body)
    }

    /// Reads the result from a header field of a response with content.
    ///
    /// - Throws: `RestError.Code.decoding` if the field is missing or invalid.
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

    /// Reads the route's error from the member `error` of a response with status 409.
    public func routeError(from error: RestError) -> Failure? {
        guard error.status == 409, let failure, let value = error.bodyRoot?["error"] else { return nil }
        return try? failure.decode(value)
    }

    private var contentType: String? {
        guard info.style != Download.name else { return nil }
        return body == nil ? "application/json" : "application/octet-stream"
    }

    /// Chooses the authentication: the token if there is one and the route accepts it, otherwise the app or none.
    private func authorize(_ request: inout RestRequest) throws(RestError) {
        request.isAuthorized = info.auth != ["noauth"]
        guard request.isAuthorized else { return }
        request.fields = settings.fields
        if settings.hasToken, info.auth.contains(where: { $0 != "app" }) { return }
        guard info.auth.contains("app") else {
            throw RestError(.invalidRequest, "\(info.id) needs the token of a \(info.auth.joined(separator: " or "))")
        }
        guard let authorization = settings.appAuthorization else {
            throw RestError(
                .invalidRequest, "\(info.id) needs the authorization of the app itself; set Settings.appAuthorization")
        }
        request.fields["Authorization"] = authorization.reveal()
    }

    /// Returns JSON text in printable ASCII for a header field, with escapes for other UTF-16 code units.
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
    /// Returns the value as JSON text in printable ASCII, for a header field.
    ///
    /// - Throws: `JSONEncodingError`, as ``json()``.
    public func headerText() throws(JSONEncodingError) -> String {
        RouteEndpoint<Void, Never>.headerText(try json())
    }
}

/// Details of an error response that are not part of the route's typed error.
///
/// ```swift
/// } catch .route(.path(.notFound), let error) {
///     show(error.userMessage?.text ?? "There is no such file.")
/// }
/// ```
extension RestError {
    /// A text of the server for the user.
    public struct UserMessage: Sendable, Hashable, CustomStringConvertible {
        /// The message.
        public let text: String
        /// The language, such as `en`, or empty if the server did not name it.
        public let locale: String

        /// The message.
        public var description: String { text }
    }

    /// A short text for logs, from the body's member `error_summary`, such as `path/not_found/..`.
    ///
    /// Do not compare it. Programs use the typed error. The value is `nil` if the body has no such member, or is longer
    /// than `maximumBodySize`.
    public var errorSummary: String? { bodyRoot?["error_summary"]?.string }

    /// A message for the user, from the body's member `user_message`.
    ///
    /// Most responses have none. The value is also `nil` if the body is longer than `maximumBodySize`.
    public var userMessage: UserMessage? {
        let message = bodyRoot?["user_message"]
        guard let text = message?.string ?? message?["text"]?.string else { return nil }
        return UserMessage(text: text, locale: message?["locale"]?.string ?? "")
    }
}

/// A route of an API as a value: its name and its types.
///
/// Generated code has a value for every route of a spec. You can also write one by hand, for example for a route that
/// is not public yet, and call it with `StoneClient.call(_:_:)`.
public struct Route<Style: RouteStyle, Argument: Sendable, Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// The description of the route.
    public let info: RouteInfo
    /// The coding of the argument.
    public let argument: StoneCoding<Argument>
    /// The coding of the result.
    public let output: StoneCoding<Output>
    /// The coding of the route's error, or `nil` if it has none.
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
    /// Makes a route that has no error of its own.
    public init(_ info: RouteInfo, _ argument: StoneCoding<Argument>, _ output: StoneCoding<Output>) {
        self.init(info, argument, output, nil)
    }
}

/// The transport of a route's argument, result and content.
public protocol RouteStyle {
    /// The style's name in the specs' attribute `style`.
    static var name: String { get }
}

/// The style of routes whose argument and result are the bodies.
public enum RPC: RouteStyle {
    /// `rpc`.
    public static let name = "rpc"
}

/// The style of routes whose argument is a header field, whose request body is content, and whose result is the
/// response body.
public enum Upload: RouteStyle {
    /// `upload`.
    public static let name = "upload"
}

/// The style of routes whose argument and result are header fields, and whose response body is content.
public enum Download: RouteStyle {
    /// `download`.
    public static let name = "download"
}

/// The description of a route in a spec, without its types.
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

    /// Boxed to make a route only a few words long, which generated code passes on.
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
    ///   - namespace: the namespace, as in the spec.
    ///   - name: the name without its version. It may contain slashes.
    ///   - version: the version, from 1.
    ///   - host: the host's name in the specs.
    ///   - auth: the accepted authentications, or `nil` for `user` only.
    ///   - scope: the scope that a token must have, or `nil` for none.
    ///   - isDeprecated: whether the route is deprecated.
    ///   - isPreview: whether the route may change without notice.
    ///   - isRead: whether the route changes nothing on the server.
    ///   - attributes: other attributes that differ from their defaults. The last value of a name counts.
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

    /// Whether two descriptions are equal.
    public static func == (left: RouteInfo, right: RouteInfo) -> Bool { left.box.content == right.box.content }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(box.content)
    }

    /// The namespace, as in the spec.
    public var namespace: String { box.content.namespace }
    /// The name without its version, which may contain slashes.
    public var name: String { box.content.name }
    /// The version, from 1.
    public var version: Int { box.content.version }
    /// The style: `rpc`, `upload` or `download`.
    public var style: String { box.content.style }
    /// The host's name in the spec, such as `api` or `content`.
    public var host: String { box.content.host }
    /// The accepted authentications, such as `user`, `team`, `app` or `noauth`.
    public var auth: [String] { box.content.auth }
    /// The scope that a token must have, or `nil` for none.
    public var scope: String? { box.content.scope }
    /// Whether the route is deprecated.
    public var isDeprecated: Bool { box.content.isDeprecated }
    /// Whether the route may change without notice.
    public var isPreview: Bool { box.content.isPreview }
    /// Whether the route changes nothing on the server, so it is safe to repeat.
    public var isRead: Bool { box.content.isRead }
    /// Other attributes that differ from their defaults, as text.
    public var attributes: [String: String] { box.content.attributes }

    /// The name in a URL, which ends with `_v2` and so on from version 2.
    public var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// The id of the route, such as `files/list_folder`.
    public var id: String { "\(namespace)/\(wireName)" }
}
