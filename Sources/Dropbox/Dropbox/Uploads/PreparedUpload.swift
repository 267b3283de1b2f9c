// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// The contents and destinations of the files of an upload, and the run of its plan.
struct PreparedUpload: Sendable {
    let contents: [UploadContent]
    let commits: [Files.CommitInfo]
    let run: WorkRun<UploadPlan>
}

/// The work of a transfer that uploads files in sessions, over all its attempts.
final class UploadWork: Sendable {
    let files: [UploadFile]
    private let client: DropboxClient
    private let options: UploadOptions
    private let journal: UploadJournal?
    private let upload = Mutex<PreparedUpload?>(nil)

    init(_ client: DropboxClient, _ files: [UploadFile], _ options: UploadOptions, _ journal: UploadJournal?) {
        (self.client, self.files, self.options, self.journal) = (client, files, options, journal)
    }

    /// Performs one attempt, which continues the previous attempt.
    ///
    /// - Returns: the results, or `nil` if the attempt was interrupted.
    func run(_ attempt: TransferAttempt) async -> [UploadResult]? {
        guard !Task.isCancelled else { return nil }
        do throws(RestError) {
            try journal?.begin()
            defer { journal?.end() }
            let upload = try await prepared(isFresh: attempt.isFresh)
            let calls = UploadCalls(client, options, upload)
            upload.run.update { $0.resume() }
            await upload.run.run(reportingTo: attempt.report) { await calls.perform($0) }
            if Task.isCancelled, upload.run.read({ $0.entries.contains { $0.result == nil } }) { return nil }
            return results
        } catch {
            return error.code == .cancelled ? nil : files.map { UploadResult(id: $0.id, value: .failure(.rest(error))) }
        }
    }

    /// The result of each file so far.
    var results: [UploadResult] {
        let plan = upload.withLock(\.self)?.run.read(\.self)
        return files.enumerated().map { number, file in
            let entry = plan?.entries[number]
            let outcome: RestError.WriteOutcome = entry?.mayBeStored == true ? .unknown : .notApplied
            let error =
                plan?.failure
                ?? RestError(
                    .cancelled, "the upload ended before \(file.commit.path) was stored at Dropbox", outcome: outcome)
            return UploadResult(id: file.id, value: entry?.result ?? .failure(.rest(error)))
        }
    }

    /// Returns the upload of the earlier attempts.
    ///
    /// A fresh attempt prepares a new upload, which retries the files that failed.
    @concurrent
    private func prepared(isFresh: Bool) async throws(RestError) -> PreparedUpload {
        let before = upload.withLock(\.self)
        if let before, !isFresh { return before }
        let earlier = before?.run.read(\.entries)
        let opened = files.map { file -> Result<UploadContent, RestError> in
            do throws(RestError) { return .success(try file.opened(with: journal)) } catch { return .failure(error) }
        }
        let contents = opened.map { (try? $0.get()) ?? UploadContent() }
        let known = try await journaled(contents)
        let limits = options.limits
        let entries = zip(opened, contents).enumerated().map { number, pair in
            let (result, content) = pair
            let isLarge = content.size.map { $0 >= limits.concurrentFrom } ?? false
            var entry = UploadEntry(size: content.size, isConcurrent: content.isRandomAccess && isLarge)
            if case .failure(let error) = result { entry.end(.failure(.rest(error))) }
            if let old = earlier?[number], case .success = old.result { return old }
            guard let known = known?[number] else { return entry }
            if let text = known.stored, let file = try? Files.FileMetadata(json: Array(text.utf8)) {
                entry.end(.success(file))
            } else if entry.result == nil {
                entry.restore(known)
            }
            return entry
        }
        let plan = UploadPlan(entries, limits: limits, numbers: known?.map(\.file.number) ?? [])
        let made = PreparedUpload(
            contents: contents, commits: files.map(\.commit), run: WorkRun(plan, journal: journal?.lines))
        upload.withLock { $0 = made }
        return made
    }

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
    /// Opens the content and checks the destination, so that the server does not reject the requests that other files
    /// share with this one.
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
    /// The user and the path root of the client, which identify the owner of a journal.
    ///
    /// If the app may not request the user's account, the user is `unknown`.
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
