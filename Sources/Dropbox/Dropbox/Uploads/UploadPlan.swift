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
    private(set) var entries: [UploadEntry]
    /// The number of entries that the server still lacks bytes of.
    private var unsettled = 0
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

    /// Plans the upload of files as far as they have come.
    init(_ entries: [UploadEntry], limits: Limits) {
        (self.limits, self.entries, finishRun) = (limits, entries, limits.run)
        for file in entries.indices { place(file) }
        unsettled = entries.count(where: \.isUnsettled)
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

    mutating func refuse(_ file: Int, _ error: Files.UploadSessionFinishError) {
        let rest = RestError(.api, "Dropbox rejected the file: \(error)", outcome: .notApplied)
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
        if entries[file].isUnsettled { unsettled -= 1 }
        change(&entries[file])
        if entries[file].isUnsettled { unsettled += 1 }
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

    mutating func took(
        _ answer: PartAnswer, _ file: Int, _ range: Range<Int64>, isLast: Bool, end: Int64?
    ) {
        guard entries[file].phase == .sending else {
            // A file that has its result, of which another part was still under way.
            entries[file].underWay -= 1
            return
        }
        switch answer {
        case .taken: change(file) { $0.add(range, isLast: isLast, end: end) }
        case .unreadable(let error):
            entries[file].underWay -= 1
            return settle(file, .failure(.rest(error)))
        case .refused(let error): refused(error, file, range, isLast: isLast)
        }
        if entries[file].isDoomed {
            guard entries[file].underWay == 0 else { return }
            change(file) { $0.phase = .lost }
        }
        place(file)
    }

    private mutating func refused(
        _ error: Files.UploadSessionAppendError, _ file: Int, _ range: Range<Int64>, isLast: Bool
    ) {
        switch error {
        case .incorrectOffset(let correct):
            entries[file].underWay -= 1
            let isGood = entries[file].goOn(at: Int64(clamping: correct.correctOffset), before: range.upperBound)
            entries[file].isDoomed = !isGood
        case .closed where isLast:
            // The answer to the same request did not come before.
            change(file) { $0.add(range, isLast: true, end: nil) }
        case .notFound, .closed, .concurrentSessionInvalidOffset, .concurrentSessionInvalidDataSize:
            entries[file].underWay -= 1
            entries[file].isDoomed = true
        case .contentHashMismatch where entries[file].corrections < 3:
            entries[file].corrections += 1
            entries[file].putBack(range)
        case .contentHashMismatch, .tooLarge, .payloadTooLarge, .other:
            entries[file].underWay -= 1
            refuse(file, error.atFinish)
        }
    }

    mutating func finished(_ answer: FinishAnswer, _ file: Int) {
        switch answer {
        case .stored(let metadata): settle(file, .success(metadata))
        case .unsure(let error): settle(file, .failure(.rest(error)))
        case .refused(let error):
            entries[file].mayBeStored = false
            switch error {
            case .tooManyWriteOperations, .path(.tooManyWriteOperations):
                entries[file].postponements += 1
                guard entries[file].postponements <= 10 else { return refuse(file, error) }
                move(file, to: .sent)
            case .lookupFailed(.incorrectOffset(let correct)):
                entries[file].isClosed = false
                let offset = Int64(clamping: correct.correctOffset)
                let isGood = entries[file].goOn(at: offset, before: entries[file].size ?? 0)
                move(file, to: isGood ? .sending : .lost)
            case .lookupFailed(.notClosed), .concurrentSessionNotClosed:
                entries[file].isClosed = false
                entries[file].corrections += 1
                move(file, to: entries[file].corrections < 10 ? .sending : .lost)
            case .lookupFailed(.notFound), .lookupFailed(.closed), .concurrentSessionMissingData:
                move(file, to: .lost)
            default: refuse(file, error)
            }
        }
    }

    mutating func found(_ metadata: Files.FileMetadata?, _ file: Int) {
        if let metadata { return settle(file, .success(metadata)) }
        guard entries[file].beginnings < 3 else { return refuse(file, .lookupFailed(.notFound)) }
        change(file) { $0.beginAnew() }
        place(file)
    }

    /// The request as a whole has failed: what it was for goes back, or has failed with it.
    mutating func fail(_ step: UploadStep, _ why: UploadFailure) {
        var lasting: RestError?
        switch why {
        case .interrupted: break
        case .hopeless(let error): failure = failure ?? error
        case .failed(let error):
            failures += 1
            // Where nothing succeeds, thousands of files need not find that out one by one.
            if failures >= limits.requests + 4 { failure = failure ?? error }
            lasting = error
        case .refused(let error): lasting = error
        }
        switch step {
        case .start(let files, let isConcurrent):
            setStarting(isConcurrent, false)
            for file in files { move(file, to: .fresh) }
            if case .refused(let error) = why { failure = failure ?? error }
        case .pack(let files):
            for file in files { putBack(file, 0..<(entries[file].size ?? 0), lasting) }
        case .part(let file, let range, _): putBack(file, range, lasting)
        case .finish(let files, _):
            isFinishing = false
            if case .refused(let error) = why {
                // One file is at fault; it is found by halves.
                finishRun = max(1, files.count / 2)
                if files.count == 1 { return settle(files[0], .failure(.rest(error))) }
            }
            for file in files { move(file, to: .sent) }
        case .look(let file):
            if case .refused(let error) = why { return settle(file, .failure(.rest(error))) }
            move(file, to: .lost)
        }
    }

    /// Takes back bytes that the server does not have, for another request or, after an error, for none.
    private mutating func putBack(_ file: Int, _ range: Range<Int64>, _ error: RestError?) {
        entries[file].putBack(range)
        guard entries[file].phase == .sending else { return }
        if let error { return settle(file, .failure(.rest(error))) }
        if entries[file].isDoomed, entries[file].underWay == 0 { return move(file, to: .lost) }
        place(file)
    }

    /// Finishes are made one after the other, of as many files as one may have, or when nothing else is left to do.
    mutating func finishStep() -> UploadStep? {
        let isDue = sent.count >= limits.run || (!sent.isEmpty && unsettled == 0)
        guard !isFinishing, isDue else { return nil }
        let files = sent.take(finishRun)
        for file in files { change(file) { ($0.phase, $0.mayBeStored) = (.finishing, true) } }
        isFinishing = true
        return .finish(files, postponed: files.map { entries[$0].postponements }.max() ?? 0)
    }

    mutating func lookStep() -> UploadStep? { lost.take(1).first.map { .look($0) } }

    mutating func startStep() -> UploadStep? {
        if !isStarting.sequential, !fresh.sequential.isEmpty, whole.count + parts.count < (limits.run + 1) / 2 {
            return start(fresh.sequential.take(limits.run), isConcurrent: false)
        }
        if !isStarting.concurrent, !fresh.concurrent.isEmpty, parts.count < limits.requests {
            return start(fresh.concurrent.take(limits.requests), isConcurrent: true)
        }
        return nil
    }

    mutating func start(_ files: [Int], isConcurrent: Bool) -> UploadStep {
        setStarting(isConcurrent, true)
        for file in files { change(file) { $0.phase = .starting } }
        return .start(files, isConcurrent: isConcurrent)
    }

    /// Whole files, as many as fit into one request.
    mutating func packStep() -> UploadStep? {
        var files: [Int] = []
        var (bytes, header) = (Int64(0), 0)
        while let file = whole.first, files.count < limits.run {
            let size = entries[file].size ?? 0
            let text = Self.argumentSize(entries[file].session ?? "")
            let fits = bytes + size <= limits.chunk && header + text <= limits.header
            guard files.isEmpty ? hasMemory(for: size) : fits && hasMemory(for: bytes + size) else { break }
            files += whole.take(1)
            (bytes, header) = (bytes + size, header + text)
        }
        for file in files { (entries[file].underWay, entries[file].missing) = (1, []) }
        return files.isEmpty ? nil : .pack(files)
    }

    /// How long the argument of one file of a pack is.
    private static func argumentSize(_ session: String) -> Int { session.utf8.count + 75 }

    mutating func partStep() -> UploadStep? {
        guard hasMemory(for: limits.chunk) else { return nil }
        for (place, file) in parts.enumerated() {
            guard let (range, isLast) = entries[file].take(chunk: limits.chunk) else { continue }
            if isLast { parts.remove(at: place) }
            return .part(file, range, isLast: isLast)
        }
        return nil
    }

    private func hasMemory(for bytes: Int64) -> Bool { memory == 0 || memory + bytes <= limits.memory }

    func cost(of step: UploadStep) -> Int64 {
        switch step {
        case .pack(let files): files.reduce(0) { $0 + (entries[$1].size ?? 0) }
        case .part(_, let range, _): min(Int64(range.count), limits.chunk)
        case .start, .finish, .look: 0
        }
    }

    mutating func setStarting(_ isConcurrent: Bool, _ value: Bool) {
        if isConcurrent { isStarting.concurrent = value } else { isStarting.sequential = value }
    }
}
