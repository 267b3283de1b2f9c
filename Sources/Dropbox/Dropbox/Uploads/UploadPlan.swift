// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport

/// The uploads of a batch or of a single file, as a value that sends nothing: which request is next, and what its
/// response means.
///
/// At any time, no byte is in two requests, the bytes of a file go to one session, a file is finished only after the
/// server has all its bytes, and the result of a file never changes.
struct UploadPlan: WorkPlan {
    struct Limits: Sendable, Hashable {
        var requests = 4
        var memory: Int64 = 32 << 20
        var chunk: Int64 = 8 << 20
        /// The size from which the parts of a file are sent concurrently.
        var concurrentFrom: Int64 = 32 << 20
        /// The maximum number of sessions that one request starts or finishes (Dropbox: at most 1,000).
        var run = 1_000
        /// The maximum length of the argument of a pack, in bytes.
        ///
        /// It is a header field, and some servers accept only 8 KiB.
        var header = 7_500
    }

    let limits: Limits
    private(set) var entries: [UploadEntry]
    /// The numbers that the files have in the journal; empty without a journal.
    let numbers: [Int]
    /// The number of entries whose bytes the server does not have completely.
    private var unsettled = 0
    /// The number of entries that have a session and are being sent.
    private var sending = (sequential: 0, concurrent: 0)
    /// The error because of which no request can succeed.
    private(set) var failure: RestError?
    private var fresh = (sequential: FileQueue(), concurrent: FileQueue())
    private var isStarting = (sequential: false, concurrent: false)
    private var isFinishing = false
    /// The maximum number of files in the next finish.
    private var finishRun: Int
    /// Files of at most one chunk of which nothing was sent.
    private var whole = FileQueue()
    /// Other files that are being sent and may have a part for the next request.
    private var parts = FileQueue()
    private var sent = FileQueue()
    private var lost = FileQueue()
    private var requests = 0
    private var memory: Int64 = 0
    /// The number of requests in a row that failed.
    private var failures = 0
    /// The bytes that the server has, and the bytes that requests in flight have sent.
    private var taken: Int64
    private var inFlight: [UploadStep: Int64] = [:]
    private var reported: Int64 = 0
    private let total: Int64?

    init(_ entries: [UploadEntry], limits: Limits, numbers: [Int] = []) {
        (self.limits, self.entries, self.numbers, finishRun) = (limits, entries, numbers, limits.run)
        total = entries.contains { $0.size == nil } ? nil : Self.sum(entries.map { $0.size ?? 0 })
        taken = Self.sum(entries.map(\.taken))
        for file in entries.indices {
            count(file, 1)
            place(file)
        }
    }

    /// Makes the plan try again what failed as a whole.
    mutating func resume() { (failure, failures, reported) = (nil, 0, 0) }

    /// Ends the upload of all files that have no result.
    mutating func stop(_ error: RestError) { failure = failure ?? error }

    mutating func next() -> UploadStep? {
        guard failure == nil, requests < limits.requests else { return nil }
        guard let step = finishStep() ?? lookStep() ?? startStep() ?? packStep() ?? partStep() else { return nil }
        requests += 1
        memory += cost(of: step)
        return step
    }

    @discardableResult
    mutating func apply(_ response: UploadResponse, to step: UploadStep) -> UploadRecord? {
        let record = record(response, of: step)
        let before = Self.sum(step.files.map { entries[$0].taken })
        requests -= 1
        memory -= cost(of: step)
        inFlight[step] = nil
        if case .failed(let failure) = response { fail(step, failure) } else { succeed(step, response) }
        taken = Self.sum([max(0, taken - before)] + step.files.map { entries[$0].taken })
        return record
    }

    private mutating func succeed(_ step: UploadStep, _ response: UploadResponse) {
        failures = 0
        switch (step, response) {
        case (.start(let files, let isConcurrent), .started(let sessions)):
            setStarting(isConcurrent, false)
            for (file, session) in zip(files, sessions) {
                entries[file].session = session
                move(file, to: .sending)
            }
            // If the server returns fewer sessions than requested, another request starts the rest.
            for file in files.dropFirst(sessions.count) { move(file, to: .fresh) }
        case (.pack(let files), .packed(let responses)):
            for (file, response) in zip(files, responses) {
                let size = entries[file].size ?? 0
                took(response, file, 0..<size, isLast: true, end: nil)
            }
        case (.part(let file, let range, let isLast), .part(let response, let end)):
            took(response, file, range, isLast: isLast, end: end)
        case (.finish(let files, _), .finished(let responses)):
            isFinishing = false
            finishRun = min(limits.run, finishRun * 2)
            for (file, response) in zip(files, responses) { finished(response, file) }
        case (.look(let file), .found(let metadata)): found(metadata, file)
        default: break
        }
    }

    private mutating func refuse(_ file: Int, _ error: Files.UploadSessionFinishError) {
        let rest = RestError(.api, "Dropbox rejected the file: \(error)", outcome: .notApplied)
        settle(file, .failure(.route(error, rest)))
    }

    private mutating func settle(_ file: Int, _ result: UploadResult.Value) {
        guard entries[file].phase != .done else { return }
        change(file) { $0.end(result) }
    }

    private mutating func move(_ file: Int, to phase: UploadEntry.Phase) {
        change(file) { $0.phase = phase }
        place(file)
    }

    /// Changes an entry, and perhaps its phase.
    private mutating func change(_ file: Int, _ change: (inout UploadEntry) -> Void) {
        count(file, -1)
        change(&entries[file])
        count(file, 1)
    }

    private mutating func count(_ file: Int, _ number: Int) {
        if entries[file].isUnsettled { unsettled += number }
        guard entries[file].phase == .sending else { return }
        if entries[file].isConcurrent { sending.concurrent += number } else { sending.sequential += number }
    }

    /// Adds a file to the queue of its phase, before other files if `isAhead`.
    private mutating func place(_ file: Int, isAhead: Bool = false) {
        switch entries[file].phase {
        case .fresh:
            if entries[file].isConcurrent { fresh.concurrent.add(file) } else { fresh.sequential.add(file) }
        case .sending where entries[file].isQueued: break
        case .sending:
            entries[file].isQueued = true
            if entries[file].isWhole, entries[file].size ?? .max <= limits.chunk {
                whole.add(file)
            } else {
                parts.add(file, isFirst: isAhead)
            }
        case .sent: sent.add(file)
        case .lost: lost.add(file)
        case .starting, .finishing, .done: break
        }
    }

    private mutating func took(
        _ response: PartResponse, _ file: Int, _ range: Range<Int64>, isLast: Bool, end: Int64?
    ) {
        guard entries[file].phase == .sending else {
            // The file has its result already, and this part was still in flight.
            entries[file].underWay -= 1
            return
        }
        switch response {
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
        place(file, isAhead: true)
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
            // The response to the same request was lost.
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

    private mutating func finished(_ response: FinishResponse, _ file: Int) {
        switch response {
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

    private mutating func found(_ metadata: Files.FileMetadata?, _ file: Int) {
        if let metadata { return settle(file, .success(metadata)) }
        guard entries[file].beginnings < 3 else { return refuse(file, .lookupFailed(.notFound)) }
        change(file) { $0.beginAnew() }
        place(file)
    }

    /// Queues the files of a failed request again, or ends them.
    private mutating func fail(_ step: UploadStep, _ why: UploadFailure) {
        var lasting: RestError?
        switch why {
        case .interrupted: break
        case .hopeless(let error): failure = failure ?? error
        case .failed(let error):
            failures += 1
            // If no request succeeds, the upload ends before it has tried thousands of files.
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
                // One file is the cause. Halving the number of files finds it.
                finishRun = max(1, files.count / 2)
                if files.count == 1 { return settle(files[0], .failure(.rest(error))) }
            }
            for file in files { move(file, to: .sent) }
        case .look(let file):
            if case .refused(let error) = why { return settle(file, .failure(.rest(error))) }
            move(file, to: .lost)
        }
    }

    /// Returns bytes that the server does not have, and ends the file after an error.
    private mutating func putBack(_ file: Int, _ range: Range<Int64>, _ error: RestError?) {
        entries[file].putBack(range)
        guard entries[file].phase == .sending else { return }
        if let error { return settle(file, .failure(.rest(error))) }
        if entries[file].isDoomed, entries[file].underWay == 0 { return move(file, to: .lost) }
        place(file, isAhead: true)
    }

    /// The next finish, if the maximum number of files is ready, or if nothing else is left.
    ///
    /// Finishes run one at a time.
    private mutating func finishStep() -> UploadStep? {
        let isDue = sent.count >= limits.run || (!sent.isEmpty && unsettled == 0)
        guard !isFinishing, isDue else { return nil }
        let files = sent.take(finishRun)
        for file in files { change(file) { ($0.phase, $0.mayBeStored) = (.finishing, true) } }
        isFinishing = true
        return .finish(files, postponed: files.map { entries[$0].postponements }.max() ?? 0)
    }

    private mutating func lookStep() -> UploadStep? { lost.take(1).first.map { .look($0) } }

    private mutating func startStep() -> UploadStep? {
        if !isStarting.sequential, !fresh.sequential.isEmpty, sending.sequential < (limits.run + 1) / 2 {
            return start(fresh.sequential.take(limits.run), isConcurrent: false)
        }
        if !isStarting.concurrent, !fresh.concurrent.isEmpty, sending.concurrent < limits.requests {
            return start(fresh.concurrent.take(limits.requests), isConcurrent: true)
        }
        return nil
    }

    private mutating func start(_ files: [Int], isConcurrent: Bool) -> UploadStep {
        setStarting(isConcurrent, true)
        for file in files { change(file) { $0.phase = .starting } }
        return .start(files, isConcurrent: isConcurrent)
    }

    /// The next pack, with as many whole files as fit into one request.
    private mutating func packStep() -> UploadStep? {
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
        for file in files {
            (entries[file].isQueued, entries[file].underWay, entries[file].missing) = (false, 1, [])
        }
        return files.isEmpty ? nil : .pack(files)
    }

    /// The length of the argument of one file in a pack.
    private static func argumentSize(_ session: String) -> Int { session.utf8.count + 75 }

    private mutating func partStep() -> UploadStep? {
        while hasMemory(for: limits.chunk), let file = parts.first {
            // A file without a part to send is queued again with the next response about it.
            guard let (range, isLast) = entries[file].take(chunk: limits.chunk) else {
                entries[file].isQueued = false
                _ = parts.take(1)
                continue
            }
            return .part(file, range, isLast: isLast)
        }
        return nil
    }

    private func hasMemory(for bytes: Int64) -> Bool { memory == 0 || memory + bytes <= limits.memory }

    private func cost(of step: UploadStep) -> Int64 {
        switch step {
        case .pack(let files): files.reduce(0) { $0 + (entries[$1].size ?? 0) }
        case .part(_, let range, _): min(Int64(range.count), limits.chunk)
        case .start, .finish, .look: 0
        }
    }

    private mutating func setStarting(_ isConcurrent: Bool, _ value: Bool) {
        if isConcurrent { isStarting.concurrent = value } else { isStarting.sequential = value }
    }
}

// Progress.
extension UploadPlan {
    /// Notes how much of its body the request of a step has sent.
    mutating func note(_ sent: Int64, by step: UploadStep) { inFlight[step] = sent }

    mutating func progress() -> TransferProgress {
        // Bytes that are sent again were counted before.
        reported = max(reported, Self.sum([taken] + inFlight.values))
        return TransferProgress(sent: min(reported, total ?? .max), sentTotal: total)
    }

    /// The sum of lengths; at most `Int64.max`, because a server or a stream may claim any length.
    private static func sum(_ lengths: [Int64]) -> Int64 {
        lengths.reduce(0) { sum, length in
            let (result, isTooLarge) = sum.addingReportingOverflow(length)
            return isTooLarge ? .max : result
        }
    }
}
