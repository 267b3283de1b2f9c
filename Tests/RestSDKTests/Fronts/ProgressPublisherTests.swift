// SPDX-License-Identifier: Apache-2.0

import Combine
import Dropbox
import EmbeddedBox
import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import Synchronization
import Testing

@testable import RestSDK

@Suite("Publishers of transfers", .timeLimit(.minutes(5)))
struct ProgressPublisherTests {
    private typealias Event = RestClient.TransferEvent<Int, String>
    private typealias Watcher = Recorder<Event, RestError>

    /// A transfer whose progress and end are controlled by the test.
    private final class Script: Sendable {
        private struct State {
            var report: (@Sendable (Int) -> Void)?
            var end: CheckedContinuation<Bool, Never>?
        }

        private let state = Mutex(State())
        let runs = Mutex(0)
        let ends = Mutex(0)

        var publisher: CallPublisher<Event, RestError> {
            CallPublisher(isolation: nil) { (report) async throws(RestError) in
                self.runs.withLock { $0 += 1 }
                let isDone = await withTaskCancellationHandler {
                    await withCheckedContinuation { end in self.state.withLock { $0 = State(report: report, end: end) }
                    }
                } onCancel: {
                    self.end(false)
                }
                self.ends.withLock { $0 += 1 }
                if !isDone { throw RestError(.timedOut, "as the test wants it") }
                return "value"
            }
        }

        func report(_ step: Int) { state.withLock { $0.report }?(step) }

        func end(_ isDone: Bool) {
            state.withLock { state in
                defer { state.end = nil }
                return state.end
            }?.resume(returning: isDone)
        }

        func begun() async {
            while state.withLock({ $0.end == nil }), !Task.isCancelled { await Task.yield() }
        }
    }

    private let script = Script()

    private static func settle() async {
        for _ in 0..<200 { await Task.yield() }
    }

    private static func text(_ events: [Event]) -> [String] {
        events.map { event in
            switch event {
            case .progress(let step): "\(step)"
            case .finished(let value): value
            }
        }
    }

    @Test("a transfer starts with the first demand, and only its value waits for further demand")
    func lowDemand() async {
        let subscriber = Watcher(asking: .none)
        script.publisher.subscribe(subscriber)
        await Self.settle()
        #expect(script.runs.withLock { $0 } == 0)
        subscriber.request(.max(1))
        await script.begun()
        script.report(1)
        await subscriber.wait { $0.values.count == 1 }
        for step in 2...5 { script.report(step) }
        await Self.settle()
        #expect(Self.text(subscriber.values) == ["1"])
        subscriber.request(.max(1))
        await subscriber.wait { $0.values.count == 2 }
        for step in 6...9 { script.report(step) }
        await Self.settle()
        script.end(true)
        while script.ends.withLock({ $0 == 0 }), !Task.isCancelled { await Task.yield() }
        await Self.settle()
        #expect(Self.text(subscriber.values) == ["1", "5"] && !subscriber.isOver)
        subscriber.request(.max(1))
        await subscriber.wait { $0.values.count == 3 }
        // On a busy machine, the demand arrives before the value does, and gets the newest progress.
        if Self.text(subscriber.values).last == "9" { subscriber.request(.max(1)) }
        await subscriber.wait { $0.isOver }
        #expect(Self.text(subscriber.values.filter { Self.text([$0]) != ["9"] }) == ["1", "5", "value"])
        #expect(subscriber.ends == ["finished"])
    }

    @Test("unlimited demand gets the newest progress before the value")
    func unlimited() async {
        let subscriber = Watcher(asking: .unlimited)
        script.publisher.subscribe(subscriber)
        await script.begun()
        for step in 1...20 { script.report(step) }
        script.end(true)
        await subscriber.wait { $0.isOver }
        #expect(Self.text(subscriber.values).suffix(2) == ["20", "value"] && subscriber.ends == ["finished"])
        let steps = subscriber.values.compactMap { if case .progress(let step) = $0 { step } else { nil } }
        #expect(steps == steps.sorted() && Set(steps).count == steps.count)
    }

    @Test("an error needs no demand", arguments: [0, 1])
    func failure(reports: Int) async {
        let subscriber = Watcher(asking: .max(1))
        script.publisher.subscribe(subscriber)
        await script.begun()
        for step in 0..<reports { script.report(step) }
        await subscriber.wait { $0.values.count == reports }
        script.end(false)
        await subscriber.wait { $0.isOver }
        #expect(subscriber.values.count == reports && subscriber.ends == [RestError.Code.timedOut.rawValue])
    }

    @Test("a cancel or a release of the subscription ends the transfer silently, and another subscriber restarts it")
    func cancel() async {
        let publisher = script.publisher
        for (index, isCancelled) in [true, false].enumerated() {
            weak var watched: Watcher?
            do {
                let subscriber = Watcher(asking: .max(1))
                watched = subscriber
                publisher.subscribe(subscriber)
                await script.begun()
                isCancelled ? subscriber.cancel() : subscriber.drop()
                while script.ends.withLock({ $0 <= index }), !Task.isCancelled { await Task.yield() }
                await Self.settle()
                #expect(subscriber.heard == ["subscription"])
            }
            while watched != nil, !Task.isCancelled { await Task.yield() }
        }
        #expect(script.runs.withLock { $0 } == 2)
    }

    /// Subscribes with unlimited demand.
    ///
    /// - Returns: the last progress, and the value.
    private func all<Update, Value, Failure>(
        _ publisher: RestClient.TransferPublisher<Update, Value, Failure>
    ) async throws -> (progress: Update, value: Value) {
        let subscriber = Recorder<RestClient.TransferEvent<Update, Value>, Failure>(asking: .unlimited)
        publisher.subscribe(subscriber)
        await subscriber.wait { $0.isOver }
        if let failure = subscriber.failure { throw failure }
        let events = subscriber.values
        guard events.count > 1, case .finished(let value) = events.last,
            case .progress(let last) = events[events.count - 2]
        else { throw RestError(.decoding, "\(events)") }
        return (last, value)
    }

    @Test("publishers of requests, downloads and jobs deliver progress up to the end, and then the value")
    func org() async throws {
        struct Page: Decodable, Sendable { let totalSize: Int }
        try await withClient { client, _ in
            let request = RestRequest.query("SELECT Id, Name FROM Account")
            let response = try await all(client.transferPublisher(for: request))
            #expect(response.progress.received == Int64(response.value.body.count))
            let page = try await all(client.transferPublisher(for: request.as(Page.self)))
            #expect(page.value.totalSize == response.value.payload["totalSize"]?.int)
            let folder = try TemporaryDirectory()
            let path = folder.path("page.json")
            let head = try await all(client.downloadPublisher(for: request, to: path))
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            #expect(head.value.status == 200 && Int64(size ?? 0) == head.progress.received)

            let bulk = client.bulk.query("SELECT Id, Name FROM Account")
            let target = folder.path("accounts.csv")
            let export = try await all(bulk.exportPublisher(to: target))
            #expect(export.value.rows == page.value.totalSize && export.progress.rows == export.value.rows)
            let rows = Recorder<BulkRows.Element, BulkError>(asking: .unlimited)
            bulk.rows.publisher().subscribe(rows)
            await rows.wait { $0.isOver }
            #expect(rows.values.count == page.value.totalSize && rows.ends == ["finished"])

            let source = folder.path("new.csv")
            try Data("Name\nAcme\nBolt\n".utf8).write(to: URL(fileURLWithPath: source))
            let load = client.bulk.ingest(.insert, into: "Account", from: .csv(path: source))
            let summary = try await all(load.runPublisher())
            #expect(summary.value.processed == 2 && summary.value.failed == 0)
        }
    }

    @Test("every subscriber of a Dropbox upload, download or list has its own transfer")
    func box() async throws {
        let server = try await LocalBox.start()
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
        let app = DropboxApp(key: server.appKey, hosts: DropboxHosts(all: origin))
        let box = DropboxClient(accessToken: Secret(server.accessToken), app: app)
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let upload = Transfer.publisher(of: box.upload(.bytes(content), to: "/plan.bin", mode: .overwrite))
        #expect(server.journal.entries.isEmpty)
        for count in 1...2 {
            let stored = try await all(upload)
            #expect(stored.value.size == UInt64(content.count) && stored.progress.attempt == 1)
            #expect(server.journal.entries.count { $0.target == "/2/files/upload" } == count)
        }
        let download = try await all(Transfer.publisher(of: box.download("/plan.bin", limit: 1_000_000)))
        #expect(download.value.bytes == content)
        let entries = Recorder<Files.Metadata, PageError<Files.ListFolderError, Files.ListFolderContinueError>>(
            asking: .unlimited)
        box.files.listFolder(path: "").elements.publisher().subscribe(entries)
        await entries.wait { $0.isOver }
        #expect(entries.values.map(\.name) == ["plan.bin"] && entries.ends == ["finished"])
        let missing = Transfer.publisher(of: box.download("/none", limit: 10))
        let failed = Recorder<
            RestClient.TransferEvent<TransferUpdate, DownloadEndpoint<Files.FileMetadata, Files.DownloadError>.Content>,
            CallError<Files.DownloadError>
        >(asking: .max(1))
        missing.subscribe(failed)
        await failed.wait { $0.isOver }
        #expect(failed.values.isEmpty && failed.failure?.rest.status == 409)
        await server.stop()
    }
}
