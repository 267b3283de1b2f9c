// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

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
