// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import Synchronization
import Testing

@Suite("Bodies that are sent again")
struct RestartableBodyTests {
    /// Where the bytes of the body come from.
    enum Origin: CaseIterable {
        case file, stream, form
    }

    /// What stands between the first attempt and the answer.
    enum Obstacle: Int, CaseIterable {
        case expired = 401, temporarilyElsewhere = 307, elsewhere = 308, unavailable = 503
    }

    private static let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#
    private static let content = String(repeating: "0123456789", count: 20_000)

    private let folder: TemporaryFolder
    private let resource = RestRequest.Resource.data(["upload"])

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.content, to: "up")
    }

    private func token(_ text: String) -> String {
        #"{"access_token":"\#(text)","instance_url":"https://example.my.salesforce.com"}"#
    }

    private func client(_ transport: any HTTPTransport) throws -> RestClient {
        try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: RestClient.Configuration(
                transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20)))
        )
    }

    private func upload(from origin: Origin) -> RestRequest {
        switch origin {
        case .file: RestRequest(method: .put, resource: resource, body: .file(path: folder.path("up")))
        case .stream:
            RestRequest(method: .put, resource: resource, body: .stream(Self.source(Self.content)))
        case .form:
            .form([.json("entity", ["a": 1]), .file("content", path: folder.path("up"))], to: resource, method: .put)
        }
    }

    /// Gives the text in two pieces, as often as it is asked.
    private static func source(_ text: String) -> HTTPBody.Source {
        .restartable(length: Int64(text.utf8.count)) {
            let bytes = Array(text.utf8)
            let pieces = Mutex([Array(bytes[..<7]), Array(bytes[7...])][...])
            return { pieces.withLock { $0.popFirst() } }
        }
    }

    private func enqueue(_ obstacle: Obstacle, on stub: StubTransport) {
        stub.enqueue(token("a1"))
        switch obstacle {
        case .expired:
            stub.enqueue(status: 401, Self.expired)
            stub.enqueue(token("a2"))
        case .temporarilyElsewhere, .elsewhere:
            stub.enqueue(status: obstacle.rawValue, fields: ["Location": "/services/data/v66.0/elsewhere"])
        case .unavailable: stub.enqueue(status: 503)
        }
        stub.enqueue("{}")
    }

    private func bodies(of stub: StubTransport) -> [HTTPBody] {
        stub.requests.filter { $0.method == .put }.map(\.body)
    }

    @Test(
        "a file, a stream and a form survive a renewal, a redirect and a retry", arguments: Origin.allCases,
        Obstacle.allCases)
    func survives(origin: Origin, obstacle: Obstacle) async throws {
        let transport = ReadingTransport()
        enqueue(obstacle, on: transport.stub)
        _ = try await client(transport).send(upload(from: origin))
        let bodies = bodies(of: transport.stub)
        #expect(bodies.count == 2)
        #expect(bodies.first == bodies.last)
        let sent = try #require(bodies.last?.inMemory)
        #expect(sent.count >= Self.content.utf8.count)
        #expect(String(decoding: sent, as: UTF8.self).contains(Self.content))
        #expect(transport.stub.unusedAnswers == 0)
    }

    @Test(
        "a stream that is made once is sent once, and the error says why and what to do", arguments: Obstacle.allCases)
    func once(obstacle: Obstacle) async throws {
        let transport = ReadingTransport()
        enqueue(obstacle, on: transport.stub)
        let left = Mutex([[UInt8]("once".utf8)][...])
        let body = HTTPBody.stream(.once { left.withLock { $0.popFirst() } })
        let client = try client(transport)
        let error = await #expect(throws: RestError.self) {
            try await client.send(RestRequest(method: .put, resource: resource, body: body))
        }
        #expect(error?.message.contains("made only once") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("HTTPBody.Source.restartable") == true)
        #expect(error?.status == obstacle.rawValue)
        #expect(bodies(of: transport.stub) == [.bytes(Array("once".utf8))])
    }

    /// The error of an app's own source.
    private struct OwnFailure: Error, Equatable { let number: Int }

    @Test("the error of a body's source is the underlying one, whenever the source throws it", arguments: 0..<3)
    func ownFailure(pieces: Int) async throws {
        let source: HTTPBody.Source
        if pieces == 0 {
            source = .restartable { throw OwnFailure(number: 7) }
        } else {
            let left = Mutex(pieces)
            source = .once {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { throw OwnFailure(number: 7) }
                return Array("piece".utf8)
            }
        }
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let client = try RestClient(instanceURL: "http://127.0.0.1:\(server.port)", accessToken: "t")
        let error = await #expect(throws: RestError.self) {
            try await client.send(RestRequest(method: .post, resource: resource, body: .stream(source)))
        }
        #expect(error?.code == .bodySource && error?.underlying as? OwnFailure == OwnFailure(number: 7))
        #expect(error?.message.contains("OwnFailure(number: 7)") == true)
        #expect(error?.advice.contains("underlying") == true)
        #expect(error?.outcome != nil && error?.outcome != .applied)
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("a read that is redirected with 303 goes on without its body, however that was made")
    func becomesRead() async throws {
        for source in [HTTPBody.Source.once { nil }, .restartable { { nil } }] {
            let transport = ReadingTransport()
            transport.stub.enqueue(token("a1"))
            transport.stub.enqueue(status: 303, fields: ["Location": "/services/data/v66.0/elsewhere"])
            transport.stub.enqueue(#"{"searchRecords":[]}"#)
            var search = RestRequest.search(ParameterizedSearch("x"))
            search.body = .stream(source)
            _ = try await client(transport).send(search)
            let last = try #require(transport.stub.requests.last)
            #expect(last.method == .get)
            #expect(last.body == .empty)
            #expect(last.url.path == "/services/data/v66.0/elsewhere")
        }
    }

    @Test("a file that changes between two attempts is an error of its own", arguments: [Origin.file, .form])
    func changed(origin: Origin) async throws {
        let folder = folder
        let transport = ReadingTransport { count in
            if count == 1 { try? folder.write("another", to: "up") }
        }
        enqueue(.unavailable, on: transport.stub)
        let (client, upload) = (try client(transport), upload(from: origin))
        let error = await #expect(throws: RestError.self) { try await client.send(upload) }
        #expect(error?.code == .bodyChanged)
        #expect(error?.attempts.map(\.status) == [503])
        // What came of the first attempt nobody knows; the second never left.
        #expect(error?.outcome == .unknown)
        #expect(bodies(of: transport.stub).count == 1)
        #expect(transport.stub.unusedAnswers == 1)
    }

    @Test("the next call sends the file as it is then")
    func nextCall() async throws {
        let transport = ReadingTransport()
        transport.stub.enqueue(token("a1"))
        let client = try client(transport)
        let upload = upload(from: .file)
        for text in ["one", "another"] {
            try folder.write(text, to: "up")
            transport.stub.enqueue("{}")
            _ = try await client.send(upload)
        }
        #expect(bodies(of: transport.stub) == [.bytes(Array("one".utf8)), .bytes(Array("another".utf8))])
    }

    @Test("over a socket, an upload goes through a redirect and a retry, each time whole", arguments: Origin.allCases)
    func overSocket(origin: Origin) async throws {
        let server = try ScriptServer([
            .readRequest, .respond(status: 307, fields: [("Location", "/elsewhere")]),
            .readRequest, .respond(status: 503, fields: [("Retry-After", "0")]),
            .readRequest, .respond("{}"),
        ])
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(timeout: .seconds(20)))
        _ = try await client.send(upload(from: origin))
        let requests = server.journal.requests
        #expect(requests.count == 3)
        #expect(requests.filter { $0.contains(Self.content) }.count == 3)
        #expect(Set(requests.map { $0.components(separatedBy: "\r\n\r\n").dropFirst().joined() }).count == 1)
    }
}
