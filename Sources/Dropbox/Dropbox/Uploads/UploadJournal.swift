// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestBase
public import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// The journal of an upload: a file with which another process continues, also after this one was killed.
///
/// ```swift
/// let journal = try UploadJournal(path: "upload.journal")
/// let results = await box.upload(files, journal: journal).results
/// ```
///
/// Upload the same files with the same journal again. Files that are in Dropbox are not sent again, and only missing
/// parts of other files are sent. A file that has changed is sent again completely. A journal belongs to one user, and
/// to one process at a time. It contains names and paths of files, but no tokens. Only its owner can read it.
public final class UploadJournal: Sendable {
    let lines: WorkJournal<UploadHistory>
    private let isInUse = Mutex(false)

    /// Opens or creates a journal.
    ///
    /// - Parameter path: the path of the file, in an existing directory.
    /// - Throws: `RestError.Code.journal` if another process uses the journal, the file is not a journal, or it
    ///   cannot be written.
    public init(path: String) throws(RestError) { lines = try WorkJournal(path: path) }

    /// The path of the journal.
    public var path: String { lines.path }

    /// The files of the upload, in their original order, without contents from memory.
    ///
    /// A process that does not have the list of files can continue with these.
    public var files: [UploadFile] {
        lines.content.newest.compactMap { known in
            let file = known.file
            guard let path = file.path, let commit = try? Files.CommitInfo(json: Array(file.commit.utf8)) else {
                return nil
            }
            return UploadFile(id: file.id, .file(path: path), commit)
        }
    }

    /// Closes the journal, so that it can be opened again.
    ///
    /// A journal that is no longer referenced is closed, too. An upload that still uses a closed journal ends with
    /// `RestError.Code.journal`.
    public func close() { lines.close() }

    /// Removes the journal from the disk.
    public func remove() { lines.remove() }

    /// Begins the use of the journal by an upload.
    ///
    /// - Throws: `RestError.Code.journal` if another upload uses it.
    func begin() throws(RestError) {
        let isFree = isInUse.withLock { isInUse in
            defer { isInUse = true }
            return !isInUse
        }
        guard isFree else {
            throw lines.rejection(
                "another upload of this process uses the journal; wait for it, or use another journal")
        }
    }

    /// Ends the use of the journal by an upload.
    func end() { isInUse.withLock { $0 = false } }

    /// Records the user of the upload.
    ///
    /// - Throws: `RestError.Code.journal` for another user's journal.
    func claim(_ owner: String) throws(RestError) {
        guard let known = lines.read(\.owner) else { return try lines.add(.owner(owner), isDurable: false) }
        guard known == owner else {
            throw lines.rejection("the journal belongs to another user; use one journal for each user")
        }
    }

    /// Records new and changed files, and returns the state of each file in the journal.
    func register(
        _ wanted: [(id: String, path: String?, commit: String, state: String)]
    ) throws(RestError) -> [JournaledFile] {
        let (known, new) = lines.read { history in
            var new: [UploadRecord.File] = []
            let known = wanted.map { file -> JournaledFile in
                if let number = history.numbers[Array(file.id.utf8)],
                    history.files[number].file.commit.hasSameBytes(as: file.commit),
                    history.files[number].file.state == file.state
                {
                    return history.files[number]
                }
                let file = UploadRecord.File(
                    number: history.files.count + new.count, id: file.id, path: file.path, commit: file.commit,
                    state: file.state)
                new.append(file)
                return JournaledFile(file: file)
            }
            return (known, new)
        }
        if !new.isEmpty { try lines.add(.files(new), isDurable: false) }
        return known
    }
}

/// A line of an upload's journal, in which files have numbers.
enum UploadRecord: Codable, Sendable {
    struct File: Codable, Sendable {
        var number: Int
        var id: String
        /// The path of the content, or `nil` for bytes in memory.
        var path: String?
        /// The destination in Dropbox, as the argument of the route.
        var commit: String
        /// The identity of the content.
        var state: String
    }

    struct Session: Codable, Sendable {
        var number: Int
        var id: String
        var isConcurrent: Bool
    }

    struct Part: Codable, Sendable {
        var number: Int
        var start: Int64
        var end: Int64
        var isLast: Bool
    }

    struct Stored: Codable, Sendable {
        var number: Int
        /// The metadata of the file, as the route returned it.
        var file: String
    }

    case owner(String)
    case files([File])
    case sessions([Session])
    case parts([Part])
    case stored([Stored])
    /// Files whose sessions are abandoned.
    case anew([Int])
}

struct JournaledFile: Sendable {
    var file: UploadRecord.File
    var session: UploadRecord.Session?
    var parts: [UploadRecord.Part] = []
    var stored: String?
}

struct UploadHistory: JournalContent {
    static let kind = "RestSDK upload journal"
    static let version = 2

    private(set) var owner: String?
    private(set) var files: [JournaledFile] = []
    /// The newest file of each id, by the bytes of the id, because names in NFC and NFD are different files.
    private(set) var numbers: [[UInt8]: Int] = [:]

    mutating func add(_ line: UploadRecord) -> Bool {
        switch line {
        case .owner(let new): owner = new
        case .files(let new):
            for file in new {
                guard file.number == files.count else { return false }
                files.append(JournaledFile(file: file))
                numbers[Array(file.id.utf8)] = file.number
            }
        case .sessions(let sessions):
            for session in sessions {
                guard files.indices.contains(session.number) else { return false }
                (files[session.number].session, files[session.number].parts) = (session, [])
            }
        case .parts(let parts):
            for part in parts {
                guard files.indices.contains(part.number), 0 <= part.start, part.start <= part.end else { return false }
                files[part.number].parts.append(part)
            }
        case .stored(let stored):
            for stored in stored {
                guard files.indices.contains(stored.number) else { return false }
                files[stored.number].stored = stored.file
            }
        case .anew(let numbers):
            for number in numbers {
                guard files.indices.contains(number) else { return false }
                (files[number].session, files[number].parts) = (nil, [])
            }
        }
        return true
    }

    /// The newest file of each id, in the original order.
    var newest: [JournaledFile] { numbers.values.sorted().map { files[$0] } }

    var lines: [UploadRecord] {
        let files = newest.enumerated().map { number, known in
            var known = known
            known.file.number = number
            known.session?.number = number
            for place in known.parts.indices { known.parts[place].number = number }
            return known
        }
        // A file in Dropbox needs no session.
        let open = files.filter { $0.stored == nil }
        let stored = files.compactMap { known in
            known.stored.map { UploadRecord.Stored(number: known.file.number, file: $0) }
        }
        return (owner.map { [.owner($0)] } ?? []) + [
            .files(files.map(\.file)), .sessions(open.compactMap(\.session)),
            .parts(open.filter { $0.session != nil }.flatMap(\.parts)), .stored(stored),
        ]
    }

    static func failure(_ message: String, _ underlying: TransportError?) -> RestError {
        RestError(.journal, message, outcome: .notApplied, underlying: underlying)
    }
}

// The lines that the journal gets of an upload.
extension UploadPlan {
    typealias Content = UploadHistory

    func line(before step: UploadStep) -> UploadRecord? { nil }

    /// No line needs to survive a loss of power before the upload continues: the content hash shows later whether a
    /// file exists.
    func isDurable(_ line: UploadRecord) -> Bool { false }

    /// The line that records the result of a step; `nil` if nothing is to be recorded.
    func record(_ response: UploadResponse, of step: UploadStep) -> UploadRecord? {
        guard !numbers.isEmpty else { return nil }
        switch (step, response) {
        case (.start(let files, let isConcurrent), .started(let ids)):
            return .sessions(
                zip(files, ids).map {
                    UploadRecord.Session(number: numbers[$0], id: $1, isConcurrent: isConcurrent)
                })
        case (.pack(let files), .packed(let responses)):
            let parts = zip(files, responses).compactMap { file, response -> UploadRecord.Part? in
                guard case .taken = response else { return nil }
                return UploadRecord.Part(
                    number: numbers[file], start: 0, end: entries[file].size ?? 0, isLast: true)
            }
            return .parts(parts)
        case (.part(let file, let range, let isLast), .part(.taken, nil)):
            let part = UploadRecord.Part(
                number: numbers[file], start: range.lowerBound, end: range.upperBound, isLast: isLast)
            return .parts([part])
        case (.finish(let files, _), .finished(let responses)):
            let stored = zip(files, responses).compactMap { file, response -> UploadRecord.Stored? in
                guard case .stored(let metadata) = response else { return nil }
                return self.stored(metadata, file)
            }
            return .stored(stored)
        case (.look(let file), .found(let metadata?)):
            return .stored([stored(metadata, file)].compactMap(\.self))
        case (.look(let file), .found(nil)): return .anew([numbers[file]])
        default: return nil
        }
    }

    private func stored(_ metadata: Files.FileMetadata, _ file: Int) -> UploadRecord.Stored? {
        guard let text = try? metadata.json() else { return nil }
        return UploadRecord.Stored(number: numbers[file], file: String(decoding: text, as: UTF8.self))
    }
}
