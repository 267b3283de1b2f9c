// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestText
import StoneRuntime

extension UploadCalls {
    /// Makes files of sessions whose bytes are all there.
    func finish(_ numbers: [Int], _ postponed: Int) async throws(UploadFailure) -> UploadAnswer {
        try await wait(postponed)
        var hashes: [Result<String?, RestError>] = []
        for number in numbers {
            do throws(RestError) {
                hashes.append(.success(try await ledger.contents[number].hash()))
            } catch {
                if error.code == .cancelled { throw .interrupted }
                hashes.append(.failure(error))
            }
        }
        do throws(RestError) { try ledger.journal?.sync() } catch { throw .hopeless(error) }
        let entries = zip(numbers, hashes).compactMap { number, hash in (try? hash.get()).map { _ in entry(number) } }
        var results: ArraySlice<Files.UploadSessionFinishBatchResultEntry> = []
        do throws(CallError<Never>) {
            if !entries.isEmpty {
                results = try await files.uploadSessionFinishBatchV2(entries: entries).value.entries[...]
            }
        } catch {
            throw UploadFailure(error.rest)
        }
        guard results.count == entries.count else {
            throw .failed(RestError(.decoding, "the server does not say what became of every file"))
        }
        var answers: [FinishAnswer] = []
        for (number, hash) in zip(numbers, hashes) {
            switch hash {
            case .failure(let error): answers.append(.unsure(error))
            case .success(let hash):
                guard let result = results.popFirst() else { break }
                answers.append(answer(result, hash, number))
            }
        }
        return .finished(answers)
    }

    private func entry(_ number: Int) -> Files.UploadSessionFinishArg {
        let plan = ledger.entry(number)
        let cursor = Files.UploadSessionCursor(
            sessionID: plan.session ?? "", offset: UInt64(clamping: plan.size ?? 0))
        return Files.UploadSessionFinishArg(cursor: cursor, commit: ledger.commits[number])
    }

    private func answer(
        _ result: Files.UploadSessionFinishBatchResultEntry, _ hash: String?, _ number: Int
    ) -> FinishAnswer {
        switch result {
        case .failure(let error): return .refused(error)
        case .success(let file):
            guard let sent = hash, let stored = file.contentHash, sent != stored else { return .stored(file) }
            return .unsure(
                RestError(
                    .contentHash,
                    "\(ledger.commits[number].path) has the content hash \(stored) at Dropbox, and \(sent) was sent",
                    outcome: .applied))
        }
    }

    /// Finds the file of a session that the server does not know: it may have been finished, and the answer was lost.
    func look(_ number: Int) async throws(UploadFailure) -> Files.FileMetadata? {
        let commit = ledger.commits[number]
        // What is not sent yet cannot be there.
        guard ledger.entry(number).isClosed else { return nil }
        let hash: String?
        do throws(RestError) { hash = try await ledger.contents[number].hash() } catch {
            if error.code == .cancelled { throw .interrupted }
            return nil
        }
        guard let hash else { return nil }
        do throws(CallError<Files.GetMetadataError>) {
            if case .file(let file) = try await files.getMetadata(path: commit.path).value, file.contentHash == hash {
                return file
            }
        } catch {
            guard case .route = error else { throw UploadFailure(error.rest) }
        }
        guard commit.autorename else { return nil }
        return try await lookBeside(commit.path, hash)
    }

    /// A file that was given another name because its own was taken.
    private func lookBeside(_ path: String, _ hash: String) async throws(UploadFailure) -> Files.FileMetadata? {
        guard let (folder, last) = path.cut(lastByte: "/") else { return nil }
        let name = last.lowercased()
        let stem = name.cut(lastByte: ".")?.before ?? name[...]
        do throws(PageError<Files.ListFolderError, Files.ListFolderContinueError>) {
            for try await entry in files.listFolder(path: String(folder)).elements {
                guard case .file(let file) = entry, file.contentHash == hash else { continue }
                if file.name.lowercased().hasBytes(prefix: stem) { return file }
            }
        } catch {
            if let rest = error.rest { throw UploadFailure(rest) }
        }
        return nil
    }

    /// Waits before a finish that was refused because there was too much to write: a second, and twice as long each
    /// further time, up to half a minute.
    private func wait(_ postponed: Int) async throws(UploadFailure) {
        guard postponed > 0 else { return }
        let longest = Duration.seconds(min(1 << min(postponed - 1, 5), 30))
        let wait = longest / 2 + (longest / 2) * Double.random(in: 0..<1)
        do { try await clock.sleep(until: clock.now + wait, tolerance: nil) } catch { throw .interrupted }
    }
}

extension Files.UploadSessionAppendBatchEntryError {
    /// The same refusal in the words of a single part.
    var ofPart: Files.UploadSessionAppendError {
        switch self {
        case .notFound: .notFound
        case .incorrectOffset(let offset): .incorrectOffset(offset)
        case .closed: .closed
        case .tooLarge: .tooLarge
        case .concurrentSessionInvalidOffset: .concurrentSessionInvalidOffset
        case .concurrentSessionInvalidDataSize: .concurrentSessionInvalidDataSize
        case .other(let tag): .other(tag)
        }
    }
}

extension Files.UploadSessionAppendError {
    /// The same refusal in the words of a finish.
    var atFinish: Files.UploadSessionFinishError {
        switch self {
        case .notFound: .lookupFailed(.notFound)
        case .incorrectOffset(let offset): .lookupFailed(.incorrectOffset(offset))
        case .closed: .lookupFailed(.closed)
        case .tooLarge: .lookupFailed(.tooLarge)
        case .concurrentSessionInvalidOffset: .lookupFailed(.concurrentSessionInvalidOffset)
        case .concurrentSessionInvalidDataSize: .lookupFailed(.concurrentSessionInvalidDataSize)
        case .payloadTooLarge: .payloadTooLarge
        case .contentHashMismatch: .contentHashMismatch
        case .other(let tag): .other(tag)
        }
    }
}
