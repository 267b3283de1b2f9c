// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@testable import RestURLSession

@Suite("Metrics of URLSession")
struct MetricsTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)

    @Test("Times are counted from the start; TLS is not part of connecting")
    func overTLS() {
        var times = TransactionTimes()
        times.fetchStart = start
        times.domainLookupEnd = start + 0.25
        times.secureConnectionStart = start + 0.5
        times.secureConnectionEnd = start + 0.75
        times.connectEnd = start + 0.75
        times.responseStart = start + 1
        times.responseEnd = start + 2
        times.sentBytes = 3
        times.receivedBytes = 5
        times.protocolName = "h2"
        let metrics = TransferMetrics(times)
        #expect(metrics.nameLookup == .milliseconds(250))
        #expect(metrics.connect == .milliseconds(500))
        #expect(metrics.tls == .milliseconds(750))
        #expect(metrics.firstByte == .seconds(1))
        #expect(metrics.total == .seconds(2))
        #expect(metrics.sentBytes == 3)
        #expect(metrics.receivedBytes == 5)
        #expect(metrics.protocolName == "HTTP/2")
    }

    @Test("A connection used before has no times of its own, and a clock set back gives no negative ones")
    func reused() {
        var times = TransactionTimes()
        times.fetchStart = start
        times.responseStart = start - 1
        times.isConnectionReused = true
        times.protocolName = "http/1.1"
        let metrics = TransferMetrics(times)
        #expect(metrics.isConnectionReused)
        #expect(metrics.connect == .zero)
        #expect(metrics.firstByte == .zero)
        #expect(metrics.protocolName == "HTTP/1.1")
        #expect(TransferMetrics(TransactionTimes()) == TransferMetrics())
    }

    @Test("Without URLSession's own times the clock is read")
    func stopwatch() {
        let now = ContinuousClock.now
        var watch = Stopwatch()
        watch.start(at: now)
        watch.noteFirstByte(at: now + .milliseconds(30))
        watch.noteFirstByte(at: now + .milliseconds(40))
        let progress = TransferProgress(sent: 4, sentTotal: 4, received: 100)
        let metrics = watch.metrics(progress, wireBytes: 20, now: now + .milliseconds(50))
        #expect(metrics.firstByte == .milliseconds(30))
        #expect(metrics.total == .milliseconds(50))
        #expect(metrics.sentBytes == 4)
        #expect(metrics.receivedBytes == 20, "before decompression")
        #expect(watch.metrics(TransferProgress(), wireBytes: 20).receivedBytes == 0, "an answer to HEAD")
    }
}
