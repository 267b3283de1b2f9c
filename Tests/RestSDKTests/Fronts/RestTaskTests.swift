// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import Synchronization
import Testing

@testable import RestSDK

@Suite("A call under way")
struct RestTaskTests {
    @Test("the newest progress is never missed, by any reader; the stream ends with the call")
    func feed() async {
        let feed = ProgressFeed()
        let early = feed.stream
        for sent in 1...1_000 { feed.report(TransferProgress(sent: Int64(sent))) }
        let late = feed.stream
        feed.finish()
        for stream in [early, late, feed.stream] {
            var seen: [Int64] = []
            for await progress in stream { seen.append(progress.sent) }
            #expect(seen == [1_000])
        }
    }

    @Test("no report overtakes another one on its way to a reader", .timeLimit(.minutes(1)))
    func overtaking() async {
        for isLate in [false, true] {
            let hook = Mutex<(@Sendable () -> Void)?>(nil)
            let other = DispatchSemaphore(value: 0)
            let feed = ProgressFeed { reader, progress in
                let first = hook.withLock { hook in
                    defer { hook = nil }
                    return hook
                }
                first?()
                reader.yield(progress)
            }
            // While the first value is handed out, another thread reports the second. It may be done before that, or
            // has to wait.
            let overtake: @Sendable () -> Void = {
                Thread.detachNewThread {
                    feed.report(TransferProgress(sent: 2))
                    other.signal()
                }
                _ = other.wait(timeout: .now() + .milliseconds(300))
            }
            var stream: AsyncStream<TransferProgress>
            if isLate {
                feed.report(TransferProgress(sent: 1))
                hook.withLock { $0 = overtake }
                stream = feed.stream
            } else {
                stream = feed.stream
                hook.withLock { $0 = overtake }
                feed.report(TransferProgress(sent: 1))
            }
            var values = stream.makeAsyncIterator()
            var last = await values.next()?.sent
            if last == 1 { last = await values.next()?.sent }
            #expect(last == 2)
        }
    }

    @Test("progress comes from the transport, up to the size of the body")
    @MainActor
    func progress() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 2_000))
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let task = client.send(.query("SELECT Id, Name FROM Account"), priority: .high) { _ in }
        let progress = task.progress
        let size = try await task.value.body.count
        var last: TransferProgress?
        for await step in progress { last = step }
        #expect(last?.received == Int64(size))
        #expect(task.priority == .high)
        await org.stop()
    }

    @Test("a request tells its progress in every calling style", arguments: Front.allCases)
    @MainActor
    func progress(front: Front) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 2_000))
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let last = Mutex(TransferProgress())
        let request = RestRequest.query("SELECT Id, Name FROM Account LIMIT 900").reportingProgress { progress in
            last.withLock { $0 = progress }
        }
        let outcome = try #require(await front.outcomes(of: request, through: client).first)
        #expect(try outcome.get()["records"]?.array?.count == 900)
        #expect(last.withLock { $0.received } > 900 * 20)
        await org.stop()
    }

    @Test("a cold call is sent when it is asked for, once; cancelled before, never")
    func cold() async throws {
        let transport = StubTransport()
        transport.enqueue("[]")
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        let unwanted = ColdWork(ColdSource(client.sending(.versions))) { _ in
            Issue.record("delivered")
            return 0
        }
        unwanted.attach()
        unwanted.cancel()
        unwanted.request(1)
        await withCheckedContinuation { continuation in
            let call = ColdWork(ColdSource(client.sending(.versions))) {
                if case .finished = $0 { continuation.resume() }
                return 0
            }
            call.request(1)
            #expect(transport.requests.isEmpty)
            call.attach()
            call.request(1)
        }
        #expect(transport.requests.count == 1)
    }
}
