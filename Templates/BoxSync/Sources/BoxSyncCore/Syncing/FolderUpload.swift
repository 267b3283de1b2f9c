// SPDX-License-Identifier: Apache-2.0

import Dropbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The upload of files of one folder, with which the next process goes on if this one ends.
struct FolderUpload {
    let box: DropboxClient
    let local: LocalFolder
    let root: RemotePath
    let journalPath: String
    let bar: ProgressBar

    /// Sends files.
    ///
    /// - Returns: what became of each.
    /// - Throws: `RestError` when the journal cannot be used, `PageError` when Dropbox cannot be asked.
    func send(_ files: [(file: LocalFile, mode: Files.WriteMode)]) async throws -> [UploadResult] {
        let goesOn = FileManager.default.fileExists(atPath: journalPath)
        guard goesOn || !files.isEmpty else { return [] }
        let journal = try UploadJournal(path: journalPath)
        let uploads = files.map { file, mode in
            UploadFile(
                id: file.path, .file(path: local.place(of: file.path)),
                Files.CommitInfo(path: root.appending(file.path), mode: mode, clientModified: file.modified))
        }
        var results = await send(uploads, journal)
        if goesOn, !Task.isCancelled { results = try await confirmed(results, uploads) }
        if results.allSatisfy(\.isFinal) { journal.remove() }
        return results
    }

    private func send(_ files: [UploadFile], _ journal: UploadJournal?) async -> [UploadResult] {
        let batch = box.upload(files, journal: journal)
        return await bar.showing(batch.progress.map(\.progress)) { await batch.results }
    }

    /// The results, after files were sent anew that are not there any more.
    ///
    /// The journal knows that an earlier process had sent them, not that somebody has removed them since.
    private func confirmed(_ results: [UploadResult], _ files: [UploadFile]) async throws -> [UploadResult] {
        let there = try await RemoteFolder.list(root, of: box, without: Exclusions([])) ?? RemoteFolder()
        let known = Set(there.files.map(\.metadata.id))
        let gone = zip(results, files).filter { result, _ in
            (try? result.value.get()).map { !known.contains($0.id) } ?? false
        }
        let again = gone.isEmpty ? [] : await send(gone.map(\.1), nil)
        let news = Dictionary(again.map { ($0.id, $0) }) { first, _ in first }
        return results.map { news[$0.id] ?? $0 }
    }
}

extension UploadResult {
    /// Whether nothing is left to go on with.
    fileprivate var isFinal: Bool {
        guard case .failure(.rest(let error)) = value else { return true }
        return [.file, .bodyChanged, .contentHash].contains(error.code)
    }
}
