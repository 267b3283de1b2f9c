// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestSDK
import RestTesting
import Synchronization
import Testing

@Suite("Uploads and downloads of files, over real sockets", .timeLimit(.minutes(1)))
struct FileTests {
    private static let id = "068000000000001AAA"
    private static let created = #"{"id":"068000000000001AAA","success":true,"errors":[]}"#

    private func client(of server: ScriptServer, policy: RetryPolicy = .never) throws -> RestClient {
        try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(timeout: .seconds(20), retryPolicy: policy))
    }

    private func withFile(_ content: [UInt8], _ body: (String) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("photo \"1\".bin")
        try Data(content).write(to: URL(fileURLWithPath: path))
        try await body(path)
    }

    private func request(of path: String) -> RestRequest {
        .create(
            "ContentVersion", ["Title": "Photo", "PathOnClient": "photo.bin"],
            with: .file("VersionData", path: path, type: "image/png"))
    }

    @Test("a file is uploaded in a form after the record's fields, byte for byte, with its length and progress")
    func upload() async throws {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withFile(content) { path in
            let server = try ScriptServer([.readRequest, .respond(status: 201, Self.created)])
            let progress = Mutex(TransferProgress())
            let response = try await client(of: server).send(
                request(of: path).reportingProgress { step in progress.withLock { $0 = step } })
            #expect(response.payload["id"]?.string == Self.id)
            let received = try #require(server.journal.connections.first?.received)
            let text = String(decoding: received, as: UTF8.self)
            #expect(text.hasPrefix("POST /services/data/v66.0/sobjects/ContentVersion HTTP/1.1\r\n"))
            #expect(text.contains("Content-Disposition: form-data; name=\"entity_content\"\r\n"))
            #expect(text.contains(#"{"Title":"Photo","PathOnClient":"photo.bin"}"#))
            #expect(
                text.contains(
                    "form-data; name=\"VersionData\"; filename=\"photo %221%22.bin\"\r\nContent-Type: image/png\r\n\r\n"
                ))
            let start = try #require(received.firstRange(of: Array("image/png\r\n\r\n".utf8))).upperBound
            #expect(Array(received[start..<(start + content.count)]) == content)
            #expect(received[(start + content.count)...].starts(with: Array("\r\n--RestSDK-".utf8)))
            #expect(text.hasSuffix("--\r\n"))
            #expect(text.contains("Content-Length: "))
            let last = progress.withLock { $0 }
            #expect(last.sent > Int64(content.count))
            #expect(last.sent == last.sentTotal)
        }
    }

    @Test("a form of bytes in memory is sent again in a retry")
    func replay() async throws {
        let server = try ScriptServer([
            .readRequest, .respond(status: 503, fields: [("Retry-After", "0")]), .readRequest, .respond(Self.created),
        ])
        var request = RestRequest.create(
            "Document", ["Name": "x"], with: .bytes("Body", Array("hello".utf8), fileName: "x.txt", type: "text/plain"))
        request.effect = .writes(idempotent: true)
        let response = try await client(of: server, policy: RetryPolicy()).send(request)
        #expect(response.payload["success"]?.bool == true)
        let text = String(decoding: server.journal.connections.flatMap(\.received), as: UTF8.self)
        #expect(text.ranges(of: "name=\"entity_document\"").count == 2)
        #expect(text.ranges(of: "text/plain\r\n\r\nhello\r\n--RestSDK-").count == 2)
    }

    @Test("a missing file or a directory is rejected before anything is sent")
    func missing() async throws {
        let server = try ScriptServer([.readRequest, .respond(Self.created)])
        for path in ["/nowhere/to/be/found", "/tmp"] {
            await expectFailure(.file, outcome: .notApplied) { try await client(of: server).send(request(of: path)) }
        }
        #expect(server.journal.connections.isEmpty)
    }

    /// Accepts one connection, calls `change` after the header, and reports the number of received bytes at the end.
    private func slowServer(
        _ change: @escaping @Sendable () throws -> Void
    ) throws -> (origin: String, received: AsyncStream<Int>) {
        let listener = try Socket.listening()
        let (received, continuation) = AsyncStream.makeStream(of: Int.self)
        Thread {
            var count = 0
            if let socket = try? listener.accepted(withinMilliseconds: 10_000) {
                count = socket.receive()?.count ?? 0
                try? change()
                while let bytes = socket.receive(), !bytes.isEmpty { count += bytes.count }
            }
            continuation.yield(count)
            continuation.finish()
        }.start()
        return ("http://127.0.0.1:\(listener.port)", received)
    }

    @Test(
        "a file that grows, shrinks or changes during an upload ends it, and the upload never looks complete",
        arguments: ["grows", "shrinks", "changes"], [true, false])
    func changed(how: String, isForm: Bool) async throws {
        // Larger than the buffers of the sockets between client and server.
        let size = 32_000_000
        try await withFile([UInt8](repeating: 1, count: size)) { path in
            let server = try slowServer {
                let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
                switch how {
                case "grows": try file.seekToEnd()
                case "shrinks": try file.truncate(atOffset: UInt64(size - 100_000))
                default: try file.seek(toOffset: UInt64(size - 1))
                }
                if how != "shrinks" { try file.write(contentsOf: Data([2])) }
                try file.close()
            }
            let upload = RestRequest(method: .put, resource: .data(["x"]), body: .file(path: path))
            let client = try RestClient(
                instanceURL: server.origin, accessToken: "t",
                configuration: RestClient.Configuration(timeout: .seconds(20), retryPolicy: .never))
            let error = await #expect(throws: RestError.self) {
                try await client.send(isForm ? request(of: path) : upload)
            }
            #expect(error?.code == .bodyChanged, "\(String(describing: error))")
            #expect(error?.outcome == .unknown)
            for await received in server.received { #expect(received < size) }
        }
    }

    @Test(
        "a stream longer or shorter than announced is an error, and the upload never looks complete",
        arguments: [-1, 1])
    func wrongLength(difference: Int64) async throws {
        let server = try ScriptServer([.readHeader, .readToEnd])
        let chunks = Mutex(4)
        let source = HTTPBody.Source.once(length: 4_000 + difference) {
            let isLeft = chunks.withLock {
                $0 -= 1
                return $0 >= 0
            }
            return isLeft ? [UInt8](repeating: 1, count: 1_000) : nil
        }
        let request = RestRequest(method: .post, resource: .data(["x"]), body: .stream(source))
        let error = await expectFailure(.invalidRequest) { try await client(of: server).send(request) }
        #expect(error?.message.contains("does not have the announced length") == true)
    }

    @Test("a blob is returned unchanged or written to a file, and an error response leaves the file alone")
    func download() async throws {
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(content.count)\r\n\r\n"
        let server = try ScriptServer([
            .readRequest, .send(head), .sendBytes(content), .readRequest, .send(head), .sendBytes(content),
            .readRequest,
            .respond(
                status: 404, fields: [("Content-Type", "application/json")],
                #"[{"errorCode":"NOT_FOUND","message":"gone"}]"#),
        ])
        let client = try client(of: server)
        let blob = RestRequest.blob("ContentVersion", id: Self.id, field: "VersionData")
        #expect(try await client.send(blob).payload == .data(content))
        try await withFile([9]) { path in
            let seen = Mutex<Int64>(0)
            let head = try await client.download(
                blob.reportingProgress { step in seen.withLock { $0 = step.received } }, to: path)
            #expect(head.fields["Content-Type"] == "image/png")
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == content)
            #expect(seen.withLock { $0 } == Int64(content.count))
            let error = await expectFailure(.notFound) { try await client.download(blob, to: path) }
            #expect(error?.faults.first?.errorCode == .notFound)
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == content)
        }
        let text = String(decoding: server.journal.connections.flatMap(\.received), as: UTF8.self)
        #expect(text.contains("GET /services/data/v66.0/sobjects/ContentVersion/\(Self.id)/VersionData HTTP/1.1\r\n"))
        #expect(text.contains("Authorization: Bearer t\r\n"))
    }

    @Test("a file that cannot be written is a file error")
    func unwritable() async throws {
        let server = try ScriptServer([.readRequest, .respond("content")])
        let error = await expectFailure(.file) {
            try await client(of: server).download(.blob("A", id: Self.id, field: "B"), to: "/nowhere/to/be/found")
        }
        #expect(error?.systemErrors == [TransportError.SystemError(.errno, Int(ENOENT))])
    }
}

@Suite("Downloads of ranges, and interrupted downloads", .timeLimit(.minutes(1)))
struct DownloadTests {
    private let folder: TemporaryDirectory
    private let blob = RestRequest.blob("ContentVersion", id: "068000000000001AAA", field: "VersionData")

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func client(of server: ScriptServer, attempts: Int = 3) throws -> RestClient {
        var policy = RetryPolicy()
        policy.maximumAttempts = attempts
        return try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(timeout: .seconds(20), retryPolicy: policy))
    }

    private func head(_ status: Int, _ fields: String) -> String { "HTTP/1.1 \(status) X\r\n\(fields)\r\n\r\n" }

    /// Sends ten bytes in three parts, each on a new connection.
    private func server(tag: String = "\"a\"") throws -> ScriptServer {
        try ScriptServer(connections: [
            [.readRequest, .send(head(200, "ETag: \(tag)\r\nContent-Length: 10") + "abcd")],
            [
                .readRequest,
                .send(head(206, "ETag: \(tag)\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6") + "efg"),
            ],
            [
                .readRequest,
                .send(head(206, "ETag: \(tag)\r\nContent-Range: bytes 7-9/10\r\nContent-Length: 3") + "hij"),
            ],
        ])
    }

    @Test("each interruption is an attempt, the next attempt requests the rest, and the progress is of the whole file")
    func resumes() async throws {
        let server = try server()
        let told = Mutex<[TransferProgress]>([])
        let request = blob.reportingProgress { step in told.withLock { $0.append(step) } }
        let head = try await client(of: server).download(request, to: folder.path("down"))
        #expect(head.status == 206)
        #expect(folder.text(of: "down") == "abcdefghij")
        #expect(folder.names == ["down"])
        let ranges = server.journal.requests.map { text in
            text.split(separator: "\r\n").filter { $0.hasPrefix("Range:") || $0.hasPrefix("If-Range:") }
        }
        #expect(
            ranges == [[], ["Range: bytes=4-9", "If-Range: \"a\""], ["Range: bytes=7-9", "If-Range: \"a\""]])
        let steps = told.withLock { $0 }
        #expect(steps.allSatisfy { $0.receivedTotal == 10 })
        #expect(steps.map(\.received) == steps.map(\.received).sorted())
        #expect(steps.last?.received == 10)
    }

    @Test("without an attempt left, the interruption is the error, and no file is left")
    func attempts() async throws {
        let server = try server()
        let client = try client(of: server, attempts: 2)
        let error = await expectFailure(.transport) { try await client.download(blob, to: folder.path("down")) }
        #expect(error?.attempts.count == 1)
        #expect(folder.names.isEmpty)
    }

    @Test("a weak entity tag is never used, so the download starts over")
    func weak() async throws {
        let server = try ScriptServer(connections: [
            [.readRequest, .send(head(200, "ETag: W/\"a\"\r\nContent-Length: 10") + "abcd")],
            [.readRequest, .respond("0123456789")],
        ])
        _ = try await client(of: server).download(blob, to: folder.path("down"))
        #expect(folder.text(of: "down") == "0123456789")
        #expect(server.journal.requests.allSatisfy { !$0.contains("Range:") })
    }

    @Test("a file that changed in the meantime is downloaded from the start, whether or not the server detects it")
    func changed() async throws {
        let broken = head(200, "ETag: \"a\"\r\nContent-Length: 10") + "abcd"
        let honest = try ScriptServer(connections: [
            [.readRequest, .send(broken)], [.readRequest, .respond("another")],
        ])
        _ = try await client(of: honest).download(blob, to: folder.path("down"))
        #expect(folder.text(of: "down") == "another")
        #expect(honest.journal.requests.count == 2)

        let fields = "ETag: \"b\"\r\nConnection: close\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6"
        let other = head(206, fields) + "456789"
        let careless = try ScriptServer(connections: [
            [.readRequest, .send(broken)], [.readRequest, .send(other)], [.readRequest, .respond("0123456789")],
        ])
        _ = try await client(of: careless).download(blob, to: folder.path("down"))
        #expect(folder.text(of: "down") == "0123456789")
        #expect(careless.journal.requests.count == 3)
    }

    @Test("a range after the end is its own error, with the length that the server reports")
    func beyondEnd() async throws {
        let server = try ScriptServer([
            .readRequest, .respond(status: 416, fields: [("Content-Range", "bytes */10")]),
            .readRequest, .respond("0123456789"),
        ])
        let client = try client(of: server)
        for _ in 1...2 {
            await expectFailure(.rangeNotSatisfiable) {
                try await client.download(blob, to: folder.path("down"), range: .from(100))
            }
        }
        #expect(server.journal.requests.count == 2)
        #expect(folder.names.isEmpty)
    }

    @Test("a range is read from a partial response or cut out of a whole response")
    func range() async throws {
        let server = try ScriptServer([
            .readRequest, .send(head(206, "Content-Range: bytes 7-9/10\r\nContent-Length: 3") + "789"),
            .readRequest, .respond("0123456789"),
        ])
        let client = try client(of: server)
        for status in [206, 200] {
            let head = try await client.download(blob, to: folder.path("down"), range: .last(3))
            #expect(head.status == status)
            #expect(folder.text(of: "down") == "789")
        }
    }

    @Test("a response does not replace the file that is the body of its request")
    func ownBody() async throws {
        let server = try ScriptServer([.readRequest, .respond("0123456789")])
        try folder.write("body", to: "up")
        var request = blob
        (request.method, request.body) = (.post, .file(path: folder.path("up")))
        let error = await #expect(throws: RestError.self) {
            try await client(of: server).download(request, to: folder.path("./up"))
        }
        #expect(error?.code == .invalidRequest && folder.text(of: "up") == "body")
        #expect(server.journal.connections.isEmpty)
    }

    @Test("an empty range, and a range of a request that is not a GET, are rejected before anything is sent")
    func refused() async throws {
        let server = try ScriptServer([.readRequest, .respond("0123456789")])
        let client = try client(of: server)
        var post = blob
        post.method = .post
        for (request, range) in [(blob, .bytes(5..<5)), (post, .from(1))] as [(RestRequest, HTTPRequest.ByteRange)] {
            await expectFailure(.invalidRequest) {
                try await client.download(request, to: folder.path("down"), range: range)
            }
        }
        #expect(server.journal.connections.isEmpty)
    }
}
