// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Synchronization
import Testing

@Suite("Error handlers for all calls")
struct HandlerTests {
    private var stub = Stub()
    private let clock = ManualClock(alarmsBeyond: .seconds(50))

    init() {
        stub.configuration.clock = clock
        stub.configuration.retryPolicy = RetryPolicy()
    }

    private final class Heard: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock(\.self) }
        func note(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private static let missing = #"{"error":{".tag":"path_lookup","path_lookup":{".tag":"not_found"}}}"#

    private func fail(_ box: DropboxClient) async {
        await #expect(throws: CallError<Files.DeleteError>.self) { try await box.files.deleteV2(path: "/f").value }
    }

    @Test("a handler is called only for its own error type, also a nested one, until it is removed")
    func types() async {
        let (box, heard) = (stub.user, Heard())
        let client = box.routes.client
        let handlers = [
            client.onError(of: Files.DeleteError.self) { _, _ in
                heard.note("delete")
                return .propagate
            },
            client.onError(of: Files.LookupError.self) { error, call in
                heard.note("lookup \(error) \(call.request.name)")
                return .propagate
            },
            client.onError(of: Files.WriteError.self) { _, _ in
                heard.note("write")
                return .propagate
            },
            client.onError(of: RestError.self) { error, _ in
                heard.note("rest \(error.code)")
                return .propagate
            },
        ]
        stub.transport.enqueue(status: 409, Self.missing)
        await fail(box)
        #expect(heard.all == ["delete", #"lookup LookupError{".tag":"not_found"} files/delete_v2"#])
        stub.transport.enqueue(status: 400, "no")
        await fail(box)
        #expect(heard.all.last == "rest api" && heard.all.count == 3)
        for handler in handlers { handler.remove() }
        stub.transport.enqueue(status: 409, Self.missing)
        await fail(box)
        #expect(heard.all.count == 3)
    }

    @Test("handlers are also called for downloads of every kind")
    func downloads() async throws {
        let (box, heard) = (stub.user, Heard())
        box.routes.client.onError(of: Files.LookupError.self) { error, _ in
            heard.note("\(error)")
            return .propagate
        }
        let folder = try TemporaryDirectory()
        let body = #"{"error":{".tag":"path","path":{".tag":"not_file"}}}"#
        for _ in 0..<3 { stub.transport.enqueue(status: 409, body) }
        let call = box.files.download(path: "/a")
        await #expect(throws: CallError<Files.DownloadError>.self) { try await call.save(to: folder.path("a")) }
        await #expect(throws: CallError<Files.DownloadError>.self) { try await call.value }
        await #expect(throws: CallError<Files.DownloadError>.self) {
            try await box.download("/a", to: folder.path("a")).value
        }
        #expect(heard.all.count == 3)
    }

    @Test("a handler can send the call again after a delay, and the caller gets the new result")
    func again() async throws {
        let box = stub.user
        box.routes.client.onError(of: Files.LookupError.self) { _, _ in .retry(after: .seconds(30)) }
        stub.transport.enqueue(status: 409, #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        stub.transport.enqueue(Stub.folder)
        _ = try await box.files.getMetadata(path: "/f").value
        #expect(clock.sleeps.contains(.seconds(30)))
        #expect(stub.transport.requests.count == 2)
    }

    @Test("a body that can be sent only once is not sent again as an empty body")
    func once() async {
        let box = stub.user
        box.routes.client.onError(of: RestError.self) { _, _ in .retry(after: .zero) }
        stub.transport.enqueue(status: 429, "")
        let given = Mutex(false)
        let stream = HTTPBody.stream(
            .once(length: 1) {
                given.withLock { isGiven in
                    defer { isGiven = true }
                    return isGiven ? nil : [1]
                }
            })
        await #expect(throws: CallError<Files.UploadError>.self) {
            try await box.files.upload(body: stream, path: "/a").value
        }
        #expect(stub.transport.requests.count == 1)
    }

    @Test("a handler runs on the actor that it names")
    @MainActor
    func actor() async {
        let (box, heard) = (stub.user, Heard())
        box.routes.client.onError(of: RestError.self) { @MainActor error, _ in
            MainActor.assertIsolated()
            heard.note("\(error.code)")
            return .propagate
        }
        stub.transport.enqueue(status: 400, "no")
        await fail(box)
        #expect(heard.all == ["api"])
    }
}

@Suite("The caller of a request")
struct CallerTests {
    private let stub = Stub()

    @Test("members, admins and path roots are sent as headers, and clients for them share the pipeline")
    func derived() async throws {
        let team = stub.team
        for _ in 0..<3 { stub.transport.enqueue(Stub.folder) }
        let member = team.asMember("dbmid:1")
        _ = try await member.withPathRoot(.root("1")).files.getMetadata(path: "/f").value
        _ = try await team.asAdmin("dbmid:2").withPathRoot(.namespaceID("é")).files.getMetadata(path: "/f").value
        _ = try await member.withPathRoot(.home).withPathRoot(nil).files.getMetadata(path: "/f").value
        #expect((0..<3).map { stub.field("Dropbox-API-Select-User", $0) } == ["dbmid:1", nil, "dbmid:1"])
        #expect((0..<3).map { stub.field("Dropbox-API-Select-Admin", $0) } == [nil, "dbmid:2", nil])
        #expect(
            (0..<3).map { stub.field("Dropbox-API-Path-Root", $0) } == [
                #"{".tag":"root","root":"1"}"#, #"{".tag":"namespace_id","namespace_id":"\u00e9"}"#, nil,
            ])
        let isShared = member.withPathRoot(.home).routes.client === team.routes.client
        #expect(isShared)
    }

    @Test("a route for apps and users is called with the token, or without a token with the app's key and secret")
    func appAndUser() async throws {
        stub.transport.enqueue(Stub.page)
        stub.transport.enqueue(Stub.page)
        _ = try await stub.user.files.listFolder(path: "").value
        _ = try await stub.itself.files.listFolder(path: "").value
        #expect(
            (0..<2).map { stub.field("Authorization", $0) } == [
                "Bearer t", "Basic YXBwS2V5OmFwcFNlY3JldA==",
            ])
    }

    @Test("a route for apps is called with the app's key and secret, whatever the client's token is")
    func appAlone() async throws {
        stub.transport.enqueue(#"{"result":"x"}"#)
        _ = try await stub.user.check.app(query: "x").value
        #expect(stub.transport.requests[0].fields.values(of: "Authorization") == ["Basic YXBwS2V5OmFwcFNlY3JldA=="])
    }

    @Test("a call without the credential that its route needs is not sent")
    func nobody() async throws {
        var publicApp = stub
        publicApp.app.secret = nil
        await #expect(throws: CallError<Files.GetMetadataError>.self) {
            try await stub.itself.files.getMetadata(path: "/f").value
        }
        await #expect(throws: CallError<Check.EchoError>.self) {
            try await publicApp.itself.check.app(query: "x").value
        }
        #expect(stub.transport.requests.isEmpty)
    }
}

@Suite("Lifetime of clients and calls")
struct LifetimeTests {
    private let stub = Stub()

    @Test("a route's version and slashes are in its URL, and an absent argument or result is null")
    func addresses() async throws {
        for response in [#"{"metadata":\#(Stub.folder)}"#, "null", "null", ""] { stub.transport.enqueue(response) }
        _ = try await stub.user.files.deleteV2(path: "/f").value
        let cursor = Files.UploadSessionCursor(sessionID: "s", offset: 0)
        try await stub.user.files.uploadSessionAppendV2(body: .bytes([1]), cursor: cursor).value
        for _ in 0..<2 { try await stub.user.auth.tokenRevoke().value }
        #expect(stub.url(0).hasSuffix("/2/files/delete_v2"))
        #expect(stub.url(1).hasSuffix("/2/files/upload_session/append_v2"))
        #expect(stub.body(2) == "null" && stub.field("Content-Type", 2) == "application/json")
    }

    @Test("a call outlives the client that made it")
    func client() async throws {
        stub.transport.enqueue(Stub.folder)
        let call = { stub.user.files.getMetadata(path: "/f") }()
        _ = try await call.value
    }

    @Test("after a shutdown calls and transfers fail immediately with a typed error")
    func shutdown() async throws {
        let box = stub.user
        box.routes.client.shutdown()
        await #expect { try await box.files.getMetadata(path: "/f").value } throws: { error in
            (error as? CallError<Files.GetMetadataError>)?.rest.code == .shutDown
        }
        let folder = try TemporaryDirectory()
        let download = box.download("/a", to: folder.path("a"))
        #expect(try await ContentStub.failure(of: download).rest.code == .shutDown)
        #expect(stub.transport.requests.isEmpty)
    }

    @Test("an error for an unreadable result contains the response")
    func unreadable() async {
        stub.transport.enqueue("<html>")
        await #expect { try await stub.user.files.getMetadata(path: "/f").value } throws: { error in
            let rest = (error as? CallError<Files.GetMetadataError>)?.rest
            return rest?.code == .decoding && rest?.body == Array("<html>".utf8) && rest?.status == 200
        }
    }

    @Test("cancelling the waiting task ends the call with a typed error")
    func cancelled() async {
        stub.transport.enqueue(.silence)
        let box = stub.user
        let waiting = Task { () -> RestError.Code? in
            do throws(CallError<Files.GetMetadataError>) {
                _ = try await box.files.getMetadata(path: "/f").value
                return nil
            } catch {
                return error.rest.code
            }
        }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }
}
