// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

/// Measures a call by the clock, or with the times of URLSession if there are any.
struct Stopwatch: Sendable {
    private var begin = ContinuousClock.now
    private var firstByte: ContinuousClock.Instant?
    /// The times that URLSession measured, always `nil` on Linux.
    var transaction: TransactionTimes?

    mutating func start(at now: ContinuousClock.Instant = .now) { begin = now }

    /// Records the arrival of the response head.
    mutating func noteFirstByte(at now: ContinuousClock.Instant = .now) {
        if firstByte == nil { firstByte = now }
    }

    /// Returns the metrics, where `wireBytes` is the announced length of the response body before decompression.
    func metrics(
        _ progress: TransferProgress, wireBytes: Int64?, now: ContinuousClock.Instant = .now
    ) -> TransferMetrics {
        if let transaction { return TransferMetrics(transaction) }
        var metrics = TransferMetrics()
        metrics.firstByte = firstByte.map { $0 - begin } ?? .zero
        metrics.total = now - begin
        metrics.sentBytes = progress.sentTotal ?? progress.sent
        metrics.receivedBytes = progress.received == 0 ? 0 : wireBytes ?? progress.received
        return metrics
    }
}

/// The times that URLSession measures for a request, without its types, so that tests run on every system.
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
    /// Creates metrics whose times are relative to the start of the request.
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

    /// The ALPN names (RFC 7301 §6), mapped to the names that the other transports report.
    private static let names = [
        "http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3",
    ]
}
