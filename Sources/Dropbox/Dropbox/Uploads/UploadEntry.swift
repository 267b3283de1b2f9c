// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestSDK

/// How far one file of an upload has come.
struct UploadEntry: Sendable {
    /// Where the file stands: who waits for whom.
    enum Phase: Sendable, Hashable {
        /// It waits for its turn to get a session.
        case fresh
        /// Its session was asked for; the server is to answer.
        case starting
        /// It has a session; bytes are missing, or the server is to answer for some.
        case sending
        /// The server has all its bytes; it waits for the next finish.
        case sent
        /// The server is to answer for its finish.
        case finishing
        /// The server does not know its session: it waits until it was looked for under its path.
        case lost
        /// It has its result.
        case done
    }

    /// How long it is; `nil` for a stream that does not say.
    var size: Int64?
    /// Whether parts of it can be sent side by side.
    let isConcurrent: Bool
    var phase = Phase.fresh
    /// The session at the server.
    var session: String?
    /// The bytes that the server does not have and no request is sending, the last ones first.
    var missing: [Range<Int64>]
    /// Whether the file is in a queue of files that are being sent.
    var isQueued = false
    /// Whether the session was closed.
    var isClosed = false
    /// How many requests bring bytes of it.
    var underWay = 0
    /// Whether its session is of no use; it is given up when no request brings bytes to it any more.
    var isDoomed = false
    /// Whether the server was asked to make the file, and has not said what came of it.
    var mayBeStored = false
    /// How often it has begun anew.
    var beginnings = 0
    /// How often in turn the server has refused bytes in a way that can be mended.
    var corrections = 0
    /// How often its finish was put off because there was too much to write.
    var postponements = 0
    /// How many bytes the server has.
    var taken: Int64 = 0
    /// What became of it.
    var result: UploadResult.Value?

    init(size: Int64?, isConcurrent: Bool) {
        self.size = size
        self.isConcurrent = isConcurrent
        missing = [0..<(size ?? .max)]
    }

    /// Whether the server still lacks bytes of it.
    var isUnsettled: Bool {
        switch phase {
        case .fresh, .starting, .sending, .lost: true
        case .sent, .finishing, .done: false
        }
    }

    /// Whether no byte of it was sent yet, so that it can go with others in one request.
    var isWhole: Bool { phase == .sending && underWay == 0 && !isClosed && missing == [0..<(size ?? .max)] }

    /// Takes the next part that may be sent now.
    ///
    /// Parts end at multiples of the chunk. Of a session that takes them in any order the last one waits for all the
    /// others, since it closes the session.
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

    /// Gives back a part that the server does not have.
    mutating func putBack(_ range: Range<Int64>) {
        underWay -= 1
        if size == nil {
            missing = [range.lowerBound..<Int64.max]
        } else {
            let place = missing.lastIndex { $0.lowerBound > range.lowerBound }
            missing.insert(range, at: place.map { $0 + 1 } ?? 0)
        }
    }

    /// The server has a part.
    mutating func add(_ range: Range<Int64>, isLast: Bool, end: Int64?) {
        underWay -= 1
        corrections = 0
        taken += (end ?? range.upperBound) - range.lowerBound
        if let end, size == nil { (size, missing) = (end, []) }
        if isLast || (end != nil && !isConcurrent) { isClosed = true }
        if isClosed, missing.isEmpty, underWay == 0 { phase = .sent }
    }

    /// Goes on where the server says it stands.
    ///
    /// - Parameters:
    ///   - offset: what the server says.
    ///   - end: the last place of which it can have heard.
    /// - Returns: whether that makes sense.
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

    /// Goes on where a journal says that the file stands.
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

    /// Gives the file its result.
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
    /// The next file.
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

/// One request that an upload is made of; files go by their numbers.
enum UploadStep: Sendable, Hashable {
    /// Asks for a session for each of the files.
    case start([Int], isConcurrent: Bool)
    /// Brings whole files, each of which closes its session.
    case pack([Int])
    /// Brings a part of a file; the last one closes the session.
    ///
    /// Of a stream whose length is not known the range is as long as a part can be.
    case part(Int, Range<Int64>, isLast: Bool)
    /// Makes files of sessions, after that many refusals because there was too much to write.
    case finish([Int], postponed: Int)
    /// Looks whether the file of a session that the server does not know is there already.
    case look(Int)

    /// The files that it is for.
    var files: [Int] {
        switch self {
        case .start(let files, _), .pack(let files), .finish(let files, _): files
        case .part(let file, _, _), .look(let file): [file]
        }
    }
}

/// What came of a step.
enum UploadAnswer: Sendable {
    /// The ids of the sessions, one for each file.
    case started([String])
    /// What became of each file of a pack.
    case packed([PartAnswer])
    /// What became of a part; where the file ends, if its end was reached.
    case part(PartAnswer, end: Int64?)
    /// What became of each file.
    case finished([FinishAnswer])
    /// The file that is there with the same content.
    case found(Files.FileMetadata?)
    /// The request as a whole has failed.
    case failed(UploadFailure)
}

/// What became of the bytes of one file in a request.
enum PartAnswer: Sendable {
    /// The server has them.
    case taken
    /// The server says why not.
    case refused(Files.UploadSessionAppendError)
    /// They could not be read.
    case unreadable(RestError)
}

/// What became of the finish of one file.
enum FinishAnswer: Sendable {
    /// The file is at Dropbox, with the content that was sent.
    case stored(Files.FileMetadata)
    /// The server says why not.
    case refused(Files.UploadSessionFinishError)
    /// It cannot be said of the content that it is what was sent.
    case unsure(RestError)
}

/// Why a request as a whole has failed.
enum UploadFailure: Error, Sendable {
    /// Somebody paused or cancelled the upload.
    case interrupted
    /// The request did not succeed; others may.
    case failed(RestError)
    /// The server does not take the request for what one of its files, or all, say.
    case refused(RestError)
    /// No request of this client can succeed: the token, the path root, the journal.
    case hopeless(RestError)
}
