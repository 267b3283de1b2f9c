// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import EventWire
import RestBase
import RestHTTP2

extension WireError {
    /// Converts the error of a gRPC call.
    ///
    /// The server's own error code decides, if it is known.
    init(_ error: GRPCError, channel: String? = nil) {
        let code = error.trailers["error-code"].map { PubSubErrorCode($0) }
        let (kind, remedy, delay) = code?.reason.map(Self.meaning(of:)) ?? Self.meaning(of: error)
        var words = error.message.isEmpty ? "\(error.code)" : error.message
        if error.cause == nil { words = EventError.said(words) }
        if let code { words += " (\(code))" }
        self.init(EventError(kind, words, channel: channel, underlying: error), remedy, after: delay)
    }

    private typealias Meaning = (EventError.Code, Remedy, Duration)

    private static func meaning(of reason: PubSubErrorCode.Reason) -> Meaning {
        switch reason {
        case .serviceUnavailable, .topicUnavailable, .schemaUnavailable, .subscriptionInternal, .publishIdle:
            (.unavailable, .retry, .zero)
        // The server protects itself from too many requests.
        case .protectionTriggered, .streamLimitTriggered: (.unavailable, .retry, .seconds(30))
        // The server may still have the stream of a connection that was lost.
        case .managedAlreadyActive: (.held, .retry, .zero)
        case .authError, .authHeadersInvalid, .authRefreshInvalid, .publishAuthRefreshInvalid:
            (.unauthorized, .reopen, .zero)
        case .replayCorrupted, .replayInvalid: (.invalidPosition, .position, .zero)
        case .concurrentClients, .deliveryLimit: (.limit, .none, .zero)
        case .topicNotFound, .managedNameNotFound, .managedIDNotFound: (.unknownChannel, .none, .zero)
        case .topicPermission, .schemaPermission, .cannotSubscribe, .tenantLicense: (.forbidden, .none, .zero)
        // The request, or the org's settings of a managed subscription.
        default: (.rejected, .none, .zero)
        }
    }

    private static func meaning(of error: GRPCError) -> Meaning {
        switch error.cause?.code {
        case .connectionLost?, .refused?, .reset?: return (.unavailable, .reopen, .zero)
        case .notNegotiated?, .protocolViolation?, .flooded?, .tooLarge?: return (.response, .retry, .zero)
        case .cancelled?: return (.cancelled, .none, .zero)
        case .notConnected?, .timedOut?, .shutDown?: return (.unavailable, .retry, .zero)
        case .invalidUse?: return (.rejected, .none, .zero)
        case nil: break
        }
        switch error.code {
        case .unauthenticated: return (.unauthorized, .reopen, .zero)
        case .permissionDenied: return (.forbidden, .none, .zero)
        case .notFound: return (.unknownChannel, .none, .zero)
        case .resourceExhausted: return (.limit, .none, .zero)
        case .invalidArgument, .failedPrecondition, .unimplemented, .outOfRange: return (.rejected, .none, .zero)
        default: return (.unavailable, .retry, .zero)
        }
    }
}
#endif
