// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Measures one call: with the clock, and with what URLSession itself measured where it does.
struct Stopwatch: Sendable {
    private var begin = ContinuousClock.now
    private var firstByte: ContinuousClock.Instant?
    /// What URLSession measured; it is never told on Linux.
    var transaction: TransactionTimes?

    /// The request leaves.
    mutating func start(at now: ContinuousClock.Instant = .now) {
        begin = now
    }

    /// The header of the answer is there.
    mutating func noteFirstByte(at now: ContinuousClock.Instant = .now) {
        if firstByte == nil { firstByte = now }
    }

    /// What the call cost.
    ///
    /// - Parameters:
    ///   - progress: how many bytes of the bodies moved.
    ///   - wireBytes: the announced length of the response body, which is counted before decompression.
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
