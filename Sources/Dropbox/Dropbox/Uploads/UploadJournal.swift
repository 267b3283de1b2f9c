// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestBase
public import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// What was done of an upload, in a file from which another process goes on, also after this one was killed.
///
/// ```swift
/// let journal = try UploadJournal(path: "upload.journal")
/// let results = await box.upload(files, journal: journal).results
/// ```
///
/// Give the same files with the same journal again: those that are at Dropbox are not sent again, and of the others
/// only what is missing. A file that has changed since is sent anew. It belongs to one user, and to one process at a
/// time. It has the files' names and paths, and no tokens; only its owner may read it.
public final class UploadJournal: Sendable {
    private let lines: WorkJournal<UploadHistory>
    private let isInUse = Mutex(false)

    /// Opens a journal, or begins one.
    ///
    /// - Parameter path: where it is; its folder is there.
    /// - Throws: `RestError.Code.journal` when another process has it, it is no journal, or it cannot be written.
    public init(path: String) throws(RestError) { lines = try WorkJournal(path: path) }

    /// Where the journal is.
    public var path: String { lines.path }

    /// The files that are to be uploaded, in the order in which they came, without contents from memory.
    ///
    /// A process that does not know what another one was about goes on with these.
    public var files: [UploadFile] {
        lines.content.newest.compactMap { known in
            let file = known.file
            guard let path = file.path, let commit = try? Files.CommitInfo(json: Array(file.commit.utf8)) else {
                return nil
            }
            return UploadFile(id: file.id, .file(path: path), commit)
        }
    }

    /// Lets go of the journal, so that it can be opened again; it does the same when nobody refers to it any more.
    ///
    /// An upload that still uses it ends with `RestError.Code.journal`.
    public func close() { lines.close() }

    /// Removes the journal from the disk.
    public func remove() { lines.remove() }

    /// Begins its use by one upload.
    ///
    /// - Throws: `RestError.Code.journal` when another upload uses it.
    func begin() throws(RestError) {
        let isFree = isInUse.withLock { isInUse in
            defer { isInUse = true }
            return !isInUse
        }
        guard isFree else { throw lines.refusal("another upload of this process uses the journal") }
    }

    /// Ends its use by an upload.
    func end() { isInUse.withLock { $0 = false } }

    /// Records on whose behalf files are uploaded.
    ///
    /// - Throws: `RestError.Code.journal` for another user's journal.
    func claim(_ owner: String) throws(RestError) {
        guard let known = lines.read(\.owner) else { return try add(.owner(owner)) }
        guard known == owner else { throw lines.refusal("the journal is of another user; take one for each user") }
    }

    /// Adds a line, which survives the process, and after ``sync()`` a loss of power.
    ///
    /// - Throws: `RestError.Code.journal` if the disk is full or broken.
    func add(_ line: UploadRecord) throws(RestError) { try lines.add(line, isDurable: false) }

    /// Puts all lines on the disk.
    func sync() throws(RestError) { try lines.sync() }

    /// The numbers of files, and what is known of each.
    ///
    /// New files and changed ones are recorded.
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
        if !new.isEmpty { try add(.files(new)) }
        return known
    }
}

/// A line of an upload's journal; files go by their numbers in the journal.
enum UploadRecord: Codable, Sendable {
    /// A file to upload.
    struct File: Codable, Sendable {
        var number: Int
        var id: String
        /// The path of its content; `nil` for bytes in memory.
        var path: String?
        /// The destination in Dropbox, as the argument of the route.
        var commit: String
        /// The identity of its content.
        var state: String
    }

    struct Session: Codable, Sendable {
        var number: Int
        var id: String
        var isConcurrent: Bool
    }

    /// Bytes that the server has.
    struct Part: Codable, Sendable {
        var number: Int
        var start: Int64
        var end: Int64
        var isLast: Bool
    }

    struct Stored: Codable, Sendable {
        var number: Int
        /// The file as it is at Dropbox, as the route returned it.
        var file: String
    }

    /// The user on whose behalf the files are uploaded.
    case owner(String)
    case files([File])
    case sessions([Session])
    case parts([Part])
    case stored([Stored])
    /// Files whose sessions are given up.
    case anew([Int])
}

/// What a journal knows of a file.
struct JournaledFile: Sendable {
    var file: UploadRecord.File
    var session: UploadRecord.Session?
    var parts: [UploadRecord.Part] = []
    var stored: String?
}

/// The content of an upload's journal.
struct UploadHistory: JournalContent {
    static let kind = "RestSDK upload journal"
    static let version = 2

    private(set) var owner: String?
    private(set) var files: [JournaledFile] = []
    /// The newest file of each id, by the bytes of the id: two spellings of a name, such as NFC and NFD, are two files.
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

    /// The newest file of each id, in the order in which they came.
    var newest: [JournaledFile] { numbers.values.sorted().map { files[$0] } }

    var lines: [UploadRecord] {
        let files = newest.enumerated().map { number, known in
            var known = known
            known.file.number = number
            known.session?.number = number
            for place in known.parts.indices { known.parts[place].number = number }
            return known
        }
        // A file at Dropbox needs no session any more.
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
