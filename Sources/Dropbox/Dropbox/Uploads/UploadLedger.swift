// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
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
            return UploadRecord(
                sessions: zip(files, ids).map {
                    UploadRecord.Session(number: numbers[$0], id: $1, isConcurrent: isConcurrent)
                })
        case (.pack(let files), .packed(let answers)):
            let parts = zip(files, answers).compactMap { file, answer -> UploadRecord.Part? in
                guard case .taken = answer else { return nil }
                let size = entry(file).size ?? 0
                return UploadRecord.Part(number: numbers[file], start: 0, end: size, isLast: true)
            }
            return UploadRecord(parts: parts)
        case (.part(let file, let range, let isLast), .part(.taken, nil)):
            let part = UploadRecord.Part(
                number: numbers[file], start: range.lowerBound, end: range.upperBound, isLast: isLast)
            return UploadRecord(parts: [part])
        case (.finish(let files, _), .finished(let answers)):
            let stored = zip(files, answers).compactMap { file, answer -> UploadRecord.Stored? in
                guard case .stored(let metadata) = answer else { return nil }
                return self.stored(metadata, file)
            }
            return UploadRecord(stored: stored)
        case (.look(let file), .found(let metadata?)):
            return UploadRecord(stored: [stored(metadata, file)].compactMap(\.self))
        case (.look(let file), .found(nil)): return UploadRecord(anew: [numbers[file]])
        default: return nil
        }
    }

    private func stored(_ metadata: Files.FileMetadata, _ file: Int) -> UploadRecord.Stored? {
        guard let text = try? metadata.json() else { return nil }
        return UploadRecord.Stored(number: numbers[file], file: String(decoding: text, as: UTF8.self))
    }
}
