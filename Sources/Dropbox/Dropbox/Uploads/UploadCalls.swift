// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport
import StoneRuntime

/// Sends the requests of an upload.
struct UploadCalls: Sendable {
    let files: RouteGroup<Files>
    let ledger: UploadLedger
    let clock: any MonotonicClock

    /// The calls over a client's routes.
    init(_ client: DropboxClient, _ options: UploadOptions, _ ledger: UploadLedger) {
        // The server of a session tells what it has, so that none of them does harm twice.
        files = client.uploading(options, isRepeatable: true)
        (self.ledger, clock) = (ledger, client.routes.client.clock)
    }

    /// Sends the request of a step.
    func perform(_ step: UploadStep) async -> UploadAnswer {
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

    private func start(_ numbers: [Int], _ isConcurrent: Bool) async throws(UploadFailure) -> UploadAnswer {
        let call = files.uploadSessionStartBatch(
            numSessions: UInt64(numbers.count), sessionType: isConcurrent ? .concurrent : nil)
        do throws(CallError<Never>) {
            let sessions = try await call.value.sessionIDs
            if !sessions.isEmpty { return .started(sessions) }
        } catch {
            throw UploadFailure(error.rest)
        }
        throw .failed(RestError(.decoding, "the server gave no upload session"))
    }

    private func pack(_ numbers: [Int], _ step: UploadStep) async throws(UploadFailure) -> UploadAnswer {
        var answers: [PartAnswer] = []
        var (body, sent, hash) = ([UInt8](), [Files.UploadSessionAppendBatchArgEntry](), ContentHash())
        for number in numbers {
            let plan = ledger.entry(number)
            do throws(RestError) {
                let bytes = try await ledger.contents[number].bytes()
                body += bytes
                hash.update(bytes)
                sent.append(
                    Files.UploadSessionAppendBatchArgEntry(
                        cursor: Files.UploadSessionCursor(sessionID: plan.session ?? "", offset: 0),
                        length: UInt64(bytes.count), close: true))
                answers.append(.taken)
            } catch {
                if error.code == .cancelled { throw .interrupted }
                answers.append(.unreadable(error))
            }
        }
        guard !sent.isEmpty else { return .packed(answers) }
        let call = files.uploadSessionAppendBatch(body: .bytes(body), entries: sent, contentHash: hash.text)
        do throws(CallError<Files.UploadSessionAppendBatchError>) {
            var entries = try await call.reportingProgress(to: ledger.progress(of: step)).value.entries[...]
            for (place, answer) in answers.enumerated() {
                guard case .taken = answer else { continue }
                guard let entry = entries.popFirst() else {
                    throw .rest(RestError(.decoding, "the server does not say what became of every file"))
                }
                if case .failure(let error) = entry { answers[place] = .refused(error.ofPart) }
            }
        } catch {
            guard case .route(.contentHashMismatch, _) = error else { throw UploadFailure(error.rest) }
            return .packed(answers.map { if case .taken = $0 { .refused(.contentHashMismatch) } else { $0 } })
        }
        return .packed(answers)
    }

    private func part(
        _ number: Int, _ range: Range<Int64>, _ isLast: Bool, _ step: UploadStep
    ) async throws(UploadFailure) -> UploadAnswer {
        let plan = ledger.entry(number)
        let part: UploadPart
        do throws(RestError) {
            part = try await ledger.contents[number].part(
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
            try await call.reportingProgress(to: ledger.progress(of: step)).value
            return .part(.taken, end: end)
        } catch {
            guard case .route(let refusal, _) = error else { throw UploadFailure(error.rest) }
            return .part(.refused(refusal), end: nil)
        }
    }
}

extension DropboxClient {
    /// The routes of files as uploads call them: as long as it takes, and again where that does no harm.
    func uploading(_ options: UploadOptions, isRepeatable: Bool) -> RouteGroup<Files> {
        var routes = self.routes
        let prepare = routes.settings.prepare
        routes.settings.prepare = { request, route in
            prepare?(&request, route)
            // A finish of a thousand files takes its time, too.
            if route.style == RPC.name { request.timeout = DropboxApp.longestTransfer }
            request.retryPolicy = options.retryPolicy
            if isRepeatable, request.effect != .reads { request.effect = .writes(idempotent: true) }
        }
        return routes.files
    }
}

extension UploadFailure {
    /// What an error means for the upload.
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
