// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK

extension UploadPlan {
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
}
