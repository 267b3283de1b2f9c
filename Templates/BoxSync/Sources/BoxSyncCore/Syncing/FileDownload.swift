// SPDX-License-Identifier: Apache-2.0

import Dropbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The download of single files into a folder.
struct FileDownload {
    /// What came of one.
    enum Outcome {
        case fetched
        /// It cannot be in the folder.
        case impossible(Problem)
        case failed(CallError<Files.DownloadError>)
    }

    let box: DropboxClient
    let target: TargetFolder
    let tally: Tally

    /// Fetches a file; what is in its place stays until the new one is whole and has the right content hash.
    @concurrent
    func fetch(_ file: RemoteFile, _ path: String) async -> Outcome {
        let place: String
        do throws(Problem) { place = try target.place(for: path) } catch { return .impossible(error) }
        let download = box.download(file.metadata.id, to: place)
        async let _ = watch(download, path)
        do throws(CallError<Files.DownloadError>) {
            let fetched = try await download.settledValue
            tally.report(path, file.size)
            // A file whose time cannot be set is a good file.
            try? FileManager.default.setAttributes(
                [.modificationDate: fetched.clientModified], ofItemAtPath: place)
            return .fetched
        } catch {
            return .failed(error)
        }
    }

    private func watch(_ download: Transfer<Files.FileMetadata, Files.DownloadError>, _ path: String) async {
        for await update in download.progress { tally.report(path, update.progress.received) }
    }
}
