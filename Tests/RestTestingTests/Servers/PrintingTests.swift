// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("Descriptions of servers and conformance errors")
struct PrintingTests {
    @Test("a journal prints request lines and numbers, but no bytes and no secrets")
    func journal() async throws {
        let server = try ScriptServer([.readRequest, .respond(String(repeating: "x", count: 5_000))])
        let transport = CurlTransport()
        var request = HTTPRequest(method: .post, url: server.url("/a?code=secret"))
        request.fields["Authorization"] = "Bearer secret"
        request.body = .bytes(Array(repeating: UInt8(ascii: "y"), count: 5_000))
        _ = try await transport.send(request, deadline: soon)
        await transport.shutdown()
        let journal = await server.stop()
        #expect("\(journal)" == "1 connection, 1 request: POST /a")
        #expect("\(journal.connections[0])".hasPrefix("POST /a; "))
        for value in [journal, journal.connections[0]] as [Any] {
            for text in ["\(value)", String(reflecting: value)] {
                #expect(text.contains("POST /a") && !text.contains("secret") && text.utf8.count < 500, "\(text)")
            }
        }
        let idle = try await ScriptServer([]).stop()
        #expect("\(idle)" == "0 connections, 0 requests")
    }

    /// A transport that removes the body of every response.
    private struct Emptying: HTTPTransport {
        let transport = CurlTransport()

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            var response = try await transport.send(request, deadline: deadline, progress: progress)
            response.body = []
            return response
        }

        func shutdown() async { await transport.shutdown() }
    }

    @Test("a failed conformance case prints the expected and the actual value")
    func expectations() async throws {
        let transport = Emptying()
        var messages: [String] = []
        for testCase in TransportConformance.cases.prefix(12) {
            do { try await testCase.run(on: transport) } catch let error as TransportConformance.Violation {
                messages.append(error.description)
            }
        }
        await transport.shutdown()
        #expect(!messages.isEmpty)
        #expect(messages.allSatisfy { $0.hasPrefix("body: expected '") && $0.hasSuffix("', got ''") }, "\(messages)")
    }
}

@Suite("StubTransport")
struct StubTransportTests {
    @Test("the metrics of a scripted response arrive with it, in memory, as a stream and as a download")
    func metrics() async throws {
        var metrics = TransferMetrics()
        metrics.receivedBytes = 2
        let response = HTTPResponse(head: HTTPResponse.Head(status: 200), body: [1, 2], metrics: metrics)
        let transport = StubTransport()
        for _ in 0..<3 { transport.enqueue(.response(response)) }
        let request = HTTPRequest(url: try HTTPURL(parsing: "https://example.my.salesforce.com/"))
        let deadline = ContinuousClock.now + .seconds(10)
        #expect(try await transport.send(request, deadline: deadline).metrics == metrics)
        let stream = try await transport.stream(request, deadline: deadline)
        #expect(try await stream.stream.collect(upTo: 2) == [1, 2])
        #expect(stream.metrics == metrics)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(try await transport.download(request, to: file, deadline: deadline).metrics == metrics)
    }
}
