// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

/// What URLSession measures of one request, free of its types, so that the arithmetic is tested everywhere.
struct TransactionTimes: Sendable {
    var fetchStart: Date?
    var domainLookupEnd: Date?
    var connectEnd: Date?
    var secureConnectionStart: Date?
    var secureConnectionEnd: Date?
    var responseStart: Date?
    var responseEnd: Date?
    var sentBytes: Int64 = 0
    var receivedBytes: Int64 = 0
    var isConnectionReused = false
    var protocolName: String?
}

extension TransferMetrics {
    /// The same moments, counted from the start of the request.
    init(_ times: TransactionTimes) {
        self.init()
        func sinceStart(_ moment: Date?) -> Duration {
            guard let start = times.fetchStart, let moment else { return .zero }
            return .seconds(max(0, moment.timeIntervalSince(start)))
        }
        nameLookup = sinceStart(times.domainLookupEnd)
        // URLSession counts TLS as part of connecting.
        connect = sinceStart(times.secureConnectionStart ?? times.connectEnd)
        tls = sinceStart(times.secureConnectionEnd)
        firstByte = sinceStart(times.responseStart)
        total = sinceStart(times.responseEnd)
        sentBytes = times.sentBytes
        receivedBytes = times.receivedBytes
        isConnectionReused = times.isConnectionReused
        protocolName = times.protocolName.map { Self.names[$0] ?? $0 } ?? ""
    }

    /// The names of ALPN (RFC 7301 §6) as the other transports write them.
    private static let names = [
        "http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3",
    ]
}
