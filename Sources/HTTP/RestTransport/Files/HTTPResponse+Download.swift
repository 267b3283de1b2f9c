// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension HTTPResponse {
    /// Where a download belongs, and what has come of it so far: one for all attempts of a download.
    ///
    /// An attempt that breaks off leaves what came. The next one asks for the rest where the server gave a strong
    /// validator (RFC 9110 8.8.1), and starts over where it did not or the resource is another by then.
    public final class Download: Sendable {
        fileprivate struct Core: Sendable {
            var state: DownloadState
            var writer: FileWriter?
            /// The number of the attempt under way; what comes of an earlier one is refused.
            var attempt = 0
            /// The URL that the attempt under way asks for, before a transport rewrites it.
            var url: HTTPURL?
            /// Whether the answer to the attempt goes into the file.
            var hasFile = false
            /// The number of the last attempt whose file is at the path.
            var placed = -1

            /// Continues what earlier attempts left, after what is counted, whatever a write that failed added to it.
            mutating func goOn() throws(TransportError) {
                guard try writer?.cut(to: state.amounts.received) == true else {
                    state.forget()
                    throw FileWriter.failure("has lost bytes", code: 0)
                }
                hasFile = true
            }

            /// Writes what is taken of some bytes, and counts it if it is in the file.
            mutating func take(
                _ count: Int, _ write: (FileWriter, Range<Int>) throws(TransportError) -> Void
            ) throws(TransportError) {
                let before = state
                let taken = try state.take(count)
                guard let writer else { return }
                do throws(TransportError) { try write(writer, taken) } catch {
                    state = before
                    throw error
                }
            }
        }

        /// The path at which the file appears when it is complete.
        public let path: String
        /// The part of the resource that is wanted; `nil` for all of it.
        public let range: HTTPRequest.ByteRange?
        fileprivate let core: Mutex<Core>

        /// Makes the target of one download.
        ///
        /// - Parameters:
        ///   - path: where the file is to appear.
        ///   - range: the part of the resource that is wanted; `nil` for all of it.
        public init(path: String, range: HTTPRequest.ByteRange? = nil) {
            self.path = path
            self.range = range
            core = Mutex(Core(state: DownloadState(range: range)))
        }

        /// Begins an attempt; whatever an earlier one still delivers is refused.
        ///
        /// - Parameter request: the request of the download.
        /// - Returns: the request that asks for what is missing, and the attempt that takes its answer.
        package func begin(_ request: HTTPRequest) -> (request: HTTPRequest, attempt: Attempt) {
            core.withLock { core in
                core.attempt += 1
                core.url = request.url
                core.hasFile = false
                return (core.state.ask(request), Attempt(download: self, number: core.attempt, url: request.url))
            }
        }

        /// The attempt that takes the response to a request that was begun.
        package func attempt(for request: HTTPRequest) -> Attempt {
            core.withLock { Attempt(download: self, number: $0.attempt, url: $0.url ?? request.url) }
        }

        /// Writes the body of a response that came by no attempt, in place of what attempts left.
        ///
        /// It waits for the disk.
        ///
        /// - Parameters:
        ///   - response: a response of status 2xx.
        ///   - request: the request of the download.
        ///   - progress: is told that all of the file is there.
        /// - Returns: the response, whose body is in the file.
        /// - Throws: `.file` when the file cannot be written; `.rangeNotSatisfiable` and `.invalidResponse` when the
        ///   body does not hold the range; the error of a stream that breaks off.
        package func write(
            _ response: HTTPResponse, to request: HTTPRequest, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            discard()
            let (_, attempt) = begin(request)
            return try await attempt.place(response, to: request, progress: attempt.telling(progress))
        }

        /// Removes what an attempt left; the download is over.
        package func discard() {
            core.withLock { core in
                core.attempt += 1
                core.writer = nil
                core.state.forget()
            }
        }
    }
}

extension HTTPResponse.Download {
    /// One attempt of a download: takes an answer and puts its body into the file.
    public struct Attempt: Sendable, Hashable {
        fileprivate let download: HTTPResponse.Download
        fileprivate let number: Int
        fileprivate let url: HTTPURL

        /// Decides where the body of an answer goes.
        ///
        /// - Returns: whether it goes into the file; else it belongs into the response.
        /// - Throws: `.file` when the folder is missing or not writable; `.invalidResponse` for a part that is not the
        ///   one asked for; `.rangeNotSatisfiable` for a resource that ends before the range.
        package func receive(_ head: HTTPResponse.Head) throws(TransportError) -> Bool {
            try download.locked(number) { (core) throws(TransportError) -> Bool in
                switch try core.state.receive(head, from: url) {
                case .memory: break
                case .append: try core.goOn()
                case .newFile:
                    core.writer = nil
                    core.writer = try FileWriter(path: download.path)
                    core.hasFile = true
                }
                return core.hasFile
            }
        }

        /// Whether the file at the path of this download is the one of this attempt.
        package func isPlaced(by download: HTTPResponse.Download) -> Bool {
            self.download === download && download.core.withLock(\.placed) == number
        }

        /// Puts the body of a response in the file, unless the transport did.
        ///
        /// - Parameters:
        ///   - response: the response; a body of an error response is read into memory.
        ///   - request: the request of the attempt.
        ///   - progress: is told the amounts of the whole download.
        /// - Returns: the response, whose body is in the file or in memory.
        /// - Throws: `.file` when the file cannot be written; the error of a stream that breaks off.
        package func place(
            _ response: HTTPResponse, to request: HTTPRequest, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            if case .file = response.content { return response }
            guard try receive(response.head) else { return try await response.collected(upTo: 16 * 1024 * 1024) }
            let sent = request.body.length
            var state = TransferProgress(
                sent: sent ?? 0, sentTotal: sent, receivedTotal: response.head.plainContentLength)
            var iterator = response.stream.makeAsyncIterator()
            while let piece = try await iterator.next() {
                try write(piece)
                state.received += Int64(piece.count)
                progress?(state)
            }
            try finish()
            return HTTPResponse(head: response.head, content: .file(self), metrics: response.metrics)
        }

        /// Whether both are the same attempt.
        public static func == (left: Attempt, right: Attempt) -> Bool {
            left.download === right.download && left.number == right.number
        }

        /// Feeds the identity of the attempt to a hasher.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(download))
            hasher.combine(number)
        }

        /// Whether an answer was put into the file.
        package var hasFile: Bool {
            download.core.withLock { $0.attempt == number && $0.hasFile }
        }

        /// Takes a piece of the body.
        ///
        /// - Throws: `.file` when the disk is full or broken; `.invalidResponse` for more bytes than were announced.
        package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
            try download.locked(number) { (core) throws(TransportError) -> Void in
                try core.take(bytes.count) { (writer, taken) throws(TransportError) in
                    unsafe try writer.write(UnsafeRawBufferPointer(rebasing: bytes[taken]))
                }
            }
        }

        /// Takes a piece of the body; see `write(_:)` of raw bytes.
        package func write(_ bytes: [UInt8]) throws(TransportError) {
            try download.locked(number) { (core) throws(TransportError) -> Void in
                try core.take(bytes.count) { (writer, taken) throws(TransportError) in
                    try writer.write(taken.count == bytes.count ? bytes : Array(bytes[taken]))
                }
            }
        }

        /// Puts the complete file onto the disk and then in its place; it waits for the disk.
        ///
        /// - Throws: `.connectionLost` when bytes are missing; `.file` when writing or renaming fails.
        package func finish() throws(TransportError) {
            let writer = try download.locked(number) { (core) throws(TransportError) -> FileWriter? in
                try core.state.finish()
                defer { core.writer = nil }
                return core.writer
            }
            do throws(TransportError) { try writer?.finish() } catch {
                // There is no file any more: another attempt begins again.
                download.core.withLock { if $0.attempt == number { $0.state.forget() } }
                throw error
            }
            download.core.withLock { $0.placed = number }
        }

        /// What tells the progress of the whole download, of which an answer may be only the rest.
        package func telling(_ handler: TransferProgress.Handler?) -> TransferProgress.Handler? {
            guard let handler else { return nil }
            return { progress in
                var progress = progress
                if hasFile {
                    let amounts = download.core.withLock { $0.state.amounts }
                    progress.received = amounts.received
                    progress.receivedTotal = amounts.total
                }
                handler(progress)
            }
        }
    }

    /// Changes the state for an attempt that is not over.
    fileprivate func locked<Value: Sendable>(
        _ number: Int, _ change: (inout Core) throws(TransportError) -> Value
    ) throws(TransportError) -> Value {
        let result = core.withLock { core -> Result<Value, TransportError> in
            guard core.attempt == number else {
                return .failure(TransportError(.cancelled, "the attempt is over", mayHaveReachedServer: true))
            }
            do throws(TransportError) { return .success(try change(&core)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
