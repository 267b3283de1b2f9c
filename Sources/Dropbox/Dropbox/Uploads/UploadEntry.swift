// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK

/// The state of one file of an upload.
struct UploadEntry: Sendable {
    enum Phase: Sendable, Hashable {
        /// The file has no session.
        case fresh
        /// A request for its session is in flight.
        case starting
        /// The file has a session, and the server does not have all bytes.
        case sending
        /// The server has all bytes. The file waits for the next finish.
        case sent
        /// The request to finish the file is in flight.
        case finishing
        /// The server no longer has the session. The file may exist under its path.
        case lost
        case done
    }

    /// The number of bytes, or `nil` for a stream of unknown length.
    var size: Int64?
    /// Whether parts of the file can be sent concurrently.
    let isConcurrent: Bool
    var phase = Phase.fresh
    var session: String?
    /// The bytes that the server does not have and no request is sending, the last ones first.
    var missing: [Range<Int64>]
    /// Whether the file is in a queue of files that are being sent.
    var isQueued = false
    var isClosed = false
    /// The number of requests in flight with bytes of the file.
    var underWay = 0
    /// Whether the session is unusable and is abandoned when no request for it is in flight.
    var isDoomed = false
    /// Whether a request to finish the file has an unknown outcome.
    var mayBeStored = false
    var beginnings = 0
    /// The number of rejections in a row that the plan has corrected.
    var corrections = 0
    /// The number of finishes that were rejected because of too many write operations.
    var postponements = 0
    /// The number of bytes that the server has.
    var taken: Int64 = 0
    var result: UploadResult.Value?

    init(size: Int64?, isConcurrent: Bool) {
        self.size = size
        self.isConcurrent = isConcurrent
        missing = [0..<(size ?? .max)]
    }

    /// Whether the server does not have all bytes.
    var isUnsettled: Bool {
        switch phase {
        case .fresh, .starting, .sending, .lost: true
        case .sent, .finishing, .done: false
        }
    }

    /// Whether no byte was sent, so the file can share a request with other files.
    var isWhole: Bool { phase == .sending && underWay == 0 && !isClosed && missing == [0..<(size ?? .max)] }

    /// Takes the next part that can be sent now.
    ///
    /// Parts end at multiples of the chunk size. The last part of a concurrent session waits for all other parts,
    /// because it closes the session.
    mutating func take(chunk: Int64) -> (range: Range<Int64>, isLast: Bool)? {
        guard phase == .sending, !isDoomed, underWay == 0 || isConcurrent else { return nil }
        let end = size ?? .max
        guard let first = missing.last, !first.isEmpty else {
            guard !isClosed, underWay == 0 else { return nil }
            missing = []
            underWay = 1
            return (end..<end, true)
        }
        let length = min(chunk - first.lowerBound % chunk, first.upperBound - first.lowerBound)
        let range = first.lowerBound..<first.lowerBound + length
        let isLast = range.upperBound == size && missing.count == 1
        if isLast, underWay > 0 { return nil }
        missing.removeLast()
        if range.upperBound < first.upperBound { missing.append(range.upperBound..<first.upperBound) }
        underWay += 1
        return (range, isLast)
    }

    /// Returns a part that the server does not have.
    mutating func putBack(_ range: Range<Int64>) {
        underWay -= 1
        if size == nil {
            missing = [range.lowerBound..<Int64.max]
        } else {
            let place = missing.lastIndex { $0.lowerBound > range.lowerBound }
            missing.insert(range, at: place.map { $0 + 1 } ?? 0)
        }
    }

    /// Adds a part that the server has.
    mutating func add(_ range: Range<Int64>, isLast: Bool, end: Int64?) {
        underWay -= 1
        corrections = 0
        taken += (end ?? range.upperBound) - range.lowerBound
        if let end, size == nil { (size, missing) = (end, []) }
        if isLast || (end != nil && !isConcurrent) { isClosed = true }
        if isClosed, missing.isEmpty, underWay == 0 { phase = .sent }
    }

    /// Continues at the server's offset.
    ///
    /// - Parameters:
    ///   - offset: the server's offset.
    ///   - end: the maximum offset that is possible.
    /// - Returns: whether the offset is valid.
    mutating func goOn(at offset: Int64, before end: Int64) -> Bool {
        guard !isConcurrent, (0...(size ?? end)).contains(offset), corrections < 10 else { return false }
        corrections += 1
        taken = offset
        missing = [offset..<(size ?? .max)]
        return true
    }

    /// Forgets the session.
    mutating func beginAnew() {
        (phase, session, isClosed, isDoomed, mayBeStored) = (.fresh, nil, false, false, false)
        (missing, taken) = ([0..<(size ?? .max)], 0)
        beginnings += 1
    }

    mutating func restore(_ known: JournaledFile) {
        guard let size, let session = known.session, session.isConcurrent == isConcurrent else { return }
        self.session = session.id
        isClosed = known.parts.contains { $0.isLast }
        missing = size > 0 || isClosed ? [] : [0..<0]
        var end: Int64 = 0
        for part in known.parts.sorted(by: { $0.start < $1.start }) where part.end <= size {
            if part.start > end { missing.append(end..<part.start) }
            end = max(end, part.end)
        }
        if end < size { missing.append(end..<size) }
        missing.reverse()
        taken = size - missing.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        phase = missing.isEmpty && isClosed ? .sent : .sending
    }

    mutating func end(_ result: UploadResult.Value) {
        if case .success(let file) = result { taken = size ?? Int64(clamping: file.size) }
        (phase, self.result) = (.done, result)
    }
}

/// A queue of files, by their numbers.
struct FileQueue: Sendable {
    private var files: [Int] = []
    private var head = 0
    /// Files that come before the others, the next one last.
    private var ahead: [Int] = []

    var count: Int { ahead.count + files.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Int? { ahead.last ?? (head < files.count ? files[head] : nil) }

    mutating func add(_ file: Int, isFirst: Bool = false) {
        if isFirst { ahead.append(file) } else { files.append(file) }
    }

    /// Removes the next files, at most this many.
    mutating func take(_ number: Int) -> [Int] {
        var taken: [Int] = []
        while taken.count < number, let file = ahead.popLast() { taken.append(file) }
        let rest = files[head..<min(head + number - taken.count, files.count)]
        taken += rest
        head += rest.count
        if head > 1_000, head * 2 > files.count {
            files.removeFirst(head)
            head = 0
        }
        return taken
    }
}

/// One request of an upload, with the numbers of its files.
enum UploadStep: Sendable, Hashable {
    /// Requests a session for each file.
    case start([Int], isConcurrent: Bool)
    /// Sends whole files, and closes their sessions.
    case pack([Int])
    /// Sends a part of a file. The last part closes the session.
    ///
    /// For a stream of unknown length, the range has the maximum length of a part.
    case part(Int, Range<Int64>, isLast: Bool)
    /// Makes files of sessions, after this number of rejections because of too many write operations.
    case finish([Int], postponed: Int)
    /// Checks whether the file of a lost session exists.
    case look(Int)

    var files: [Int] {
        switch self {
        case .start(let files, _), .pack(let files), .finish(let files, _): files
        case .part(let file, _, _), .look(let file): [file]
        }
    }
}

enum UploadResponse: Sendable {
    /// The ids of the sessions, one for each file.
    case started([String])
    /// The results of the files of a pack.
    case packed([PartResponse])
    /// The result of a part, and the size of the file if its end was reached.
    case part(PartResponse, end: Int64?)
    case finished([FinishResponse])
    /// The existing file with the same content.
    case found(Files.FileMetadata?)
    case failed(UploadFailure)
}

/// The result of sending bytes of one file.
enum PartResponse: Sendable {
    case taken
    case refused(Files.UploadSessionAppendError)
    /// The bytes could not be read.
    case unreadable(RestError)
}

/// The result of finishing one file.
enum FinishResponse: Sendable {
    /// The file is in Dropbox, with the content that was sent.
    case stored(Files.FileMetadata)
    case refused(Files.UploadSessionFinishError)
    /// The stored content may differ from the content that was sent.
    case unsure(RestError)
}

/// The error of a request as a whole.
enum UploadFailure: Error, Sendable {
    /// The upload was paused or cancelled.
    case interrupted
    /// The request failed. Others may succeed.
    case failed(RestError)
    /// The server rejected the request because of at least one of its files.
    case refused(RestError)
    /// No request of this client can succeed, for example because of its token, path root or journal.
    case hopeless(RestError)
}
