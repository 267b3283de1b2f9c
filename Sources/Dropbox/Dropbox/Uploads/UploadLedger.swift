// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// The files of one upload and how far they have come, for all who work on it.
final class UploadLedger: Sendable {
    private struct Core {
        var plan: UploadPlan
        /// The bytes that the server has.
        var taken: Int64
        /// The bytes of the requests under way.
        var underWay: [UploadStep: Int64] = [:]
        /// The most that was reported.
        var most: Int64 = 0
        var reporter: ProgressReporter?
    }

    /// What is sent of each file.
    let contents: [UploadContent]
    /// Where each file is to be.
    let commits: [Files.CommitInfo]
    /// The journal, and the numbers that the files have in it.
    let journal: UploadJournal?
    private let numbers: [Int]
    private let total: Int64?
    private let core: Mutex<Core>

    init(
        contents: [UploadContent], commits: [Files.CommitInfo], plan: UploadPlan, journal: UploadJournal?,
        numbers: [Int]
    ) {
        (self.contents, self.commits, self.journal, self.numbers) = (contents, commits, journal, numbers)
        total = plan.entries.contains { $0.size == nil } ? nil : Self.sum(plan.entries.map { $0.size ?? 0 })
        core = Mutex(Core(plan: plan, taken: Self.sum(plan.entries.map(\.taken))))
    }

    /// How a file stands.
    func entry(_ number: Int) -> UploadEntry { core.withLock { $0.plan.entries[number] } }

    /// How all files stand, and why none of them can go on.
    var state: (entries: [UploadEntry], failure: RestError?) {
        core.withLock { ($0.plan.entries, $0.plan.failure) }
    }

    /// Sends requests, many at a time, until there is nothing left to do or the task is cancelled.
    func run(_ calls: UploadCalls, report: @escaping TransferProgress.Handler) async {
        core.withLock { core in
            core.plan.resume()
            (core.reporter, core.most) = (ProgressReporter(report), 0)
        }
        await withTaskGroup(of: (UploadStep, UploadAnswer).self) { group in
            while true {
                while !Task.isCancelled, let step = core.withLock({ $0.plan.next() }) {
                    group.addTask { (step, await calls.perform(step)) }
                }
                guard let (step, answer) = await group.next() else { return }
                take(answer, of: step)
            }
        }
        if let (reporter, progress) = core.withLock({ core in core.reporter.map { ($0, self.progress(&core)) } }) {
            reporter.reportEnd(progress)
        }
    }

    /// Who is told how far the body of a step has come.
    func progress(of step: UploadStep) -> TransferProgress.Handler {
        { [weak self] progress in self?.report { $0.underWay[step] = progress.sent } }
    }

    private func take(_ answer: UploadAnswer, of step: UploadStep) {
        let failure = note(answer, of: step)
        report { core in
            core.underWay[step] = nil
            let before = Self.taken(step, core.plan)
            core.plan.apply(answer, to: step)
            core.taken = Self.sum([max(0, core.taken - before), Self.taken(step, core.plan)])
            if let failure { core.plan.stop(failure) }
        }
    }

    private static func taken(_ step: UploadStep, _ plan: UploadPlan) -> Int64 {
        sum(step.files.map { plan.entries[$0].taken })
    }

    /// The sum of lengths, some of which a server or a stream only claims: never more than there can be.
    private static func sum(_ lengths: [Int64]) -> Int64 {
        lengths.reduce(0) { sum, length in
            let (result, isTooLarge) = sum.addingReportingOverflow(length)
            return isTooLarge ? .max : result
        }
    }

    private func report(_ change: (inout Core) -> Void) {
        let due = core.withLock { core -> (ProgressReporter, TransferProgress)? in
            change(&core)
            guard var reporter = core.reporter, reporter.isDue() else { return nil }
            core.reporter = reporter
            return (reporter, progress(&core))
        }
        if let (reporter, progress) = due { reporter.handler(progress) }
    }

    private func progress(_ core: inout Core) -> TransferProgress {
        // Bytes that are sent again were counted before.
        core.most = max(core.most, Self.sum([core.taken] + Array(core.underWay.values)))
        return TransferProgress(sent: min(core.most, total ?? .max), sentTotal: total)
    }
}

// What the journal is told; why it could not be told ends the upload.
extension UploadLedger {
    private func note(_ answer: UploadAnswer, of step: UploadStep) -> RestError? {
        guard let journal, let record = record(answer, of: step) else { return nil }
        do throws(RestError) {
            try journal.add(record)
            return nil
        } catch {
            return error
        }
    }

    private func record(_ answer: UploadAnswer, of step: UploadStep) -> UploadRecord? {
        switch (step, answer) {
        case (.start(let files, let isConcurrent), .started(let ids)):
            return .sessions(
                zip(files, ids).map {
                    UploadRecord.Session(number: numbers[$0], id: $1, isConcurrent: isConcurrent)
                })
        case (.pack(let files), .packed(let answers)):
            let parts = zip(files, answers).compactMap { file, answer -> UploadRecord.Part? in
                guard case .taken = answer else { return nil }
                let size = entry(file).size ?? 0
                return UploadRecord.Part(number: numbers[file], start: 0, end: size, isLast: true)
            }
            return .parts(parts)
        case (.part(let file, let range, let isLast), .part(.taken, nil)):
            let part = UploadRecord.Part(
                number: numbers[file], start: range.lowerBound, end: range.upperBound, isLast: isLast)
            return .parts([part])
        case (.finish(let files, _), .finished(let answers)):
            let stored = zip(files, answers).compactMap { file, answer -> UploadRecord.Stored? in
                guard case .stored(let metadata) = answer else { return nil }
                return self.stored(metadata, file)
            }
            return .stored(stored)
        case (.look(let file), .found(let metadata?)):
            return .stored([stored(metadata, file)].compactMap(\.self))
        case (.look(let file), .found(nil)): return .anew([numbers[file]])
        default: return nil
        }
    }

    private func stored(_ metadata: Files.FileMetadata, _ file: Int) -> UploadRecord.Stored? {
        guard let text = try? metadata.json() else { return nil }
        return UploadRecord.Stored(number: numbers[file], file: String(decoding: text, as: UTF8.self))
    }
}

/// The work of a transfer that uploads files in sessions, over all its attempts.
final class UploadWork: Sendable {
    let files: [UploadFile]
    private let client: DropboxClient
    private let options: UploadOptions
    private let journal: UploadJournal?
    private let ledger = Mutex<UploadLedger?>(nil)

    init(_ client: DropboxClient, _ files: [UploadFile], _ options: UploadOptions, _ journal: UploadJournal?) {
        (self.client, self.files, self.options, self.journal) = (client, files, options, journal)
    }

    /// One attempt; it goes on where the one before stopped.
    ///
    /// - Returns: the results; `nil` when it was interrupted before it was done.
    func run(_ attempt: TransferAttempt) async -> [UploadResult]? {
        guard !Task.isCancelled else { return nil }
        do throws(RestError) {
            try journal?.begin()
            defer { journal?.end() }
            let ledger = try await prepared(isFresh: attempt.isFresh)
            await ledger.run(UploadCalls(client, options, ledger), report: attempt.report)
            if Task.isCancelled, ledger.state.entries.contains(where: { $0.result == nil }) { return nil }
            return results(ledger)
        } catch {
            return error.code == .cancelled ? nil : files.map { UploadResult(id: $0.id, value: .failure(.rest(error))) }
        }
    }

    /// What became of each file so far.
    var results: [UploadResult] { results(ledger.withLock(\.self)) }

    private func results(_ ledger: UploadLedger?) -> [UploadResult] {
        let state = ledger?.state
        return files.enumerated().map { number, file in
            let entry = state?.entries[number]
            let outcome: RestError.WriteOutcome = entry?.mayBeStored == true ? .unknown : .notApplied
            let error =
                state?.failure
                ?? RestError(.cancelled, "the upload ended before \(file.commit.path) was at Dropbox", outcome: outcome)
            return UploadResult(id: file.id, value: entry?.result ?? .failure(.rest(error)))
        }
    }

    /// The ledger of the attempts before; a fresh one tries again what failed.
    @concurrent
    private func prepared(isFresh: Bool) async throws(RestError) -> UploadLedger {
        let before = ledger.withLock(\.self)
        if let before, !isFresh { return before }
        let opened = files.map { file -> Result<UploadContent, RestError> in
            do throws(RestError) { return .success(try file.opened(with: journal)) } catch { return .failure(error) }
        }
        let contents = opened.map { (try? $0.get()) ?? .nothing }
        let known = try await journaled(contents)
        let limits = options.limits
        let entries = zip(opened, contents).enumerated().map { number, pair in
            let (result, content) = pair
            let isLarge = content.size.map { $0 >= limits.concurrentFrom } ?? false
            var entry = UploadEntry(size: content.size, isConcurrent: content.isRandomAccess && isLarge)
            if case .failure(let error) = result { entry.end(.failure(.rest(error))) }
            if case .success = before?.entry(number).result, let old = before?.entry(number) { return old }
            guard let known = known?[number] else { return entry }
            if let text = known.stored, let file = try? Files.FileMetadata(json: Array(text.utf8)) {
                entry.end(.success(file))
            } else if entry.result == nil {
                entry.restore(known)
            }
            return entry
        }
        let made = UploadLedger(
            contents: contents, commits: files.map(\.commit), plan: UploadPlan(entries, limits: limits),
            journal: journal, numbers: known?.map(\.file.number) ?? [])
        ledger.withLock { $0 = made }
        return made
    }

    /// What the journal knows of the files.
    private func journaled(_ contents: [UploadContent]) async throws(RestError) -> [JournaledFile]? {
        guard let journal else { return nil }
        try journal.claim(try await client.owner)
        var seen: [[UInt8]: Int] = [:]
        return try journal.register(
            zip(files, contents).map { file, content in
                let count = seen[Array(file.id.utf8), default: 0] + 1
                seen[Array(file.id.utf8)] = count
                let id = count == 1 ? file.id : "\(file.id)\n\(count)"
                var path: String?
                if case .file(let source) = file.content { path = source.path }
                let commit = (try? file.commit.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
                return (id, path, commit, content.state ?? "")
            })
    }
}

extension UploadFile {
    /// Looks at the content and at what is said of the file: one that the server would not take is not to keep the
    /// others, with which it shares requests.
    fileprivate func opened(with journal: UploadJournal?) throws(RestError) -> UploadContent {
        if case .file(let source) = content, let journal,
            FilePlace.collision(of: [journal.path], with: [source.path]) != nil
        {
            throw RestError(
                .invalidRequest, "\(source.path): this file is the journal of the upload; choose another journal path",
                outcome: .notApplied)
        }
        do throws(ValidationFailure) { try commit.validate() } catch {
            throw RestError(.invalidRequest, "\(commit.path): \(error)", outcome: .notApplied, underlying: error)
        }
        return try UploadContent(content)
    }
}

extension UploadContent {
    /// What stands for a content that cannot be had.
    static let nothing = UploadContent()
}

extension UploadOptions {
    var limits: UploadPlan.Limits {
        let block = ContentHash.blockSize
        var limits = UploadPlan.Limits()
        limits.requests = max(1, requestsAtOnce)
        limits.memory = Int64(max(0, memory))
        limits.chunk = Int64(min(max(chunkSize / block, 1), 37) * block)
        limits.concurrentFrom = limits.chunk * 4
        return limits
    }
}

extension DropboxClient {
    /// On whose behalf the client calls, and below which root: what journals are kept apart by.
    ///
    /// An app that may not ask who the user is has nothing to tell users apart by.
    fileprivate var owner: String {
        get async throws(RestError) {
            let fields = routes.settings.fields
            let places = ["Dropbox-API-Select-User", "Dropbox-API-Select-Admin", "Dropbox-API-Path-Root"]
            let place = places.compactMap { name in fields[name].map { "\(name)=\($0)" } }
            do throws(CallError<Never>) {
                return ([try await routes.users.getCurrentAccount().value.accountID] + place).joined(separator: " ")
            } catch {
                guard error.rest.dropbox.missingScope != nil else { throw error.rest }
                return (["unknown"] + place).joined(separator: " ")
            }
        }
    }
}
