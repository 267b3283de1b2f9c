// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestTransport

/// The error thrown when a gRPC call does not end with the status OK.
package struct GRPCError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A status code of gRPC, where an unknown number of a server counts as `unknown`.
    package enum Code: Int, Sendable {
        case ok, cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied
        case resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable
        case dataLoss, unauthenticated
    }

    package let code: Code
    package let message: String
    /// The headers that arrived with the status, or none if this side detected the error.
    package let trailers: HTTPFields
    /// The error of the stream or the connection, or `nil` if the server sent a status.
    package let cause: HTTP2Error?

    package init(_ code: Code, _ message: String, trailers: HTTPFields = HTTPFields(), cause: HTTP2Error? = nil) {
        (self.code, self.message, self.trailers, self.cause) = (code, message, trailers, cause)
    }

    package var description: String { "\(code): \(message)" }

    /// Whether the server certainly did not process the call, so that it can be made again.
    package var isUnprocessed: Bool { cause?.isUnprocessed ?? false }
}

extension GRPCError {
    /// Creates the error for a failed stream, as gRPC's specification maps HTTP/2 errors.
    package init(_ error: HTTP2Error) {
        let code: Code =
            switch error.code {
            case .notConnected, .notNegotiated, .connectionLost, .refused, .shutDown, .reset(.refusedStream):
                .unavailable
            case .flooded, .tooLarge, .reset(.enhanceYourCalm): .resourceExhausted
            case .timedOut: .deadlineExceeded
            case .cancelled, .reset(.cancel): .cancelled
            case .reset(.inadequateSecurity): .permissionDenied
            case .reset(.streamClosed), .reset(.http11Required): .unknown
            case .protocolViolation, .invalidUse, .reset: .internal
            }
        self.init(code, error.description, cause: error)
    }

    private static let statuses: [Int: Code] = [
        400: .internal, 401: .unauthenticated, 403: .permissionDenied, 404: .unimplemented, 429: .unavailable,
        502: .unavailable, 503: .unavailable, 504: .unavailable,
    ]

    /// Returns the error of a response whose head is not one of gRPC, or `nil`.
    static func invalidHead(_ head: HTTP2Response) -> GRPCError? {
        guard head.fields["grpc-status"] == nil else { return nil }
        guard head.status == 200 else {
            return GRPCError(
                statuses[head.status] ?? .unknown, "the server responded with HTTP status \(head.status)",
                trailers: head.fields)
        }
        let type = head.fields["content-type"] ?? ""
        guard !type.hasBytes(prefix: "application/grpc") else { return nil }
        return GRPCError(
            .unknown, "the response has the content type \(type.debugDescription) instead of application/grpc",
            trailers: head.fields)
    }

    /// Returns the error that a call's last headers report, or `nil` for the status OK.
    static func status(in trailers: HTTPFields) -> GRPCError? {
        guard let text = trailers["grpc-status"] else {
            return GRPCError(.unknown, "the server ended the call without a status", trailers: trailers)
        }
        guard let number = Int(outside: text, in: .count) else {
            return GRPCError(.unknown, "the status \(text.debugDescription) is not a number", trailers: trailers)
        }
        guard number != 0 else { return nil }
        let message = trailers["grpc-message"] ?? ""
        return GRPCError(
            Code(rawValue: number) ?? .unknown, (try? PercentEncoding.decode(message)) ?? message, trailers: trailers)
    }

    /// The headers that report the error, or the status OK for `nil`.
    static func fields(of error: GRPCError?) -> HTTPFields {
        guard let error else { return ["grpc-status": "0"] }
        var fields: HTTPFields = ["grpc-status": String(error.code.rawValue)]
        if !error.message.isEmpty { fields.append("grpc-message", PercentEncoding.pathSegment(error.message)) }
        for field in error.trailers where fields[field.name] == nil { fields.append(field) }
        return fields
    }
}
