// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestBase
import RestSDK
import RestTransport
import StoneRuntime

struct UploadCalls: Sendable {
    let files: RouteGroup<Files>
    let upload: PreparedUpload
    let clock: any MonotonicClock

    init(_ client: DropboxClient, _ options: UploadOptions, _ upload: PreparedUpload) {
        // The server of a session reports the bytes that it has, so every request is safe to repeat.
        files = client.uploading(options, isRepeatable: true)
        (self.upload, clock) = (upload, client.routes.client.clock)
    }

    private func entry(_ file: Int) -> UploadEntry { upload.run.read { $0.entries[file] } }

    private func progress(of step: UploadStep) -> TransferProgress.Handler {
        { [weak run = upload.run] progress in run?.update { $0.note(progress.sent, by: step) } }
    }

    func perform(_ step: UploadStep) async -> UploadResponse {
        do throws(UploadFailure) {
            switch step {
            case .start(let files, let isConcurrent): return try await start(files, isConcurrent)
            case .pack(let files): return try await pack(files, step)
            case .part(let file, let range, let isLast): return try await part(file, range, isLast, step)
            case .finish(let files, let postponed): return try await finish(files, postponed)
            case .look(let file): return .found(try await look(file))
            }
        } catch {
            return .failed(error)
        }
    }

    private func start(_ numbers: [Int], _ isConcurrent: Bool) async throws(UploadFailure) -> UploadResponse {
        let call = files.uploadSessionStartBatch(
            numSessions: UInt64(numbers.count), sessionType: isConcurrent ? .concurrent : nil)
        do throws(CallError<Never>) {
            let sessions = try await call.value.sessionIDs
            if !sessions.isEmpty { return .started(sessions) }
        } catch {
            throw UploadFailure(error.rest)
        }
        throw .failed(RestError(.decoding, "the server returned no upload session"))
    }

    private func pack(_ numbers: [Int], _ step: UploadStep) async throws(UploadFailure) -> UploadResponse {
        var responses: [PartResponse] = []
        var (body, sent, hash) = ([UInt8](), [Files.UploadSessionAppendBatchArgEntry](), ContentHash())
        for number in numbers {
            let plan = entry(number)
            do throws(RestError) {
                let bytes = try await upload.contents[number].bytes()
                body += bytes
                hash.update(bytes)
                sent.append(
                    Files.UploadSessionAppendBatchArgEntry(
                        cursor: Files.UploadSessionCursor(sessionID: plan.session ?? "", offset: 0),
                        length: UInt64(bytes.count), close: true))
                responses.append(.taken)
            } catch {
                if error.code == .cancelled { throw .interrupted }
                responses.append(.unreadable(error))
            }
        }
        guard !sent.isEmpty else { return .packed(responses) }
        let call = files.uploadSessionAppendBatch(body: .bytes(body), entries: sent, contentHash: hash.text)
        do throws(CallError<Files.UploadSessionAppendBatchError>) {
            var entries = try await call.reportingProgress(to: progress(of: step)).value.entries[...]
            for (place, response) in responses.enumerated() {
                guard case .taken = response else { continue }
                guard let entry = entries.popFirst() else {
                    throw .rest(RestError(.decoding, "the server did not report the result of every file"))
                }
                if case .failure(let error) = entry { responses[place] = .refused(error.ofPart) }
            }
        } catch {
            guard case .route(.contentHashMismatch, _) = error else { throw UploadFailure(error.rest) }
            return .packed(responses.map { if case .taken = $0 { .refused(.contentHashMismatch) } else { $0 } })
        }
        return .packed(responses)
    }

    private func part(
        _ number: Int, _ range: Range<Int64>, _ isLast: Bool, _ step: UploadStep
    ) async throws(UploadFailure) -> UploadResponse {
        let plan = entry(number)
        let part: UploadPart
        do throws(RestError) {
            part = try await upload.contents[number].part(
                from: range.lowerBound, count: Int(clamping: range.count))
        } catch {
            if error.code == .cancelled { throw .interrupted }
            return .part(.unreadable(error), end: nil)
        }
        let end = plan.size == nil && part.isEnd ? range.lowerBound + part.count : nil
        let cursor = Files.UploadSessionCursor(
            sessionID: plan.session ?? "", offset: UInt64(clamping: range.lowerBound))
        let call = files.uploadSessionAppendV2(
            body: part.body, cursor: cursor, close: isLast || end != nil, contentHash: part.hash)
        do throws(CallError<Files.UploadSessionAppendError>) {
            try await call.reportingProgress(to: progress(of: step)).value
            return .part(.taken, end: end)
        } catch {
            guard case .route(let rejection, _) = error else { throw UploadFailure(error.rest) }
            return .part(.refused(rejection), end: nil)
        }
    }
}

extension DropboxClient {
    /// The routes of files for uploads, with longer time limits, and with retries if they are safe.
    func uploading(_ options: UploadOptions, isRepeatable: Bool) -> RouteGroup<Files> {
        var routes = self.routes
        let prepare = routes.settings.prepare
        routes.settings.prepare = { request, route in
            prepare?(&request, route)
            // A finish of a thousand files takes long, too.
            if route.style == RPC.name { request.timeout = DropboxApp.longestTransfer }
            request.retryPolicy = options.retryPolicy
            if isRepeatable, request.effect != .reads { request.effect = .writes(idempotent: true) }
        }
        return routes.files
    }
}

extension UploadFailure {
    /// The meaning of an error for the upload.
    init(_ error: RestError) {
        self =
            switch error.dropbox {
            case .client(.cancelled): .interrupted
            case .auth, .access, .pathRoot, .client(.noAccount), .client(.shutDown), .client(.invalidRequest):
                .hopeless(error)
            case .badInput, .http: .refused(error)
            default: .failed(error)
            }
    }
}

extension UploadCalls {
    /// Makes files of sessions that have all their bytes.
    func finish(_ numbers: [Int], _ postponed: Int) async throws(UploadFailure) -> UploadResponse {
        try await wait(postponed)
        var hashes: [Result<String?, RestError>] = []
        for number in numbers {
            do throws(RestError) {
                hashes.append(.success(try await upload.contents[number].hash()))
            } catch {
                if error.code == .cancelled { throw .interrupted }
                hashes.append(.failure(error))
            }
        }
        do throws(RestError) { try upload.run.journal?.sync() } catch { throw .hopeless(error) }
        let entries = zip(numbers, hashes).compactMap { number, hash in
            (try? hash.get()).map { _ in argument(number) }
        }
        var results: ArraySlice<Files.UploadSessionFinishBatchResultEntry> = []
        do throws(CallError<Never>) {
            if !entries.isEmpty {
                results = try await files.uploadSessionFinishBatchV2(entries: entries).value.entries[...]
            }
        } catch {
            throw UploadFailure(error.rest)
        }
        guard results.count == entries.count else {
            throw .failed(RestError(.decoding, "the server did not report the result of every file"))
        }
        var responses: [FinishResponse] = []
        for (number, hash) in zip(numbers, hashes) {
            switch hash {
            case .failure(let error): responses.append(.unsure(error))
            case .success(let hash):
                guard let result = results.popFirst() else { break }
                responses.append(respond(result, hash, number))
            }
        }
        return .finished(responses)
    }

    private func argument(_ number: Int) -> Files.UploadSessionFinishArg {
        let plan = entry(number)
        let cursor = Files.UploadSessionCursor(
            sessionID: plan.session ?? "", offset: UInt64(clamping: plan.size ?? 0))
        return Files.UploadSessionFinishArg(cursor: cursor, commit: upload.commits[number])
    }

    private func respond(
        _ result: Files.UploadSessionFinishBatchResultEntry, _ hash: String?, _ number: Int
    ) -> FinishResponse {
        switch result {
        case .failure(let error): return .refused(error)
        case .success(let file):
            guard let sent = hash, let stored = file.contentHash, sent != stored else { return .stored(file) }
            return .unsure(
                RestError(
                    .contentHash,
                    "\(upload.commits[number].path) has the content hash \(stored) at Dropbox, but \(sent) was sent",
                    outcome: .applied))
        }
    }

    /// Finds the file of a lost session, which may have been finished.
    func look(_ number: Int) async throws(UploadFailure) -> Files.FileMetadata? {
        let commit = upload.commits[number]
        // The file cannot exist before all bytes were sent.
        guard entry(number).isClosed else { return nil }
        let hash: String?
        do throws(RestError) { hash = try await upload.contents[number].hash() } catch {
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

    /// Finds a file that the server renamed because its name was taken.
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

    /// Waits before the retry of a finish that was rejected because of too many write operations: about a second, which
    /// doubles with each rejection up to half a minute.
    private func wait(_ postponed: Int) async throws(UploadFailure) {
        guard postponed > 0 else { return }
        let longest = Duration.seconds(min(1 << min(postponed - 1, 5), 30))
        let wait = longest / 2 + (longest / 2) * Double.random(in: 0..<1)
        do { try await clock.sleep(until: clock.now + wait, tolerance: nil) } catch { throw .interrupted }
    }
}

extension Files.UploadSessionAppendBatchEntryError {
    /// The error as the type of a single part.
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
