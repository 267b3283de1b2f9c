// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import Dropbox
import EmbeddedBox
import RestTesting
import Testing

@Suite("Uploads to a test server")
struct UploadBoxTests {
    private let box: UploadStage
    private var options = UploadOptions()

    init() async throws {
        box = try await UploadStage()
        options.chunkSize = 4 << 20
    }

    private func check(_ results: [UploadResult], _ files: [UploadFile], revisions: Int = 1) async throws {
        let there = try await box.contents()
        #expect(results.map(\.id) == files.map(\.id))
        for (file, result) in zip(files, results) {
            guard case .file(let content) = file.content else { continue }
            let stored = try result.value.get()
            let hash = try await ContentHash.ofFile(at: content.path).text
            #expect(stored.contentHash == hash)
            #expect(there[stored.pathLower ?? ""]?.contentHash == hash)
            #expect(try await box.revisions(stored.pathLower ?? "") == revisions)
        }
    }

    @Test("files of every size are uploaded in one batch")
    func sizes() async throws {
        let chunk = 4 << 20
        let sizes = [0, 1, 10_000, chunk - 1, chunk, chunk + 1, 2 * chunk, 4 * chunk, 4 * chunk + 7]
        var files = try sizes.enumerated().map { try box.file("sized \($0)", size: $1) }
        for number in 0..<60 { files.append(try box.file("small \(number)", size: 2_000 + number)) }
        let results = await box.client().upload(files, options: options).results
        try await check(results, files)
        #expect(box.calls("upload_session/start_batch") == 2)
        #expect(box.calls("files/upload\"") == 0)
    }

    @Test("an upload without files sends no request")
    func nothing() async throws {
        #expect(await box.client().upload([]).results.isEmpty)
        #expect(box.calls("/2/") == 0)
    }

    @Test(
        "after transient errors every file is uploaded exactly once",
        arguments: ["start_batch", "append_batch", "append_v2", "finish_batch_v2"])
    func passingFaults(_ route: String) async throws {
        let files = [
            try box.file("a", size: 5_000), try box.file("b", size: 9 << 20), try box.file("c", size: 17 << 20),
        ]
        let faults: [Fault] = [
            .rateLimited(), .body("", status: 503), .close, .reset, .closeAfterHandling, .tooManyWriteOperations(),
            .truncate(after: 10),
        ]
        for fault in faults.prefix(5) { box.box.faults.add(fault, matching: route, skipping: 1) }
        try await check(await box.client().upload(files, options: options).results, files)
        // Routes that are called only once have had no error so far.
        box.box.faults.clear()
        for fault in faults.suffix(5) { box.box.faults.add(fault, matching: route) }
        let again = try (0..<3).map { try box.file("again \($0)", size: [5_000, 9 << 20, 17 << 20][$0]) }
        try await check(await box.client().upload(again, options: options).results, again)
    }

    @Test("an upload continues at the offset that the server reports")
    func offsets() async throws {
        box.box.faults.add(.incorrectOffset(correct: 0), matching: "append_v2", skipping: 1)
        let file = try box.file("b", size: 9 << 20)
        try await check(await box.client().upload([file], options: options).results, [file])
    }

    @Test("files that fail because of too many writes are written later")
    func contention() async throws {
        let files = try (0..<20).map { try box.file("f\($0)", size: 100 + $0) }
        box.box.faults.contendWrites(next: 15)
        try await check(await box.client().upload(files).results, files)
        #expect(box.calls("finish_batch_v2") > 1)
    }

    @Test("each failed file has its own error, and the others are uploaded")
    func ownErrors() async throws {
        let first = try box.file("a", size: 10)
        _ = await box.client().upload([first]).results
        let missing = UploadFile(.file(path: box.folder.path("none")), to: "/none")
        let taken = UploadFile(id: "taken", .bytes([1, 2]), to: "/a")
        let below = UploadFile(.bytes([1]), to: "/a/b")
        let good = try box.file("good", size: 20)
        let results = await box.client().upload([missing, taken, good, below]).results
        guard case .failure(.rest(let error)) = results[0].value else { throw Unexpected("\(results[0])") }
        #expect(error.code == .file)
        #expect(error.message.contains(box.folder.path("none")))
        guard case .failure(.route(.path(.conflict(.file)), _)) = results[1].value else {
            throw Unexpected("\(results[1])")
        }
        guard case .failure(.route(.path(.conflict), _)) = results[3].value else { throw Unexpected("\(results[3])") }
        try await check([results[2]], [good])
    }

    @Test("an invalid path does not prevent the other uploads, whether the client or the server detects it")
    func badPaths() async throws {
        let files = try ["a", "b", "c", "d", "e"].map { try box.file($0, size: 10) }
        let bad = UploadFile(.bytes([1]), to: "no-slash")
        let results = await box.client().upload([bad] + files).results
        guard case .failure(.rest(let error)) = results[0].value else { throw Unexpected("\(results[0])") }
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains("no-slash"))
        try await check(Array(results.dropFirst()), files)
        // The server rejects the whole request three times: with five files, with two, and with one.
        box.box.faults.add(.body("no", status: 400), next: 3, matching: "finish_batch_v2")
        let again = try ["f", "g", "h", "i", "j"].map { try box.file($0, size: 10) }
        let some = await box.client().upload(again).results
        let good = some.indices.filter { if case .success = some[$0].value { true } else { false } }
        #expect(good.count == 4)
        try await check(good.map { some[$0] }, good.map { again[$0] })
    }

    @Test("two files with one path have two results")
    func onePath() async throws {
        let files = [
            UploadFile(.bytes([1]), to: "/same"), UploadFile(.bytes([2]), to: "/same"),
            UploadFile(.bytes([3]), Files.CommitInfo(path: "/same", autorename: true)),
        ]
        let results = await box.client().upload(files).results
        #expect(results.map(\.id) == ["/same", "/same", "/same"])
        guard case .failure(.route(.path(.conflict(.file)), _)) = results[1].value else {
            throw Unexpected("\(results[1])")
        }
        #expect(try results[2].value.get().name == "same (1)")
    }

    @Test("a cancelled batch reports the state of each file, and finishes no file")
    func cancelled() async throws {
        let files = try (0..<3).map { try box.file("f\($0)", size: 9 << 20) }
        box.box.faults.add(.delay(.seconds(30)), next: 100, matching: "append_v2", skipping: 2)
        let batch = box.client().upload(files, options: options)
        let results = Task { await batch.results }
        try await box.wait(for: 3, of: "append_v2")
        batch.cancel()
        for result in await results.value {
            guard case .failure(.rest(let error)) = result.value else { throw Unexpected("\(result)") }
            #expect(error.code == .cancelled)
        }
        #expect(box.calls("finish_batch") == 0)
    }

    @Test("the write outcome of a finish request without a response is unknown")
    func unknownFinish() async throws {
        box.box.faults.add(.delay(.seconds(30)), matching: "finish_batch_v2")
        let batch = box.client().upload([try box.file("f", size: 10)])
        batch.resume()
        try await box.wait(for: 1, of: "finish_batch_v2")
        batch.cancel()
        guard case .failure(.rest(let error))? = await batch.results.first?.value else {
            throw Unexpected("there is no error")
        }
        #expect(error.outcome == .unknown)
        batch.restart()
        _ = try await batch.results[0].value.get()
        #expect(try await box.revisions("/f") == 1)
    }

    @Test("a paused batch resumes at the same position")
    func paused() async throws {
        let files = try (0..<3).map { try box.file("f\($0)", size: 9 << 20) }
        box.box.faults.add(.delay(.seconds(30)), next: 4, matching: "append_v2", skipping: 3)
        let batch = box.client().upload(files, options: options)
        batch.resume()
        try await box.wait(for: 4, of: "append_v2")
        batch.pause()
        box.box.faults.clear()
        batch.resume()
        try await check(await batch.results, files)
        #expect(box.calls("start_batch") == 1)
    }

    @Test("the progress never decreases, and ends with the total")
    func progress() async throws {
        let files = try (0..<3).map { try box.file("f\($0)", size: 9 << 20) }
        for _ in 0..<3 { box.box.faults.add(.closeAfterHandling, matching: "append_v2", skipping: 2) }
        let batch = box.client().upload(files, options: options)
        async let results = batch.results
        var last: Int64 = 0
        for await update in batch.progress {
            #expect(update.progress.sent >= last)
            #expect(update.progress.sentTotal == 27 << 20)
            last = update.progress.sent
        }
        try await check(await results, files)
        #expect(last == 27 << 20)
    }

    @Test("a rejected token ends the batch immediately")
    func token() async throws {
        let files = (0..<2_000).map { UploadFile(.bytes([UInt8($0 % 256)]), to: "/f\($0)") }
        let results = await box.client("wrong").upload(files).results
        #expect(results.count == 2_000)
        for result in results.prefix(10) {
            guard case .failure(.rest(let error)) = result.value else { throw Unexpected("\(result)") }
            #expect(error.code.needsLogin)
        }
        #expect(box.calls("/2/") < 10)
    }
}
#endif
