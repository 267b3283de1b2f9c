// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import StoneRuntime

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
