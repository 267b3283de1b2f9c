// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import Dropbox

@Suite("Transfers with closures")
struct TransferResponseTests {
    private let script: ContentStub

    init() throws {
        script = try ContentStub()
    }

    @Test("closures are called with the progress and then once with the result, on the given queue")
    func queue() async throws {
        let queue = DispatchQueue(label: "closures")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        script.respond(ContentStub.content)
        let told = Mutex<[Int64]>([])
        let result = await withCheckedContinuation { over in
            script.download().response(on: queue) { update in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                told.withLock { $0.append(update.progress.received) }
            } completion: { result in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                over.resume(returning: result)
            }
        }
        #expect(try result.get().size == 12)
        #expect(told.withLock(\.self).last == 12)
    }

    @Test("closures are called on the caller's actor, also if the transfer is already finished")
    @MainActor
    func actor() async throws {
        script.respond(ContentStub.content)
        let download = script.download()
        _ = try await download.value
        var results: [Int] = []
        for _ in 0..<2 {
            await withCheckedContinuation { over in
                download.response { result in
                    MainActor.assertIsolated()
                    results.append((try? result.get()).map { Int($0.size) } ?? 0)
                    // A closure can cancel its own transfer.
                    download.cancel()
                    over.resume()
                }
            }
        }
        #expect(results == [12, 12])
    }

    @Test("a cancelled transfer calls its closure with the cancellation")
    func cancel() async throws {
        let download = script.download()
        download.cancel()
        let result = await withCheckedContinuation { over in
            download.response { over.resume(returning: $0) }
        }
        #expect(throws: CallError<Files.DownloadError>.self) { try result.get() }
        #expect(script.stub.transport.requests.isEmpty)
    }
}

@Suite("Calls that other code sends")
struct ElsewhereTests {
    private let stub = Stub()

    private func respond(_ status: Int, _ fields: HTTPFields = [:], _ body: String = "") -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(body.utf8))
    }

    @Test("the request has its server, its token and everything that the route needs")
    func requests() async throws {
        let box = stub.team.asMember("dbmid:1")
        let download = try await box.files.download(path: "/a").signedRequest()
        #expect("\(download.url)" == "https://content.dropboxapi.com/2/files/download")
        #expect(download.fields["Authorization"] == "Bearer t")
        #expect(download.fields["Dropbox-API-Select-User"] == "dbmid:1")
        #expect(download.fields["Dropbox-API-Arg"] == #"{"path":"/a"}"# && download.body == .empty)
        let upload = try await box.files.upload(body: .file(path: "/tmp/a"), path: "/a").signedRequest()
        #expect(upload.fields["Content-Type"] == "application/octet-stream")
        let nobody = try await box.files.listFolderLongpoll(cursor: "c").signedRequest()
        #expect(nobody.url.description.hasPrefix("https://notify.dropboxapi.com/"))
        #expect(nobody.fields["Authorization"] == nil)
        let app = try await stub.itself.check.app(query: "x").signedRequest()
        #expect(app.fields.values(of: "Authorization") == ["Basic YXBwS2V5OmFwcFNlY3JldA=="])
        #expect(stub.transport.requests.isEmpty)
    }

    @Test("an expired token is renewed first")
    func renewal() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(1))
        var stub = stub
        stub.configuration.clock = clock
        let server = AuthorizationServer.dropbox()
        let accounts = try await AccountManager.open(
            store: InMemoryCredentialStore(), transport: stub.transport, clock: clock)
        let account = try await accounts.add(
            Credential(
                accessToken: "a1", refreshToken: "r1", instance: server.origin, userID: "dbid:A",
                lifetime: .seconds(14_400),
                login: Credential.Login(server: server.origin, endpoints: server, clientID: "appKey")))
        let box = try DropboxClient(account: account.id, of: accounts, app: stub.app, configuration: stub.configuration)
        let call = box.files.download(path: "/a")
        #expect(try await call.signedRequest().fields["Authorization"] == "Bearer a1")
        clock.advance(by: .seconds(14_500))
        stub.transport.enqueue(#"{"access_token":"a2","token_type":"bearer","expires_in":14400}"#)
        #expect(try await call.signedRequest().fields["Authorization"] == "Bearer a2")
    }

    @Test("a response is converted as by the client: to a result, the route's own error, or another error")
    func responses() throws {
        let download = stub.user.files.download(path: "/a")
        #expect(try download.value(in: respond(200, ["Dropbox-API-Result": ContentStub.file()])).size == 12)
        let metadata = stub.user.files.getMetadata(path: "/f")
        guard case .folder = try metadata.value(in: respond(200, [:], Stub.folder)) else {
            throw Unexpected("no folder")
        }
        try stub.user.auth.tokenRevoke().value(in: respond(200))
        let missing = respond(409, [:], #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        #expect { try download.value(in: missing) } throws: { error in
            guard case .route(.path(.notFound), _)? = error as? CallError<Files.DownloadError> else { return false }
            return true
        }
        for (bad, code) in [(respond(200), RestError.Code.decoding), (respond(503), .server)] {
            #expect { try download.value(in: bad) } throws: { error in
                (error as? CallError<Files.DownloadError>)?.rest.code == code
            }
        }
        #expect { try metadata.value(in: respond(200, [:], "<html>")) } throws: { error in
            let rest = (error as? CallError<Files.GetMetadataError>)?.rest
            return rest?.code == .decoding && rest?.body == Array("<html>".utf8)
        }
    }
}

@Suite("Waiting until a transfer is idle")
struct IdleTests {
    @Test("a cancelled transfer has its result immediately, and is idle when its attempt has ended")
    func cancelled() async {
        let hasEnded = Mutex(false)
        let (isStopped, stopped) = AsyncStream<Void>.makeStream()
        let (mayEnd, end) = AsyncStream<Void>.makeStream()
        let transfer = Transfer<Int, Never> { _ in
            await withTaskCancellationHandler {
                // Waits even if it is cancelled, like code that closes a file.
                await Task { for await _ in mayEnd { return } }.value
            } onCancel: {
                stopped.yield()
            }
            hasEnded.withLock { $0 = true }
            return .success(1)
        }
        transfer.resume()
        transfer.cancel()
        for await _ in isStopped { break }
        await #expect(throws: CallError<Never>.self) { try await transfer.value }
        let endedAtOnce = hasEnded.withLock { $0 }
        #expect(!endedAtOnce)
        end.yield()
        await transfer.waitUntilIdle()
        let endedNow = hasEnded.withLock { $0 }
        #expect(endedNow)
    }

    @Test("a transfer that has not started is idle")
    func cold() async {
        await Transfer<Int, Never> { _ in .success(1) }.waitUntilIdle()
    }
}

@Suite("The updates of a transfer")
struct TransferUpdateTests {
    private func update(_ sent: Int64, attempt: Int = 1) -> TransferUpdate {
        TransferUpdate(attempt: attempt, progress: TransferProgress(sent: sent))
    }

    @Test("progress is reported at most twenty times a second")
    func rate() {
        var reporter = ProgressReporter<TransferProgress> { _ in }
        let start = ContinuousClock.now + .seconds(1)
        let due = (0..<1_000).filter { reporter.isDue(at: start + .milliseconds($0)) }
        #expect(due == Array(stride(from: 0, to: 1_000, by: 50)))
    }

    @Test("updates that are out of order, or of an earlier attempt, are not reported")
    func order() {
        let updates = [update(5), update(3), update(5), update(1, attempt: 2), update(9)]
        var heard: [TransferUpdate] = []
        for update in updates where heard.last.map({ update.isNews(after: $0) }) ?? true { heard.append(update) }
        #expect(heard == [update(5), update(1, attempt: 2)])
    }
}
