// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestHTTP2
import RestTesting
import RestTransport
import TestSupport
import Testing

@Suite("HTTP/2 connections", .timeLimit(.minutes(2)))
struct ConnectionTests {
    /// A server that sends each body back.
    private static func echo(_ settings: HTTP2Settings = HTTP2Settings()) throws -> LoopbackServer {
        try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket, settings: settings) { _, stream in
                do throws(HTTP2Error) {
                    try stream.respond()
                    var count = 0
                    while let bytes = try await stream.receive() {
                        count += bytes.count
                        try await stream.send(bytes)
                    }
                    try stream.finish(trailers: ["count": String(count)])
                } catch {}
            }
        }
    }

    @Test("Fifty streams at a time send and receive 400,000 bytes each, through small windows")
    func concurrent() async throws {
        var settings = HTTP2Settings()
        settings.streamWindow = 70_000
        let server = try Self.echo(settings)
        let connection = try await server.connect(settings: settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let stream = try connection.open("/\(index)")
                    let chunk = [UInt8](repeating: UInt8(index), count: 50_000)
                    async let body = stream.body()
                    for step in 0..<8 { try await stream.send(chunk, isEnd: step == 7) }
                    let echoed = try await body
                    #expect(echoed.count == 400_000 && echoed.allSatisfy { $0 == UInt8(index) })
                    #expect(stream.trailers?["count"] == "400000")
                }
            }
            try await group.waitForAll()
        }
        #expect(connection.isUsable)
        await connection.shutdown()
        #expect(await connection.waitForEnd().code == .shutDown)
        await server.stop()
    }

    @Test("A writer waits for a reader that takes nothing, and a cancelled one resets the stream")
    func backPressure() async throws {
        let ended = Watched(false)
        let server = try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket) { _, stream in
                // Reads nothing until the client resets the stream, which cancels this task.
                try? await Task.sleep(for: .seconds(60))
                _ = try? await stream.receive()
                ended.update { $0 = true }
            }
        }
        let connection = try await server.connect()
        let stream = try connection.open("/")
        let sent = Watched(0)
        let writer = Task { () async -> HTTP2Error? in
            await failure { () async throws(HTTP2Error) in
                while true {
                    try await stream.send([UInt8](repeating: 0, count: 64 * 1024))
                    sent.update { $0 += 64 * 1024 }
                }
            }
        }
        _ = await sent.wait { $0 >= 256 * 1024 }
        // The window and the queue of the client hold 512 KiB, and one chunk more may be on its way.
        try await Task.sleep(for: .milliseconds(200))
        #expect(sent.value <= 640 * 1024)
        writer.cancel()
        #expect(await writer.value?.code == .cancelled)
        _ = await ended.wait { $0 }
        #expect(connection.isUsable)
        await connection.shutdown()
        await server.stop()
    }

    @Test("A client that resets its streams at once starts at most twice as many handlers as it may have streams")
    func handlers() async throws {
        let (started, gate) = (Watched(0), Gate())
        var settings = HTTP2Settings()
        settings.maximumStreams = 3
        let server = try LoopbackServer { [settings] socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket, settings: settings) { _, _ in
                started.update { $0 += 1 }
                await gate.pass()
            }
        }
        let connection = try await server.connect()
        for number in 1...6 {
            let stream = try connection.open("/")
            _ = await started.wait { $0 == number }
            stream.cancel()
        }
        let stream = try connection.open("/")
        let error = await failure { () async throws(HTTP2Error) in try await stream.response() }
        #expect(error?.isUnprocessed == true && started.value == 6)
        gate.open()
        await connection.shutdown()
        await server.stop()
    }

    @Test("Tasks that wait for a head, for bytes and for a connection end when they are cancelled")
    func cancellation() async throws {
        let server = try RawServer { socket in while let bytes = socket.receive(), !bytes.isEmpty {} }
        let connection = try await server.connect()
        for isHead in [true, false] {
            let stream = try connection.open("/")
            let task = Task { () async -> HTTP2Error? in
                await failure { () async throws(HTTP2Error) in
                    if isHead { _ = try await stream.response() } else { _ = try await stream.receive() }
                }
            }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
        await connection.shutdown()
        server.stop()
    }

    @Test("The end of the connection fails every stream, after the bytes that had arrived")
    func lost() async throws {
        let server = try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket) { request, stream in
                try? stream.respond()
                try? await stream.send(Array("hello".utf8))
                if request.path == "/end" { socket.interrupt() }
                _ = try? await stream.receive()
            }
        }
        let connection = try await server.connect()
        let first = try connection.open("/")
        #expect(try await first.response().status == 200)
        let second = try connection.open("/end")
        for stream in [second, first] {
            let error = await failure { () async throws(HTTP2Error) in
                while let bytes = try await stream.receive() { #expect(bytes == Array("hello".utf8)) }
            }
            #expect(error?.code == .connectionLost)
        }
        #expect(await connection.waitForEnd().code == .connectionLost)
        #expect(!connection.isUsable)
        let late = await failure { () async throws(HTTP2Error) in try connection.open("/") }
        #expect(late?.code == .connectionLost)
        await server.stop()
    }

    @Test("A stream that is opened while the connection shuts down fails", arguments: 0..<50)
    func openedLast(round: Int) async throws {
        let server = try Self.echo()
        let connection = try await server.connect()
        // The thread may take the request together with the end of the connection.
        if round.isMultiple(of: 2) { await Task.yield() }
        let stream = try connection.open("/")
        await connection.shutdown()
        let error = await failure { () async throws(HTTP2Error) in
            _ = try await stream.response()
            while try await stream.receive() != nil {}
        }
        #expect(error?.code == .shutDown)
        await server.stop()
    }

    @Test("GOAWAY lets open streams finish and refuses new ones as unprocessed")
    func goAway() async throws {
        let gate = Gate()
        let server = try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket) { _, stream in
                await gate.pass()
                try? stream.respond(isEnd: true)
            }
        }
        let connection = try await server.connect()
        let stream = try connection.open("/", isEnd: true)
        await gate.waitForVisitor()
        await server.first.leave()
        while connection.isUsable { try await Task.sleep(for: .milliseconds(1)) }
        let error = await failure { () async throws(HTTP2Error) in try connection.open("/") }
        #expect(error?.isUnprocessed == true)
        gate.open()
        #expect(try await stream.response().status == 200)
        _ = await connection.waitForEnd()
        await server.stop()
    }

    @Test("An unreachable port, a silent server and a server of HTTP/1.1 are typed errors")
    func noServer() async throws {
        let free = Origin(scheme: .http, host: "127.0.0.1", port: try Socket.portForLater())
        let refused = await failure { () async throws(HTTP2Error) in
            try await HTTP2Connection.connect(to: free, deadline: soon)
        }
        #expect(refused?.code == .notConnected && refused?.transport?.code == .notConnected)
        #expect(refused?.isUnprocessed == true)
        let world = Origin(scheme: .http, host: "192.0.2.1", port: 80)
        let plain = await failure { () async throws(HTTP2Error) in
            try await HTTP2Connection.connect(to: world, deadline: soon)
        }
        #expect(plain?.transport?.code == .invalidRequest)
        let other = try RawServer { socket in
            _ = socket.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
            while let bytes = socket.receive(), !bytes.isEmpty {}
        }
        let connection = try await other.connect()
        #expect(await connection.waitForEnd().code == .protocolViolation)
        other.stop()
    }

    @Test("A handshake that does not end stops at the deadline and at a cancellation")
    func silentHandshake() async throws {
        let server = try RawServer { socket in while let bytes = socket.receive(), !bytes.isEmpty {} }
        let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.origin.port)
        let clock = ManualClock(alarmsBeyond: .seconds(1))
        let late = Task { () async -> HTTP2Error? in
            await failure { () async throws(HTTP2Error) in
                try await HTTP2Connection.connect(to: origin, deadline: clock.now + .seconds(5), clock: clock)
            }
        }
        while clock.alarms == 0 { try await Task.sleep(for: .milliseconds(5)) }
        clock.advance(by: .seconds(6))
        #expect(await late.value?.code == .timedOut)
        let cancelled = Task { () async -> HTTP2Error? in
            await failure { () async throws(HTTP2Error) in
                try await HTTP2Connection.connect(to: origin, deadline: soon)
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        server.stop()
    }

    @Test("In every order, a connection has either begun or was given up, and keeps the first reason of its end")
    func life() {
        enum Step: CaseIterable { case begin, giveUp, end }
        let (late, lost) = (HTTP2Error(.timedOut, "late"), HTTP2Error(.connectionLost, "lost"))
        for first in Step.allCases {
            for second in Step.allCases where second != first {
                for third in Step.allCases where third != first && third != second {
                    var (life, hasBegun, wasGivenUp) = (ConnectionLife(), false, false)
                    for step in [first, second, third] {
                        switch step {
                        case .begin: hasBegun = life.begin() == nil
                        case .giveUp: wasGivenUp = life.giveUp(late)
                        case .end: #expect(life.end(lost) == (wasGivenUp ? late : lost))
                        }
                    }
                    #expect(life.ending == (wasGivenUp ? late : lost))
                    #expect(hasBegun == (first == .begin) && wasGivenUp == (first == .giveUp))
                }
            }
        }
    }

    @Test("A deadline that passes while the connection is handed over ends it before, or not at all")
    func deadline() async throws {
        let server = try Self.echo()
        for turn in 0..<100 {
            let clock = ManualClock(alarmsBeyond: .seconds(1))
            let task = Task { () async -> Result<HTTP2Connection, HTTP2Error> in
                do throws(HTTP2Error) {
                    return .success(
                        try await HTTP2Connection.connect(
                            to: server.origin, deadline: clock.now + .seconds(5), clock: clock))
                } catch {
                    return .failure(error)
                }
            }
            try await Task.sleep(for: .microseconds(15 * turn))
            clock.advance(by: .seconds(6))
            switch await task.value {
            case .success(let connection):
                let stream = try connection.open("/")
                try await stream.send([1], isEnd: true)
                #expect(try await stream.body() == [1])
                await connection.shutdown()
            case .failure(let error): #expect(error.code == .timedOut)
            }
        }
        await server.stop()
    }

    @Test("Bytes in small slices arrive whole, and a cut or half-open connection is an error or a wait")
    func proxies() async throws {
        let server = try Self.echo()
        for fault in [BytesProxy.Fault.slices(7), .cut(30_000), .silence(30_000)] {
            let proxy = try BytesProxy(to: server.port) { fault }
            let connection = try await HTTP2Connection.connect(to: proxy.origin, deadline: soon)
            let stream = try connection.open("/")
            try await stream.send([UInt8](repeating: 5, count: 40_000), isEnd: true)
            let reader = Task { () async -> Result<[UInt8], HTTP2Error> in
                do throws(HTTP2Error) { return .success(try await stream.body()) } catch { return .failure(error) }
            }
            if case .silence = fault {
                // A reader waits until it is cancelled.
                try await Task.sleep(for: .milliseconds(100))
                reader.cancel()
            }
            switch (fault, await reader.value) {
            case (.slices, .success(let body)): #expect(body.count == 40_000)
            case (.cut, .failure(let error)): #expect(error.code == .connectionLost)
            case (.silence, .failure(let error)): #expect(error.code == .cancelled)
            case (_, let outcome): Issue.record("\(outcome)")
            }
            await connection.shutdown()
            proxy.stop()
        }
        await server.stop()
    }

    @Test("Releasing a stream resets it, and releasing the connection ends it")
    func released() async throws {
        let resets = Watched(0)
        let server = try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket) { _, stream in
                try? stream.respond()
                if case .reset(.cancel)? = await failure({ () async throws(HTTP2Error) in try await stream.body() })?
                    .code
                {
                    resets.update { $0 += 1 }
                }
            }
        }
        do {
            let connection = try await server.connect()
            for _ in 0..<3 {
                let stream = try connection.open("/")
                _ = try await stream.response()
            }
            _ = await resets.wait { $0 == 3 }
        }
        #expect(await server.first.waitForEnd().code == .connectionLost)
        await server.stop()
    }
}
