// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestBase
import RestJSON
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
    /// Where the journal is.
    public let path: String
    private let file: JournalFile
    private let history: Mutex<UploadHistory>
    private let isInUse = Mutex(false)

    /// Opens a journal, or begins one.
    ///
    /// - Parameter path: where it is; its folder is there.
    /// - Throws: ``RestError/Code/journal`` when another process has it, it is no journal, or it cannot be written.
    public init(path: String) throws(RestError) {
        self.path = path
        do throws(TransportError) {
            file = try JournalFile(path: path, title: Array(UploadRecord.title.utf8))
            var history = try Self.read(file)
            if history.count > 4 * history.numbers.count + 64 {
                try file.replace(with: history.lines.map(Self.text))
                history = try Self.read(file)
            }
            self.history = Mutex(history)
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// The files that are to be uploaded, in the order in which they came, without contents from memory.
    ///
    /// A process that does not know what another one was about goes on with these.
    public var files: [UploadFile] {
        history.withLock { history in
            history.numbers.values.sorted().compactMap { number in
                let file = history.files[number].file
                guard let path = file.path, let commit = try? Files.CommitInfo(json: Array(file.commit.utf8)) else {
                    return nil
                }
                return UploadFile(id: file.id, .file(path: path), commit)
            }
        }
    }

    /// Lets go of the journal, so that it can be opened again; it does the same when nobody refers to it any more.
    ///
    /// An upload that still uses it ends with ``RestError/Code/journal``.
    public func close() { file.close() }

    /// Removes the journal from the disk.
    public func remove() { file.remove() }

    /// Begins its use by one upload.
    ///
    /// - Throws: ``RestError/Code/journal`` when another upload uses it.
    func begin() throws(RestError) {
        let isFree = isInUse.withLock { isInUse in
            defer { isInUse = true }
            return !isInUse
        }
        guard isFree else { throw RestError(.journal, "\(path): another upload of this process uses the journal") }
    }

    /// Ends its use by an upload.
    func end() { isInUse.withLock { $0 = false } }

    /// Notes on whose behalf files are uploaded.
    ///
    /// - Throws: ``RestError/Code/journal`` when it is somebody else's.
    func claim(_ owner: String) throws(RestError) {
        guard let known = history.withLock({ $0.owner }) else { return try add(UploadRecord(owner: owner)) }
        guard known == owner else {
            throw RestError(.journal, "\(path): the journal is of another user; take one for each user")
        }
    }

    /// Notes what is known from now on.
    ///
    /// - Throws: ``RestError/Code/journal`` when the disk is full.
    func add(_ record: UploadRecord) throws(RestError) {
        do throws(TransportError) {
            try file.append([Self.text(record)])
        } catch {
            throw Self.failure(error, path)
        }
        _ = history.withLock { $0.add(record) }
    }

    /// Puts all that was noted onto the disk.
    func sync() throws(RestError) {
        do throws(TransportError) { try file.sync() } catch { throw Self.failure(error, path) }
    }

    /// The numbers of files, and what is known of each; new ones, and those that are not what they were, are noted.
    func register(
        _ wanted: [(id: String, path: String?, commit: String, state: String)]
    ) throws(RestError) -> [JournaledFile] {
        var new: [UploadRecord.File] = []
        let known = history.withLock { history -> [JournaledFile] in
            let count = history.files.count
            return wanted.map { file in
                if let number = history.numbers[Array(file.id.utf8)],
                    history.files[number].file.commit.hasSameBytes(as: file.commit),
                    history.files[number].file.state == file.state
                {
                    return history.files[number]
                }
                new.append(
                    UploadRecord.File(
                        number: count + new.count, id: file.id, path: file.path, commit: file.commit,
                        state: file.state))
                return JournaledFile(file: new[new.count - 1])
            }
        }
        if !new.isEmpty { try add(UploadRecord(files: new)) }
        return known
    }

    private static func read(_ file: JournalFile) throws(TransportError) -> UploadHistory {
        var history = UploadHistory()
        let lines = try file.lines()
        for (number, line) in lines.enumerated() {
            let record = try? UploadRecord(json: Array(line))
            guard let record, history.add(record) else {
                throw TransportError(.file, "line \(number + 2) is not one of a journal", mayHaveReachedServer: false)
            }
        }
        return history
    }

    private static func text(_ record: UploadRecord) -> [UInt8] {
        (try? record.json()) ?? []
    }

    private static func failure(_ error: TransportError, _ path: String) -> RestError {
        RestError(.journal, "\(path): \(error.message)", outcome: .notApplied, underlying: error)
    }
}

/// One line of a journal: what is known from now on; files go by their numbers in the journal.
struct UploadRecord: Codable, Sendable {
    /// A file that is to be uploaded.
    struct File: Codable, Sendable {
        var number: Int
        var id: String
        /// Where its content is; `nil` for bytes in memory.
        var path: String?
        /// Where it is to be at Dropbox, as the argument of the route.
        var commit: String
        /// What tells its content from another.
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
        /// The file as it is at Dropbox, as the route told.
        var file: String
    }

    /// On whose behalf the files are uploaded.
    var owner: String?
    var files: [File]?
    var sessions: [Session]?
    var parts: [Part]?
    var stored: [Stored]?
    /// Files whose sessions are given up.
    var anew: [Int]?

    /// The first line of every journal.
    static let title = "RestSDK upload journal 1"
}

/// What a journal knows of a file.
struct JournaledFile: Sendable {
    let file: UploadRecord.File
    var session: UploadRecord.Session?
    var parts: [UploadRecord.Part] = []
    var stored: String?
}

/// What a journal knows: its lines, taken together.
struct UploadHistory: Sendable {
    private(set) var owner: String?
    private(set) var files: [JournaledFile] = []
    /// The newest file of each id, by the bytes of the id: two spellings of a name, such as NFC and NFD, are two files.
    private(set) var numbers: [[UInt8]: Int] = [:]
    /// How many lines and parts of lines were taken in.
    private(set) var count = 0

    /// Takes in a line; `false` when it makes no sense after those before.
    mutating func add(_ record: UploadRecord) -> Bool {
        if let new = record.owner { owner = new }
        for file in record.files ?? [] {
            guard file.number == files.count else { return false }
            files.append(JournaledFile(file: file))
            numbers[Array(file.id.utf8)] = file.number
        }
        for session in record.sessions ?? [] {
            guard files.indices.contains(session.number) else { return false }
            files[session.number].session = session
            files[session.number].parts = []
        }
        for part in record.parts ?? [] {
            guard files.indices.contains(part.number), 0 <= part.start, part.start <= part.end else { return false }
            files[part.number].parts.append(part)
        }
        for stored in record.stored ?? [] {
            guard files.indices.contains(stored.number) else { return false }
            files[stored.number].stored = stored.file
        }
        for number in record.anew ?? [] {
            guard files.indices.contains(number) else { return false }
            (files[number].session, files[number].parts) = (nil, [])
        }
        count += record.weight
        return true
    }

    /// The lines that say the same, without what became of no account.
    var lines: [UploadRecord] {
        var (kept, sessions, parts, stored) =
            ([UploadRecord.File](), [UploadRecord.Session](), [UploadRecord.Part](), [UploadRecord.Stored]())
        for number in numbers.values.sorted() {
            let known = files[number]
            var file = known.file
            file.number = kept.count
            if let text = known.stored {
                stored.append(UploadRecord.Stored(number: file.number, file: text))
            } else if var session = known.session {
                session.number = file.number
                sessions.append(session)
                for var part in known.parts {
                    part.number = file.number
                    parts.append(part)
                }
            }
            kept.append(file)
        }
        var whole = UploadRecord()
        (whole.files, whole.sessions, whole.parts, whole.stored) = (kept, sessions, parts, stored)
        whole.owner = owner
        return [whole]
    }
}

extension UploadRecord {
    fileprivate var weight: Int {
        (files?.count ?? 0) + (sessions?.count ?? 0) + (parts?.count ?? 0) + (stored?.count ?? 0) + (anew?.count ?? 0)
    }
}
