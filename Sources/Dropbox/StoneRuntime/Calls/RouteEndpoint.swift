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
            throw RestError(.cancelled, "cancelled while the answer was read", response: response.head)
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
            throw RestError(.decoding, "the answer has no field \(settings.resultField)", response: head)
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
