// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestURLSession

@Suite("The configuration of URLSessionTransport", .serialized, .timeLimit(.minutes(5)))
struct ConfigurationTests {
    private func transport(_ change: (inout SessionConfiguration) -> Void) -> URLSessionTransport {
        var configuration = SessionConfiguration()
        change(&configuration)
        return URLSessionTransport(configuration: configuration)
    }

    private func error(of transport: URLSessionTransport, _ request: HTTPRequest) async -> TransportError? {
        await failure { () async throws(TransportError) in try await transport.send(request, deadline: soon) }
    }

    @Test("GET and HEAD requests with a body are rejected before anything is sent", arguments: [HTTPMethod.get, .head])
    func bodyOfGet(method: HTTPMethod) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let request = HTTPRequest(method: method, url: server.url(), body: .bytes([1]))
        #expect(await error(of: transport { _ in }, request)?.code == .invalidRequest)
        #expect(await server.stop().connections.isEmpty)
    }

    #if canImport(FoundationNetworking)
    @Test("An IPv6 literal is rejected before anything is sent, because FoundationNetworking cannot connect to it")
    func literalV6() async throws {
        let request = HTTPRequest(method: .post, url: try HTTPURL(parsing: "https://[::1]:8443/"), body: .bytes([1]))
        let error = await error(of: transport { _ in }, request)
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.message.contains("CurlTransport") == true)
    }

    @Test("Compressed bodies are requested only if the caller asks, because a truncated one is not detected")
    func packed() async throws {
        let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAkACAiPnlEQAAAA=="))
        let fields = "Content-Encoding: gzip\r\nContent-Length: \(packed.count - 4)\r\n\r\n"
        let response: ScriptServer.Script = [
            .readRequest, .send("HTTP/1.1 200 OK\r\n" + fields), .sendBytes(Array(packed.dropLast(4))),
        ]
        let server = try ScriptServer(response)
        let transport = transport { _ in }
        #expect(text(try await transport.send(HTTPRequest(url: server.url()), deadline: soon)) == "hello hello hello")
        let asking = HTTPRequest(url: server.url(), fields: ["Accept-Encoding": "gzip"])
        _ = try await transport.send(asking, deadline: soon)
        let requests = await server.stop().requests
        #expect(requests.map { $0.contains("Accept-Encoding: identity\r\n") } == [true, false])
        #expect(requests.map { $0.contains("Accept-Encoding: gzip\r\n") } == [false, true])
    }

    @Test("Loopback addresses are excluded from proxies of the environment")
    func exceptions() {
        #expect(EnvironmentProxy.exceptions(to: nil) == "127.0.0.0/8,127.0.0.1,::1")
        #expect(EnvironmentProxy.exceptions(to: "a.example, ::1") == "a.example,::1,127.0.0.0/8,127.0.0.1")
        #expect(EnvironmentProxy.exceptions(to: "*") == nil)
        #expect(EnvironmentProxy.exceptions(to: "127.0.0.1,::1,127.0.0.0/8") == nil)
    }

    @Test("A loopback server is never reached through a proxy of the environment")
    func loopbackWithoutProxy() async throws {
        let proxy = try ScriptServer([.readRequest, .respond("proxy")])
        let transport = transport { _ in }
        unsafe setenv("http_proxy", proxy.url().description, 1)
        defer { unsafe unsetenv("http_proxy") }
        let server = try ScriptServer([.readRequest, .respond("direct")])
        #expect(text(try await transport.send(HTTPRequest(url: server.url()), deadline: soon)) == "direct")
        #expect(await proxy.stop().connections.isEmpty)
    }
    #endif
}

@Suite("Background transfers")
struct BackgroundTests {
    @Test("A ticket survives in the description of its task")
    func ticket() {
        for ticket in [
            BackgroundTicket(name: "a", path: "/tmp/\"quoted\"\n\u{1F4BE}"), BackgroundTicket(name: "", path: nil),
        ] {
            #expect(BackgroundTicket(text: ticket.text) == ticket)
        }
        #expect(BackgroundTicket(text: nil) == nil)
        #expect(BackgroundTicket(text: "somebody else's") == nil)
    }

    @Test("The system's handler is called once, after the last event, in either order of the two")
    func handOver() {
        var usual = BackgroundHandOver<Int>()
        let early = usual.handOver(1)
        #expect(early.isEmpty)
        let first = usual.eventsEnded()
        #expect(first == 1)
        var late = BackgroundHandOver<Int>()
        let nobody = late.eventsEnded()
        #expect(nobody == nil)
        let second = late.handOver(2)
        #expect(second == [2])
        let third = late.handOver(3)
        #expect(third.isEmpty, "it is a new wake-up")
        let replaced = late.handOver(4)
        #expect(replaced == [3])
        let last = late.eventsEnded()
        #expect(last == 4)
    }
}

@Suite("Metrics of URLSession")
struct MetricsTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)

    @Test("Times are measured from the start, and connecting does not include TLS")
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

    @Test("A reused connection has no connect time, and a clock that was set back gives no negative time")
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

    @Test("Without times from URLSession, the clock is used")
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

@Suite("URLSessionTransport releases its resources", .serialized, .timeLimit(.minutes(5)))
struct ResourceTests {

    @Test(
        "Calls that succeed, fail or are cancelled leave no open descriptor",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func descriptors() async throws {
        let answering = try ScriptServer([.readRequest, .respond("ok")])
        let silent = try ScriptServer([.readRequest, .readToEnd])
        func round(_ transport: URLSessionTransport) async {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        _ = try? await transport.send(HTTPRequest(url: answering.url()), deadline: soon)
                        let late = ContinuousClock.now + .milliseconds(20)
                        _ = try? await transport.send(HTTPRequest(url: silent.url()), deadline: late)
                        _ = try? await transport.stream(HTTPRequest(url: answering.url()), deadline: soon)
                    }
                }
            }
            await transport.shutdown()
        }
        await round(URLSessionTransport())
        let before = descriptors
        for _ in 0..<5 { await round(URLSessionTransport()) }
        // A session closes its connections shortly after its tasks have ended.
        while descriptors > before + 5 { try await Task.sleep(for: .milliseconds(5)) }
    }

    private var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
