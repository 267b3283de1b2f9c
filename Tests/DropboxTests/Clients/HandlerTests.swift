// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Synchronization
import Testing

@Suite("Handlers of every call's errors")
struct HandlerTests {
    private var stub = Stub()
    private let clock = ManualClock(alarmsBeyond: .seconds(50))

    init() {
        stub.configuration.clock = clock
        stub.configuration.retryPolicy = RetryPolicy()
    }

    /// What handlers were told, in order.
    private final class Heard: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock(\.self) }
        func note(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private static let missing = #"{"error":{".tag":"path_lookup","path_lookup":{".tag":"not_found"}}}"#

    private func fail(_ box: DropboxClient) async {
        await #expect(throws: CallError<Files.DeleteError>.self) { try await box.files.deleteV2(path: "/f").value }
    }

    @Test("A handler hears of its type alone, nested ones too, beside the call's own result, until it is taken out")
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

    @Test("Downloads tell them too, whichever way the content goes")
    func downloads() async throws {
        let (box, heard) = (stub.user, Heard())
        box.routes.client.onError(of: Files.LookupError.self) { error, _ in
            heard.note("\(error)")
            return .propagate
        }
        let folder = try TemporaryFolder()
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

    @Test("A handler that asks for it has the call sent again after its wait, and the caller gets that result")
    func again() async throws {
        let box = stub.user
        box.routes.client.onError(of: Files.LookupError.self) { _, _ in .retry(after: .seconds(30)) }
        stub.transport.enqueue(status: 409, #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        stub.transport.enqueue(Stub.folder)
        _ = try await box.files.getMetadata(path: "/f").value
        #expect(clock.sleeps.contains(.seconds(30)))
        #expect(stub.transport.requests.count == 2)
    }

    @Test("A body that can be sent only once is not sent again empty")
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

    @Test("A handler runs on the actor that it names")
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
