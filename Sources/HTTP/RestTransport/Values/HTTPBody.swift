// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request body.
///
/// A body that can be produced again is sent again after a token renewal, a redirect or a transient error.
public enum HTTPBody: Sendable, Hashable {
    /// No body.
    case empty
    /// Bytes in memory.
    case bytes([UInt8])
    /// The content of a file, read while it is sent. Create it with ``file(path:)``.
    case file(File)
    /// Bytes produced while they are sent.
    case stream(Source)

    /// Returns a body with the content of the file at a path, read while it is sent.
    public static func file(path: String) -> HTTPBody { .file(File(path: path)) }

    /// The bytes of a body in memory, empty if there is no body, or `nil` for a file or a stream.
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

    /// The total number of bytes, or `nil` for a stream of unknown length or a file that cannot be read.
    package var length: Int64? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .stream(let source): source.length
        case .file(let file): try? FileSource(file).length
        }
    }

    /// A copy of the body for all attempts of one call, which fail if a file changes between them.
    package var forOneCall: HTTPBody {
        if case .file(let file) = self { .file(file.forOneCall) } else { self }
    }
}

extension HTTPBody {
    /// A file whose content, or a byte range of it, is a request body.
    ///
    /// Two files are equal if their paths and ranges are equal.
    public struct File: Sendable, Hashable {
        /// The path of the file.
        public let path: String
        /// The byte range to send, counted from the start of the file, or `nil` for the whole file.
        public let range: Range<Int64>?
        /// The file's state at the first attempt, or `nil` if attempts are independent.
        let first: FirstState?

        package init(path: String) { self.init(path: path, range: nil, first: nil) }

        private init(path: String, range: Range<Int64>?, first: FirstState?) {
            (self.path, self.range, self.first) = (path, range, first)
        }

        /// A copy of the file for all attempts of one call, which fail if it changes between them.
        package var forOneCall: File { File(path: path, range: range, first: first ?? FirstState()) }

        /// Returns a range of the file, which must still be in the state that `file` recorded.
        package static func part(_ range: Range<Int64>, of file: FileParts) -> File {
            File(path: file.path, range: range, first: FirstState(file.state))
        }

        /// The body for transports that send only whole files, where a range becomes a stream.
        package var body: HTTPBody {
            guard let range else { return .file(self) }
            return .stream(
                .restartable(length: Int64(range.count)) {
                    let source = try FileSource(self)
                    return { try source.next() }
                })
        }

        /// Whether the paths and ranges are equal.
        public static func == (left: File, right: File) -> Bool {
            left.path == right.path && left.range == right.range
        }

        /// Hashes the path.
        public func hash(into hasher: inout Hasher) { hasher.combine(path) }
    }

    final class FirstState: Sendable {
        private let state: Mutex<FileState?>

        init(_ state: FileState? = nil) { self.state = Mutex(state) }

        /// Records the first state that is passed, and returns whether `now` equals it.
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
    /// The source of a streamed body, which produces the bytes while they are sent.
    ///
    /// Two sources are equal if they are the same object.
    public final class Source: Sendable, Hashable {
        /// Returns the next chunk of a body, or `nil` at its end.
        public typealias Chunks = @Sendable () async throws -> [UInt8]?

        /// The total number of bytes, or `nil` if it is unknown, so that HTTP/1.1 uses the chunked transfer coding.
        public let length: Int64?
        /// Whether the body can be produced again, and therefore sent more than once.
        public let isRestartable: Bool
        private let make: @Sendable () throws -> Chunks
        private let starts = Mutex(0)

        private init(length: Int64?, isRestartable: Bool, make: @escaping @Sendable () throws -> Chunks) {
            self.length = length
            self.isRestartable = isRestartable
            self.make = make
        }

        /// Returns a source that can be read only once.
        ///
        /// The body is sent at most once, and a call that has sent it is never retried.
        ///
        /// - Parameters:
        ///   - length: the total number of bytes. A body of another length fails.
        ///   - chunks: returns the next chunk, or `nil` at the end.
        /// - Returns: the source of the body.
        public static func once(length: Int64? = nil, chunks: @escaping Chunks) -> Source {
            Source(length: length, isRestartable: false) { chunks }
        }

        /// Returns a source that reads an asynchronous sequence of chunks, such as the body of a streamed response.
        ///
        /// The body is sent at most once, and a call that has sent it is never retried. A chunk is read only when there
        /// is room to send it. An error of the sequence fails the call with ``TransportError/Code/bodySource``. If the
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

        /// Returns a source that produces the body again for each attempt, as after a token renewal, a redirect or a
        /// retry.
        ///
        /// - Parameters:
        ///   - length: the total number of bytes, the same for each attempt. A body of another length fails.
        ///   - make: starts the body. It is called once for each attempt and returns the closure that returns the
        ///     chunks.
        /// - Returns: the source of the body.
        public static func restartable(
            length: Int64? = nil, make: @escaping @Sendable () throws -> Chunks
        ) -> Source {
            Source(length: length, isRestartable: true, make: make)
        }

        /// Starts the body for one attempt of a transport.
        ///
        /// - Returns: the closure that returns the chunks. Call it until it returns `nil`.
        /// - Throws: `.invalidRequest` if the body has already been started and cannot be produced again. `.bodySource`
        ///   if `make` throws an error, or that error itself if it is a `TransportError`.
        public func begin() throws(TransportError) -> Chunks {
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

        package static let remedy = "create the stream with HTTPBody.Source.restartable, or send bytes or a file"

        /// The error for a body that is longer or shorter than announced.
        package var wrongLength: TransportError {
            let isRepeated = starts.withLock { $0 > 1 }
            return TransportError(
                isRepeated ? .bodyChanged : .invalidRequest,
                "the request body does not have the announced length", mayHaveReachedServer: true)
        }

        /// Whether both are the same object.
        public static func == (left: Source, right: Source) -> Bool { left === right }

        /// Hashes the object's identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

/// The iterator of a sequence of chunks, which is not necessarily `Sendable`.
private actor ChunkReader<Iterator: AsyncIteratorProtocol> where Iterator.Element == [UInt8] {
    private var iterator: Iterator

    init(_ iterator: sending Iterator) { self.iterator = iterator }

    func next() async throws -> [UInt8]? {
        var copy = iterator
        defer { iterator = copy }
        return try await copy.next(isolation: self)
    }
}
