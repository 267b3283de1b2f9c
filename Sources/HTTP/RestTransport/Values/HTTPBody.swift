// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request body; one that can be made again can be sent again, after a renewal, a redirect or a fault that passes.
public enum HTTPBody: Sendable, Hashable {
    /// No body at all.
    case empty
    /// Bytes held in memory.
    case bytes([UInt8])
    /// The content of a file, read while it is sent; made by ``file(path:)``.
    case file(File)
    /// Bytes made while they are sent.
    case stream(Source)

    /// The content of the file at this path, read while it is sent.
    public static func file(path: String) -> HTTPBody { .file(File(path: path)) }

    /// The bytes of a body in memory, none where there is no body; `nil` for a file and for a stream.
    public var inMemory: [UInt8]? {
        switch self {
        case .empty: []
        case .bytes(let bytes): bytes
        case .file, .stream: nil
        }
    }

    /// Whether the body can be sent again from its start.
    public var isReplayable: Bool {
        if case .stream(let source) = self { source.isRestartable } else { true }
    }

    /// The number of bytes in all; `nil` when only the end of the stream will tell, or the file cannot be read.
    package var length: Int64? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .stream(let source): source.length
        case .file(let file): try? FileSource(file).length
        }
    }

    /// The same body for the attempts of one call: a file must be at each what it was at the first.
    package var forOneCall: HTTPBody {
        if case .file(let file) = self { .file(file.forOneCall) } else { self }
    }
}

extension HTTPBody {
    /// A file whose content, or a part of it, is a body.
    ///
    /// Two files are equal when their paths and parts are.
    public struct File: Sendable, Hashable {
        /// Where the file is.
        public let path: String
        /// The bytes that are sent, counted from the start of the file; `nil` for all of them.
        public let range: Range<Int64>?
        /// What the file was at the first attempt; `nil` where attempts have nothing to do with each other.
        let first: FirstState?

        /// A file whose attempts have nothing to do with each other.
        package init(path: String) {
            self.init(path: path, range: nil, first: nil)
        }

        private init(path: String, range: Range<Int64>?, first: FirstState?) {
            (self.path, self.range, self.first) = (path, range, first)
        }

        /// The same file for the attempts of one call: it must be at each what it was at the first.
        package var forOneCall: File { File(path: path, range: range, first: first ?? FirstState()) }

        /// A part of the file, which must be what it was when it was looked at.
        package static func part(_ range: Range<Int64>, of file: FileParts) -> File {
            File(path: file.path, range: range, first: FirstState(file.state))
        }

        /// The body for transports that send whole files only: a part is a stream.
        package var body: HTTPBody {
            guard let range else { return .file(self) }
            return .stream(
                .restartable(length: Int64(range.count)) {
                    let source = try FileSource(self)
                    return { try source.next() }
                })
        }

        /// Whether both have the same path and part.
        public static func == (left: File, right: File) -> Bool {
            left.path == right.path && left.range == right.range
        }

        /// Hashes the path.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(path)
        }
    }

    /// Remembers what a file was when it was opened first.
    final class FirstState: Sendable {
        private let state: Mutex<FileState?>

        init(_ state: FileState? = nil) {
            self.state = Mutex(state)
        }

        /// Whether the file is what it was when this was asked first.
        func isUnchanged(_ now: FileState) -> Bool {
            state.withLock { state in
                let first = state ?? now
                state = first
                return first == now
            }
        }
    }
}

extension HTTPBody {
    /// Makes the bytes of a streamed body while they are sent.
    ///
    /// Two sources are equal when they are the same object.
    public final class Source: Sendable, Hashable {
        /// Gives one piece of a body after the other, and `nil` at its end.
        public typealias Pieces = @Sendable () async throws -> [UInt8]?

        /// The number of bytes in all; `nil` sends the body in chunks.
        public let length: Int64?
        /// Whether the body can be made again; one that cannot is sent once at most.
        public let isRestartable: Bool
        private let make: @Sendable () throws -> Pieces
        private let starts = Mutex(0)

        private init(length: Int64?, isRestartable: Bool, make: @escaping @Sendable () throws -> Pieces) {
            self.length = length
            self.isRestartable = isRestartable
            self.make = make
        }

        /// A body that can be made once: it is sent at most once, and a call that sent it is never repeated.
        ///
        /// - Parameters:
        ///   - length: the number of bytes in all; a body that turns out to have more or less fails.
        ///   - pieces: gives one piece after the other and `nil` at the end.
        /// - Returns: what makes the body.
        public static func once(length: Int64? = nil, pieces: @escaping Pieces) -> Source {
            Source(length: length, isRestartable: false) { pieces }
        }

        /// Makes a body of the chunks of an asynchronous sequence, such as the body of a streamed response.
        ///
        /// The body is sent at most once, and a call that sent it is never repeated. A chunk is read only when there is
        /// room to send it. An error of the sequence fails the call with ``TransportError/Code/bodySource``. If the
        /// call ends early, the task that reads the sequence is cancelled.
        ///
        /// - Parameters:
        ///   - chunks: the sequence.
        ///   - length: the total number of bytes. A body of another length fails.
        /// - Returns: the source of the body.
        public static func once<Chunks: AsyncSequence & Sendable>(
            _ chunks: Chunks, length: Int64? = nil
        ) -> Source where Chunks.Element == [UInt8] {
            Source(length: length, isRestartable: false) {
                let reader = ChunkReader(chunks.makeAsyncIterator())
                return { try await reader.next() }
            }
        }

        /// A body that is made anew for each attempt, and so survives a renewal, a redirect and a retry.
        ///
        /// - Parameters:
        ///   - length: the number of bytes in all, the same each time; a body that turns out to have more or less
        ///     fails.
        ///   - make: begins the body; called once for each attempt, and gives what gives its pieces, from the first on.
        /// - Returns: what makes the body.
        public static func restartable(
            length: Int64? = nil, make: @escaping @Sendable () throws -> Pieces
        ) -> Source {
            Source(length: length, isRestartable: true, make: make)
        }

        /// Begins the body for one attempt; for transports.
        ///
        /// - Returns: what gives the pieces of the body, to be called until it gives `nil`.
        /// - Throws: `.invalidRequest` when the body was begun before and cannot be made again. `.bodySource` when the
        ///   maker throws an error, or this error itself if it is a `TransportError`.
        public func begin() throws(TransportError) -> Pieces {
            let isSpent = starts.withLock { starts in
                starts += 1
                return starts > 1 && !isRestartable
            }
            guard !isSpent else {
                throw .invalidRequest("the streamed body was already sent and cannot be created again; \(Self.remedy)")
            }
            do {
                return try make()
            } catch {
                throw .bodySource(error, mayHaveReachedServer: false)
            }
        }

        /// What to do for a body that has to be sent again and cannot.
        package static let remedy = "make the stream with HTTPBody.Source.restartable, or send bytes or a file"

        /// Why a body fails that is longer or shorter than announced.
        package var wrongLength: TransportError {
            let isRepeated = starts.withLock { $0 > 1 }
            return TransportError(
                isRepeated ? .bodyChanged : .invalidRequest,
                "the request body is not as long as announced", mayHaveReachedServer: true)
        }

        /// Whether both are the same object.
        public static func == (left: Source, right: Source) -> Bool { left === right }

        /// Hashes the object's identity.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}

/// The iterator of a sequence of chunks, which need not be `Sendable` itself.
private actor ChunkReader<Iterator: AsyncIteratorProtocol> where Iterator.Element == [UInt8] {
    private var iterator: Iterator

    init(_ iterator: sending Iterator) {
        self.iterator = iterator
    }

    func next() async throws -> [UInt8]? {
        var copy = iterator
        defer { iterator = copy }
        return try await copy.next(isolation: self)
    }
}
