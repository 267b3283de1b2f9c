// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import EventWire
import LocalServer
import RestHTTP2
import RestTransport

extension GRPCError {
    /// Creates an error of the Pub/Sub API, which ends a call.
    static func pubSub(_ reason: PubSubErrorCode.Reason, _ message: String) -> GRPCError {
        GRPCError(reason.status, message, trailers: ["error-code": PubSubErrorCode(reason).description])
    }

    static let busy = pubSub(.serviceUnavailable, "The service is unavailable. Try again later.")
    static let invalidToken = pubSub(.authError, "The access token is invalid.")

    /// Returns a copy of the error with the ID of the call.
    func naming(_ rpcID: String) -> GRPCError {
        guard cause == nil else { return self }
        var trailers = trailers
        trailers.append("rpc-id", rpcID)
        return GRPCError(code, "\(message) rpcId: \(rpcID)", trailers: trailers)
    }
}

extension PubSubErrorCode.Reason {
    fileprivate var status: GRPCError.Code {
        switch self {
        case .authError, .authHeadersInvalid, .authRefreshInvalid, .publishAuthRefreshInvalid: .unauthenticated
        case .topicPermission, .schemaPermission, .tenantLicense, .cannotSubscribe: .permissionDenied
        case .topicNotFound, .managedNameNotFound, .managedIDNotFound: .notFound
        case .concurrentClients, .protectionTriggered, .streamLimitTriggered, .deliveryLimit: .resourceExhausted
        case .managedAlreadyActive, .managedStopped, .managedDeleted: .failedPrecondition
        case .serviceUnavailable, .topicUnavailable, .schemaUnavailable: .unavailable
        case .subscriptionInternal: .internal
        default: .invalidArgument
        }
    }
}

/// A replay ID of the Pub/Sub API: the number of an event, after a byte that depends on it.
///
/// It has nine bytes, so that no client takes it for a number.
enum ReplayID {
    static func bytes(_ number: Int64) -> [UInt8] {
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
        return [check(bytes)] + bytes
    }

    /// Returns the number, or `nil` if the bytes are not an ID of this form.
    static func number(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 9, bytes[0] == check(bytes[1...]) else { return nil }
        let number = bytes[1...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return number < 0 ? nil : number
    }

    private static func check(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0xA5) { ($0 &* 31) ^ $1 } }
}
#endif
