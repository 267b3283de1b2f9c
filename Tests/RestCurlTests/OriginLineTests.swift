// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestCurl

@Suite("The queue for an origin", .timeLimit(.minutes(1)))
struct OriginLineTests {
    private let origin = Origin(scheme: .http, host: "127.0.0.1", port: 80)

    private func transfer(deadline: ContinuousClock.Instant = soon) -> Transfer {
        Transfer(request: HTTPRequest(url: HTTPURL(origin: origin, path: "/")), deadline: deadline)
    }

    @Test("For each connection libcurl gets one transfer, and the other transfers follow in order")
    func order() {
        let line = OriginLine(to: origin, connections: 2)
        let transfers = (0..<5).map { _ in transfer() }
        #expect(transfers.map { line.enter($0) } == [true, true, false, false, false])
        #expect(line.next() == nil)
        for transfer in transfers[2...] {
            line.leave()
            let next = line.next()
            #expect(next.map { $0 === transfer } == true)
            #expect(line.next() == nil)
        }
        for _ in 0..<2 {
            #expect(!line.isEmpty)
            line.leave()
        }
        #expect(line.isEmpty)
    }

    @Test("Finished transfers are skipped, and do not stay in the queue")
    func ended() {
        let line = OriginLine(to: origin, connections: 1)
        let transfers = (0..<9).map { _ in transfer() }
        for transfer in transfers { _ = line.enter(transfer) }
        for transfer in transfers[1..<8] {
            transfer.fail(.cancelled, "")
            line.noteEnd()
        }
        #expect(line.take { _ in true }.count < 5, "what is over was let go of")
        _ = line.enter(transfers[1])
        _ = line.enter(transfers[8])
        line.leave()
        let next = line.next()
        #expect(next.map { $0 === transfers[8] } == true)
    }

    @Test("HTTP/2 increases the number of transfers for each connection, once")
    func wide() {
        let line = OriginLine(to: origin, connections: 1)
        for number in 0..<150 { #expect(line.enter(transfer()) == (number == 0)) }
        #expect(line.widen())
        #expect(!line.widen())
        var count = 1
        while line.next() != nil { count += 1 }
        #expect(count == OriginLine.streamsPerConnection)
    }

    @Test("Without a number of connections there is no limit", arguments: [0, Int.max])
    func unlimited(connections: Int) {
        let line = OriginLine(to: origin, connections: connections)
        for _ in 0..<1_000 { #expect(line.enter(transfer())) }
        #expect(!line.widen())
    }

    @Test(
        "Transfers whose deadline has passed are removed from the queue, and the earliest remaining deadline is known")
    func deadlines() {
        var lines = OriginLines(connections: 1)
        let now = ContinuousClock.now
        for seconds in [9, 3, 1, 2] {
            _ = lines.line(to: origin).enter(transfer(deadline: now + .seconds(seconds)))
        }
        #expect(lines.take { $0.deadline <= now + .seconds(2) }.count == 2)
        #expect(lines.firstDeadline == now + .seconds(3))
        #expect(!lines.line(to: origin).isEmpty)
    }

    @Test("A transfer that waits in the queue ends at its deadline, by cancellation and by shutdown")
    func waiting() async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let transport = CurlTransport(configuration: configuration)
        let request = HTTPRequest(
            url: HTTPURL(origin: Origin(scheme: .http, host: "127.0.0.1", port: server.port), path: "/"))
        func send(until deadline: ContinuousClock.Instant) -> Task<TransportError?, Never> {
            Task {
                await transport.error(for: request, until: deadline)
            }
        }
        let hanging = send(until: soon)
        await server.wait { $0.requests.count == 1 }
        let cancelled = send(until: soon)
        let late = await send(until: .now + .milliseconds(200)).value
        expect(late, .timedOut, mayHaveReachedServer: false)
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        let last = send(until: soon)
        await transport.shutdown()
        for task in [hanging, last] { #expect(await task.value?.code == .shutDown) }
        #expect(server.journal.requests.count == 1)
        await server.stop()
    }
}

/// The wait for a response does not count as idle time, and has a separate timeout.
@Suite("CurlTransport and slow responses", .timeLimit(.minutes(1)))
struct IdleTests {
    let transport: CurlTransport

    init() {
        var configuration = CurlConfiguration()
        configuration.idleTimeout = .milliseconds(1_500)
        transport = CurlTransport(configuration: configuration)
    }

    @Test("The idle timeout of a body starts with the response head", arguments: [false, true])
    func slowHead(isStream: Bool) async throws {
        let server = try ScriptServer([
            .readRequest, .pause(.milliseconds(2_000)), .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
            .pause(.milliseconds(50)), .send("ok"),
        ])
        let request = HTTPRequest(url: server.url())
        if isStream {
            let response = try await transport.stream(request, deadline: soon)
            #expect(try await response.stream.collect(upTo: 9) == Array("ok".utf8))
        } else {
            #expect(text(try await transport.send(request, deadline: soon)) == "ok")
        }
    }

    @Test("An upload without progress is idle")
    func stillUpload() async throws {
        let server = try ScriptServer([.readHeader, .pause(.seconds(8))])
        let body = HTTPBody.bytes(Array(repeating: 0x61, count: 50_000_000))
        let error = await transport.error(for: HTTPRequest(method: .post, url: server.url(), body: body))
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("idle") == true)
    }
}
