// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@Suite("StubTransport")
struct StubTransportTests {
    @Test("metrics of a scripted answer come with it in every way of taking it")
    func metrics() async throws {
        var metrics = TransferMetrics()
        metrics.receivedBytes = 2
        let answer = HTTPResponse(head: HTTPResponse.Head(status: 200), body: [1, 2], metrics: metrics)
        let transport = StubTransport()
        for _ in 0..<3 { transport.enqueue(.response(answer)) }
        let request = HTTPRequest(url: try HTTPURL(parsing: "https://example.my.salesforce.com/"))
        let deadline = ContinuousClock.now + .seconds(10)
        #expect(try await transport.send(request, deadline: deadline).metrics == metrics)
        let stream = try await transport.stream(request, deadline: deadline)
        #expect(try await stream.body.collect(upTo: 2) == [1, 2])
        #expect(stream.metrics == metrics)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(try await transport.download(request, to: file, deadline: deadline).metrics == metrics)
    }
}
