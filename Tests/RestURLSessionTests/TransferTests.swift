// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import RestURLSession
import Synchronization
import Testing

@Suite("URLSessionTransport uploads and downloads", .timeLimit(.minutes(1)))
struct TransferTests {
    let transport = URLSessionTransport()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rest-urlsession-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    @Test("A streamed body arrives whole, with and without a known length", arguments: [true, false])
    func upload(hasLength: Bool) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let piece = Array(repeating: UInt8(ascii: "x"), count: 50_000)
        let left = Mutex(40)
        let source = HTTPBodySource(length: hasLength ? 2_000_000 : nil) {
            left.withLock { left in
                defer { left -= 1 }
                return left > 0 ? piece : nil
            }
        }
        let reports = Mutex<[TransferProgress]>([])
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
        let response = try await transport.send(request, deadline: soon) { report in
            reports.withLock { $0.append(report) }
        }
        #expect(text(response) == "ok")
        let sent = try #require(await server.stop().requests.first)
        #if canImport(FoundationNetworking)
        #expect(sent.contains("Content-Length: 2000000"), "it was made to its end before it was sent")
        #else
        #expect(sent.contains("Transfer-Encoding: chunked") == !hasLength)
        #expect(sent.contains("Content-Length: 2000000") == hasLength)
        #endif
        #expect(sent.utf8.count { $0 == UInt8(ascii: "x") } >= 2_000_000)
        let last = try #require(reports.withLock { $0.last })
        #expect(
            last
                == TransferProgress(
                    sent: 2_000_000, sentTotal: hasLength ? 2_000_000 : nil, received: 2, receivedTotal: 2))
        let second = await failure { () async throws(TransportError) in
            try await transport.send(request, deadline: soon)
        }
        #expect(second?.code == .invalidRequest)
    }

    @Test("A body that fails to be made ends the request")
    func failingSource() async throws {
        struct Broken: Error {}
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let url = server.url()
        let source = HTTPBodySource { throw Broken() }
        let error = await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(method: .post, url: url, body: .stream(source)), deadline: soon)
        }
        #expect(error?.code == .invalidRequest)
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("A body of another length than announced ends the request")
    func wrongLength() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let url = server.url()
        let left = Mutex(1)
        let source = HTTPBodySource(length: 10) {
            left.withLock { left in
                defer { left -= 1 }
                return left > 0 ? [1, 2, 3] : nil
            }
        }
        let error = await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(method: .post, url: url, body: .stream(source)), deadline: soon)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test("Cancelling an upload releases its maker")
    func cancelledUpload() async throws {
        let server = try ScriptServer([.readHeader, .pause(.seconds(3))])
        let url = server.url()
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let source = HTTPBodySource {
            signal.yield()
            return Array(repeating: 0x61, count: 1_000)
        }
        let task = Task {
            await failure { () async throws(TransportError) in
                try await transport.send(HTTPRequest(method: .post, url: url, body: .stream(source)), deadline: soon)
            }
        }
        _ = await begun.first { _ in true }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test("A file is uploaded as it is")
    func uploadFile() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let content = String(repeating: "0123456789", count: 30_000)
        try content.write(toFile: path("up"), atomically: false, encoding: .utf8)
        let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: path("up")))
        _ = try await transport.send(request, deadline: soon)
        let sent = try #require(await server.stop().requests.first)
        #expect(sent.hasSuffix("\r\n\r\n" + content))
        #expect(sent.contains("Content-Length: 300000\r\n"))
    }

    @Test("A download replaces the file when it is complete, and reports its progress")
    func download() async throws {
        try "old".write(toFile: path("down"), atomically: false, encoding: .utf8)
        let content = String(repeating: "0123456789", count: 30_000)
        let server = try ScriptServer([.readRequest, .respond(content)])
        let reports = Mutex<[TransferProgress]>([])
        let response = try await transport.download(
            HTTPRequest(url: server.url()), to: path("down"), deadline: soon
        ) { report in reports.withLock { $0.append(report) } }
        #expect(response.head.status == 200)
        #expect(response.body.isEmpty)
        #expect(try String(contentsOfFile: path("down"), encoding: .utf8) == content)
        #expect(try names() == ["down"])
        #expect(
            reports.withLock { $0.last } == TransferProgress(sentTotal: 0, received: 300_000, receivedTotal: 300_000))
    }

    @Test("A download that breaks off leaves the old file and nothing else")
    func brokenDownload() async throws {
        try "old".write(toFile: path("down"), atomically: false, encoding: .utf8)
        let server = try ScriptServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
        let request = HTTPRequest(url: server.url())
        let target = path("down")
        let error = await failure { () async throws(TransportError) in
            try await transport.download(request, to: target, deadline: soon)
        }
        #expect(error?.code == .connectionLost)
        #expect(try String(contentsOfFile: path("down"), encoding: .utf8) == "old")
        #expect(try names() == ["down"])
    }

    @Test("The body of a failed request is in the response, not in the file")
    func refusedDownload() async throws {
        let server = try ScriptServer([.readRequest, .respond(status: 404, "not here")])
        let response = try await transport.download(HTTPRequest(url: server.url()), to: path("down"), deadline: soon)
        #expect(response.head.status == 404)
        #expect(text(response) == "not here")
        #expect(try names() == [])
    }

    @Test("A folder that is missing is an error of its own")
    func missingFolder() async throws {
        let server = try ScriptServer([.readRequest, .respond("x")])
        let request = HTTPRequest(url: server.url())
        let target = path("missing/down")
        let error = await failure { () async throws(TransportError) in
            try await transport.download(request, to: target, deadline: soon)
        }
        #expect(error?.code == .file)
    }
}
