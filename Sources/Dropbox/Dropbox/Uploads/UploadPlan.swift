// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK

/// Which request is next, for a batch or for a single file: the whole order of uploads, without sending anything.
///
/// Whoever runs it takes steps as long as there are some, and tells what came of each. It holds at any time: no byte is
/// in two requests, a file's bytes go to one session, a file is finished when the server has them all, and the result
/// of a file never changes.
struct UploadPlan: Sendable {
    /// How much is done at a time.
    struct Limits: Sendable, Hashable {
        var requests = 4
        var memory: Int64 = 32 << 20
        var chunk: Int64 = 8 << 20
        /// From which size on parts of a file are sent side by side.
        var concurrentFrom: Int64 = 32 << 20
        /// How many sessions are started, or finished, by one request (Dropbox: at most 1,000).
        var run = 1_000
        /// How long the argument of a pack may be, in bytes; it is a header field, which servers cut at 8 KiB and more.
        var header = 7_500
    }

    let limits: Limits
    var entries: [UploadEntry]
    /// Why no request can succeed any more.
    var failure: RestError?
    var fresh = (sequential: FileQueue(), concurrent: FileQueue())
    var isStarting = (sequential: false, concurrent: false)
    var isFinishing = false
    /// How many files the next finish has at most.
    var finishRun: Int
    /// Small files of which nothing was sent.
    var whole = FileQueue()
    /// The others that are being sent, first those that came first.
    var parts: [Int] = []
    var sent = FileQueue()
    var lost = FileQueue()
    var requests = 0
    var memory: Int64 = 0
    /// How many requests in turn have failed.
    var failures = 0
    /// How many files have neither all their bytes at the server nor a result.
    var unsettled = 0

    /// Plans the upload of files as far as they have come.
    init(_ entries: [UploadEntry], limits: Limits) {
        (self.limits, self.entries, finishRun) = (limits, entries, limits.run)
        unsettled = entries.count { $0.isUnsettled }
        for file in entries.indices { place(file) }
    }

    /// Tries again what failed as a whole.
    mutating func resume() { (failure, failures) = (nil, 0) }

    /// Ends the upload of all files that have no result.
    mutating func stop(_ error: RestError) { failure = failure ?? error }

    /// The next request that may be sent now.
    mutating func next() -> UploadStep? {
        guard failure == nil, requests < limits.requests else { return nil }
        guard let step = finishStep() ?? lookStep() ?? startStep() ?? packStep() ?? partStep() else { return nil }
        requests += 1
        memory += cost(of: step)
        return step
    }

    /// Takes in what came of a step.
    mutating func apply(_ answer: UploadAnswer, to step: UploadStep) {
        requests -= 1
        memory -= cost(of: step)
        if case .failed(let failure) = answer { return fail(step, failure) }
        failures = 0
        switch (step, answer) {
        case (.start(let files, let isConcurrent), .started(let sessions)):
            setStarting(isConcurrent, false)
            for (file, session) in zip(files, sessions) {
                entries[file].session = session
                move(file, to: .sending)
            }
            // A server that gives fewer sessions than it was asked for is asked again.
            for file in files.dropFirst(sessions.count) { move(file, to: .fresh) }
        case (.pack(let files), .packed(let answers)):
            for (file, answer) in zip(files, answers) {
                let size = entries[file].size ?? 0
                took(answer, file, 0..<size, isLast: true, end: nil)
            }
        case (.part(let file, let range, let isLast), .part(let answer, let end)):
            took(answer, file, range, isLast: isLast, end: end)
        case (.finish(let files, _), .finished(let answers)):
            isFinishing = false
            finishRun = min(limits.run, finishRun * 2)
            for (file, answer) in zip(files, answers) { finished(answer, file) }
        case (.look(let file), .found(let metadata)): found(metadata, file)
        default: break
        }
    }
}

extension UploadPlan {
    mutating func refuse(_ file: Int, _ error: Files.UploadSessionFinishError) {
        let rest = RestError(.api, "Dropbox refused the file: \(error)", outcome: .notApplied)
        settle(file, .failure(.route(error, rest)))
    }

    mutating func settle(_ file: Int, _ result: UploadResult.Value) {
        guard entries[file].phase != .done else { return }
        change(file) { $0.end(result) }
    }

    mutating func move(_ file: Int, to phase: UploadEntry.Phase) {
        change(file) { $0.phase = phase }
        place(file)
    }

    /// Changes an entry, perhaps to another phase.
    mutating func change(_ file: Int, _ change: (inout UploadEntry) -> Void) {
        unsettled -= entries[file].isUnsettled ? 1 : 0
        change(&entries[file])
        unsettled += entries[file].isUnsettled ? 1 : 0
        if entries[file].phase != .sending { parts.removeAll { $0 == file } }
    }

    /// Puts a file where those of its phase wait.
    mutating func place(_ file: Int) {
        switch entries[file].phase {
        case .fresh:
            if entries[file].isConcurrent { fresh.concurrent.add(file) } else { fresh.sequential.add(file) }
        case .sending:
            guard !parts.contains(file) else { return }
            if entries[file].isWhole, entries[file].size ?? .max <= limits.chunk {
                whole.add(file)
            } else {
                parts.append(file)
            }
        case .sent: sent.add(file)
        case .lost: lost.add(file)
        case .starting, .finishing, .done: break
        }
    }
}
