// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation

/// The number of files by outcome, and the files that were left out.
struct Report: Sendable {
    var done = 0
    /// The number of files that are the same on both sides.
    var same = 0
    /// The path of each file that was left out, and the reason.
    var problems: [String] = []

    /// Notes the error of a file, or throws it if it concerns all files, such as an error of the login or the network.
    mutating func add<Reason>(_ path: String, _ error: CallError<Reason>) throws {
        if case .rest(let error) = error, ![.file, .bodyChanged, .contentHash].contains(error.code) { throw error }
        problems.append("\(path): \(error)")
    }
}

/// Copies a folder of this machine to Dropbox, and back.
///
/// Files are compared by size and content hash. Nothing is deleted, links are not followed, and names that begin with
/// a dot are left out.
struct Sync: Sendable {
    let box: DropboxClient
    let folder: String
    let remote: String

    init(box: DropboxClient, folder: String, remote: String) {
        (self.box, self.folder, self.remote) = (box, folder, Self.path(remote))
    }

    /// A path in the form of Dropbox: empty for the root, otherwise `/Name/Name`.
    static func path(_ text: String) -> String { text.split(separator: "/").map { "/\($0)" }.joined() }

    // MARK: Up

    /// Sends the files that Dropbox does not have.
    ///
    /// An interrupted upload continues with its journal.
    func up(overwrites: Bool = false, journals: String) async throws -> Report {
        var report = Report()
        let there = Dictionary(try await remoteFiles().map { ($0.path.lowercased(), $0.file) }) { first, _ in first }
        var uploads: [UploadFile] = []
        for file in try localFiles(&report) {
            var mode = Files.WriteMode.add
            if let other = there[file.path.lowercased()] {
                if try await isSame("\(folder)/\(file.path)", file.size, other) {
                    report.same += 1
                    continue
                }
                guard overwrites else {
                    report.problems.append("\(file.path): it differs at Dropbox; --overwrite replaces it there")
                    continue
                }
                // Only the compared revision is replaced. A newer revision is a conflict.
                mode = .update(other.rev)
            }
            let target = Files.CommitInfo(path: "\(remote)/\(file.path)", mode: mode, clientModified: file.modified)
            uploads.append(UploadFile(id: file.path, .file(path: "\(folder)/\(file.path)"), target))
        }
        // Each pair of a folder and a path in Dropbox has its own journal.
        let place = "\(URL(filePath: folder).standardized.path)\n\(remote.lowercased())"
        let name = ContentHash(of: Array(place.utf8)).text?.prefix(32) ?? "upload"
        let journal = try UploadJournal(path: "\(journals)/\(name).journal")
        let batch = box.upload(uploads, journal: journal)
        for result in await Progress.showing(batch.progress, while: { await batch.results }) {
            switch result.value {
            case .success: report.done += 1
            case .failure(let error): try report.add(result.id, error)
            }
        }
        journal.remove()
        return report
    }

    private struct LocalFile {
        let path: String
        let size: UInt64
        let modified: Date
    }

    private func localFiles(_ report: inout Report, below path: String = "") throws -> [LocalFile] {
        var files: [LocalFile] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)").sorted() {
            guard !name.hasPrefix(".") else { continue }
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(inner)")
            switch facts[.type] as? FileAttributeType {
            case .typeDirectory?: files += try localFiles(&report, below: inner)
            case .typeRegular?:
                let size = (facts[.size] as? NSNumber)?.uint64Value ?? 0
                files.append(LocalFile(path: inner, size: size, modified: facts[.modificationDate] as? Date ?? .now))
            default: report.problems.append("\(inner): it is no regular file, and links are not followed")
            }
        }
        return files
    }

    private func isSame(_ path: String, _ size: UInt64, _ other: Files.FileMetadata) async throws -> Bool {
        guard size == UInt64(other.size) else { return false }
        return try await ContentHash.ofFile(at: path).text == other.contentHash
    }

    // MARK: Down

    /// Downloads the files that the folder does not have.
    ///
    /// An existing file stays until the new one is complete.
    func down(overwrites: Bool = false) async throws -> Report {
        var report = Report()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (path, file) in try await remoteFiles() {
            guard let place = try place(for: path) else {
                report.problems.append("\(path): it cannot be a file of this folder")
                continue
            }
            if let facts = try? FileManager.default.attributesOfItem(atPath: place) {
                let size = (facts[.size] as? NSNumber)?.uint64Value ?? 0
                if try await isSame(place, size, file) {
                    report.same += 1
                    continue
                }
                guard overwrites else {
                    report.problems.append("\(path): it differs here; --overwrite replaces it")
                    continue
                }
            }
            let download = box.download(file.id, to: place)
            do throws(CallError<Files.DownloadError>) {
                let fetched = try await Progress.showing(
                    download.progress, while: { () throws(CallError<Files.DownloadError>) in try await download.value })
                // A file whose modification date cannot be set is not a problem.
                try? FileManager.default.setAttributes([.modificationDate: fetched.clientModified], ofItemAtPath: place)
                report.done += 1
            } catch {
                try report.add(path, error)
            }
        }
        return report
    }

    /// All files below the folder in Dropbox, with their relative paths.
    private func remoteFiles() async throws -> [(path: String, file: Files.FileMetadata)] {
        var files: [(path: String, file: Files.FileMetadata)] = []
        do {
            for try await entry in box.files.listFolder(path: remote, recursive: true).elements {
                guard case .file(let file) = entry else { continue }
                let path = file.pathDisplay ?? file.name
                files.append((String(path.dropFirst(remote.count + 1)), file))
            }
        } catch {
            guard case .first(.route(.path(.notFound), _)) = error else { throw error }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// Creates the folders of a file and returns its path, or `nil` if it leads out of the folder or through a link.
    ///
    /// The names come from a server, and any folder may contain links.
    func place(for path: String) throws -> String? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !["", ".", ".."].contains($0) && !$0.utf8.contains(0) && $0.utf8.count < 256 }) else {
            return nil
        }
        var place = folder
        for (number, name) in names.enumerated() {
            place += "/\(name)"
            let isLast = number == names.count - 1
            let type = try? FileManager.default.attributesOfItem(atPath: place)[.type] as? FileAttributeType
            guard type == nil || type == (isLast ? .typeRegular : .typeDirectory) else { return nil }
            if type == nil, !isLast {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            }
        }
        return place
    }
}

/// The progress of a transfer on a terminal.
enum Progress {
    /// Performs work and shows its progress meanwhile.
    static func showing<Result: Sendable, Problem: Error>(
        _ updates: AsyncStream<TransferUpdate>, while work: () async throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        let drawing = Task {
            guard isatty(STDERR_FILENO) == 1 else { return }
            for await update in updates {
                let (progress, total) = (update.progress, update.progress.sentTotal ?? update.progress.receivedTotal)
                let line = "\r\(progress.sent + progress.received)\(total.map { " of \($0)" } ?? "") bytes\u{1B}[K"
                FileHandle.standardError.write(Data(line.utf8))
            }
            FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
        }
        defer { drawing.cancel() }
        return try await work()
    }
}
