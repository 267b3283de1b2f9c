// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Synchronization
import Testing

@Suite("Downloads of parts, and downloads that break off", .timeLimit(.minutes(1)))
struct DownloadTests {
    private let folder: TemporaryFolder
    private let blob = RestRequest.blob("ContentVersion", id: "068000000000001AAA", field: "VersionData")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func client(of server: ScriptServer, attempts: Int = 3) throws -> RestClient {
        var policy = RetryPolicy()
        policy.maximumAttempts = attempts
        return try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(timeout: .seconds(20), retryPolicy: policy))
    }

    private func head(_ status: Int, _ fields: String) -> String { "HTTP/1.1 \(status) X\r\n\(fields)\r\n\r\n" }

    /// Sends ten bytes piece by piece, a connection for each.
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

    @Test("each break is an attempt, the next one asks for the rest, and the progress is that of the whole file")
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

    @Test("with no attempt left, the break is the error, and nothing is left on the disk")
    func attempts() async throws {
        let server = try server()
        let client = try client(of: server, attempts: 2)
        let error = await #expect(throws: RestError.self) { try await client.download(blob, to: folder.path("down")) }
        #expect(error?.code == .transport)
        #expect(error?.attempts.count == 1)
        #expect(folder.names.isEmpty)
    }

    @Test("a weak tag is never used: the download starts over")
    func weak() async throws {
        let server = try ScriptServer(connections: [
            [.readRequest, .send(head(200, "ETag: W/\"a\"\r\nContent-Length: 10") + "abcd")],
            [.readRequest, .respond("0123456789")],
        ])
        _ = try await client(of: server).download(blob, to: folder.path("down"))
        #expect(folder.text(of: "down") == "0123456789")
        #expect(server.journal.requests.allSatisfy { !$0.contains("Range:") })
    }

    @Test("a file that is another one by then, whether the server says so or not, is loaded from its start")
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

    @Test("a range beyond the end is an error of its own, with what the server says of the length")
    func beyondEnd() async throws {
        let server = try ScriptServer([
            .readRequest, .respond(status: 416, fields: [("Content-Range", "bytes */10")]),
            .readRequest, .respond("0123456789"),
        ])
        let client = try client(of: server)
        for _ in 1...2 {
            let error = await #expect(throws: RestError.self) {
                try await client.download(blob, to: folder.path("down"), range: .from(100))
            }
            #expect(error?.code == .rangeNotSatisfiable)
        }
        #expect(server.journal.requests.count == 2)
        #expect(folder.names.isEmpty)
    }

    @Test("a range is taken out of what comes, as a part or as the whole")
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

    @Test("the file that is the body of the request is not replaced by the answer")
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

    @Test("a range without a byte, and one of a request that is no GET, are refused before anything is sent")
    func refused() async throws {
        let server = try ScriptServer([.readRequest, .respond("0123456789")])
        let client = try client(of: server)
        var post = blob
        post.method = .post
        for (request, range) in [(blob, .bytes(5..<5)), (post, .from(1))] as [(RestRequest, HTTPRequest.ByteRange)] {
            let error = await #expect(throws: RestError.self) {
                try await client.download(request, to: folder.path("down"), range: range)
            }
            #expect(error?.code == .invalidRequest)
        }
        #expect(server.journal.connections.isEmpty)
    }
}
