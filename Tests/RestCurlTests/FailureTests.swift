// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport fails honestly", .timeLimit(.minutes(1)))
struct FailureTests {
    let transport = CurlTransport()

    /// Sends a request that must fail and gives its error.
    private func failing(_ request: HTTPRequest, within limit: Duration = .seconds(8)) async -> TransportError? {
        await failure { () async throws(TransportError) in
            try await transport.send(request, deadline: .now + limit)
        }
    }

    @Test(
        "Broken answers are typed errors that say the server may have acted",
        arguments: [
            ("empty reply", [.readRequest], .connectionLost),
            ("short body", [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")], .connectionLost),
            (
                "short chunk",
                [.readRequest, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")], .connectionLost
            ),
            (
                "reset", [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .reset],
                .connectionLost
            ),
            ("garbage", [.readRequest, .send("\u{1}\u{2}garbage that is not HTTP\r\n\r\n")], .invalidResponse),
            ("HTTP/0.9", [.readRequest, .send("just text")], .invalidResponse),
            (
                "contradictory lengths",
                [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")],
                .invalidResponse
            ),
            (
                "negative length", [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")],
                .invalidResponse
            ),
            (
                "overflowing length",
                [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n")],
                .invalidResponse
            ),
            (
                "huge length",
                [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775806\r\n\r\nx")], .tooLarge
            ),
            (
                "mislabelled gzip",
                [.readRequest, .respond(fields: [("Content-Encoding", "gzip")], "not gzip at all")], .invalidResponse
            ),
            (
                "unknown encoding",
                [.readRequest, .respond(fields: [("Content-Encoding", "rot13")], "x")], .invalidResponse
            ),
            ("unasked switch", [.readRequest, .send("HTTP/1.1 101 Switching\r\n\r\n")], .invalidResponse),
            (
                "bad chunk size",
                [.readRequest, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab")], .connectionLost
            ),
            (
                "folded header",
                [.readRequest, .send("HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n")], .invalidResponse
            ),
        ] as [(String, ScriptServer.Script, TransportError.Code)])
    func brokenAnswers(name: String, script: ScriptServer.Script, code: TransportError.Code) async throws {
        let server = try ScriptServer(script)
        let error = await failing(HTTPRequest(method: .post, url: server.url(), body: .bytes([1])))
        #expect(error?.code == code, "\(name): \(error as Any)")
        #expect(error?.mayHaveReachedServer == true)
        #expect(await server.stop().requests.count == 1, "sent once")
    }

    @Test("A refused connection proves that nothing was sent")
    func refused() async throws {
        let server = try ScriptServer([])
        let url = server.url()
        await server.stop()
        let error = await failing(HTTPRequest(method: .post, url: url))
        #expect(error?.code == .notConnected)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("An unknown host proves that nothing was sent")
    func unknownHost() async throws {
        let url = try HTTPURL(parsing: "https://does-not-exist.invalid/")
        let error = await failing(HTTPRequest(url: url))
        #expect(error?.code == .hostNotFound)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(
        "A write on a connection that dies is never sent again by itself",
        arguments: [HTTPBody.empty, .bytes(Array("x=1".utf8)), .bytes(Array(repeating: 0x61, count: 100_000))])
    func noSilentRepeat(body: HTTPBody) async throws {
        let server = try ScriptServer(connections: [
            [.readRequest, .respond("ok"), .readRequest], [.readRequest, .respond("again")],
        ])
        _ = try await transport.send(HTTPRequest(url: server.url("/warm")), deadline: soon)
        let error = await failing(HTTPRequest(method: .post, url: server.url("/write"), body: body))
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveReachedServer == true)
        let journal = await server.stop()
        #expect(journal.requests.count { $0.hasPrefix("POST /write ") } == 1)
    }

    @Test("A deadline in fractions of a second ends the call on time", arguments: [20, 150])
    func deadline(milliseconds: Int) async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let start = ContinuousClock.now
        let error = await failing(HTTPRequest(url: server.url()), within: .milliseconds(milliseconds))
        #expect(error?.code == .timedOut)
        // The server's own threads measure, since the test's may be busy with other tests.
        let journal = await server.wait { $0.connections.first?.closedAt != nil }
        let spent = try #require(journal.connections.first?.closedAt) - start
        #expect(spent >= .milliseconds(milliseconds))
        #expect(spent < .seconds(10))  // the server never answers; a busy machine may be late
    }

    @Test("A drip of bytes does not push the deadline back")
    func slowDrip() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
            .drip(Array(repeating: 0x61, count: 1000), every: .milliseconds(5)),
        ])
        let error = await failing(HTTPRequest(url: server.url()), within: .milliseconds(500))
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test("A deadline in the past sends nothing")
    func pastDeadline() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let error = await failing(HTTPRequest(url: server.url()), within: .zero)
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveReachedServer == false)
        #expect(await server.stop().connections.isEmpty)
    }

    @Test("A task cancelled before it starts sends nothing")
    func cancelledBefore() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let url = server.url()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await failing(HTTPRequest(url: url))
        }
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveReachedServer == false)
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("Cancelling in flight returns at once and closes the connection")
    func cancelledDuring() async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let url = server.url()
        let task = Task { await failing(HTTPRequest(url: url)) }
        await server.wait { $0.requests.count == 1 }
        let start = ContinuousClock.now
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.mayHaveReachedServer == true)
        let journal = await server.wait { $0.connections[0].closedAt != nil }
        #expect(try #require(journal.connections[0].closedAt) - start < .milliseconds(300))
    }

    @Test("A call that ends while it connects proves that nothing was sent")
    func connecting() async throws {
        let port = try SilentPort()
        let late = await failing(HTTPRequest(method: .post, url: port.url), within: .milliseconds(150))
        #expect(late?.code == .timedOut)
        #expect(late?.mayHaveReachedServer == false)
        let task = Task { await failing(HTTPRequest(method: .post, url: port.url)) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value?.mayHaveReachedServer == false)
    }

    @Test(
        "Requests that could smuggle or leak are refused before anything is sent",
        arguments: [
            HTTPFields.Field(name: "X", value: "a\r\nEvil: 1"), .init(name: "X", value: "a\nb"),
            .init(name: "X", value: "a\0b"), .init(name: "X Y", value: "1"), .init(name: "X\r\n", value: "1"),
            .init(name: "", value: "1"), .init(name: "Content-Length", value: "0"),
            .init(name: "transfer-encoding", value: "chunked"), .init(name: "Host", value: "evil"),
        ])
    func refusedFields(field: HTTPFields.Field) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        var request = HTTPRequest(url: server.url())
        request.fields.append(field.name, field.value)
        let error = await failing(request)
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveReachedServer == false)
        #expect(await server.stop().connections.isEmpty)
    }

    @Test("A method that is no token is refused", arguments: ["", "GET /x HTTP/1.1\r\nX:", "GE T", "GET\0"])
    func refusedMethods(name: String) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let error = await failing(HTTPRequest(method: HTTPMethod(rawValue: name), url: server.url()))
        #expect(error?.code == .invalidRequest)
        #expect(await server.stop().connections.isEmpty)
    }

    @Test(
        "Plain http to anything but a literal loopback address is refused",
        arguments: ["http://localhost/", "http://example.com/", "http://10.0.0.1/", "http://127.0.0.1.example.com/"])
    func plainHTTP(text: String) async throws {
        let error = await failing(HTTPRequest(url: try HTTPURL(parsing: text)))
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("A missing file to upload is an error of its own")
    func missingFile() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: "/nonexistent/file"))
        let error = await failing(request)
        #expect(error?.code == .file)
        #expect(error?.mayHaveReachedServer == false)
    }
}
