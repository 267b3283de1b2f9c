// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension HTTPResponse {
    /// The destination and the progress of a download, shared by all of its attempts.
    ///
    /// The bytes of an interrupted attempt remain. The next attempt asks for the rest if the server sent a strong
    /// validator (RFC 9110 §8.8.1). It starts over if the server sent none or the resource has changed.
    public final class Download: Sendable {
        fileprivate struct Core: Sendable {
            var state: DownloadState
            var writer: FileWriter?
            /// The number of the current attempt, because data of earlier attempts is rejected.
            var attempt = 0
            /// The URL of the current attempt, before a transport rewrites it.
            var url: HTTPURL?
            /// Whether the response to the attempt is written to the file.
            var hasFile = false
            /// The number of the last attempt whose file is at the path.
            var placed = -1

            /// Continues after the counted bytes, and removes those of a failed write.
            mutating func goOn() throws(TransportError) {
                guard try writer?.cut(to: state.amounts.received) == true else {
                    state.forget()
                    throw FileWriter.failure("has lost bytes that were written before", code: 0)
                }
                hasFile = true
            }

            /// Writes the requested part of `count` bytes, and counts them only if the write succeeds.
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
        /// The requested part of the resource, or `nil` for all of it.
        public let range: HTTPRequest.ByteRange?
        fileprivate let core: Mutex<Core>

        /// Creates the target of a download.
        ///
        /// - Parameters:
        ///   - path: the path at which the file appears when it is complete.
        ///   - range: the requested part of the resource, or `nil` for all of it.
        public init(path: String, range: HTTPRequest.ByteRange? = nil) {
            self.path = path
            self.range = range
            core = Mutex(Core(state: DownloadState(range: range)))
        }

        /// Starts an attempt, and returns the request for the missing bytes together with the attempt.
        ///
        /// Data that an earlier attempt still delivers is rejected.
        package func begin(_ request: HTTPRequest) -> (request: HTTPRequest, attempt: Attempt) {
            core.withLock { core in
                core.attempt += 1
                core.url = request.url
                core.hasFile = false
                return (core.state.ask(request), Attempt(download: self, number: core.attempt, url: request.url))
            }
        }

        /// The current attempt, for a request that ``begin(_:)`` has returned.
        package func attempt(for request: HTTPRequest) -> Attempt {
            core.withLock { Attempt(download: self, number: $0.attempt, url: $0.url ?? request.url) }
        }

        /// Writes the body of a successful response without an attempt, and discards the bytes of earlier attempts.
        ///
        /// It waits for the disk, and reports the progress when the file is complete.
        ///
        /// - Throws: `.file` if the file cannot be written, `.rangeNotSatisfiable` or `.invalidResponse` if the body
        ///   does not contain the range, and the error of an interrupted stream.
        package func write(
            _ response: HTTPResponse, to request: HTTPRequest, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            discard()
            let (_, attempt) = begin(request)
            return try await attempt.place(response, to: request, progress: attempt.telling(progress))
        }

        /// Ends the download and removes the temporary file.
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
    /// An attempt of a download, which writes the body of a response to the file.
    public struct Attempt: Sendable, Hashable {
        fileprivate let download: HTTPResponse.Download
        fileprivate let number: Int
        fileprivate let url: HTTPURL

        /// Decides whether the body of a response is written to the file, and not returned in the response.
        ///
        /// - Throws: `.file` if the directory is missing or not writable, `.invalidResponse` for another part than
        ///   requested, and `.rangeNotSatisfiable` for a resource that ends before the range.
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

        /// Whether the file at the download's path is from this attempt.
        package func isPlaced(by download: HTTPResponse.Download) -> Bool {
            self.download === download && download.core.withLock(\.placed) == number
        }

        /// Writes the body of a successful response to the file, unless the transport has already done so.
        ///
        /// The body of an error is read into memory. The progress is that of the whole download.
        ///
        /// - Throws: `.file` if the file cannot be written, and the error of an interrupted stream.
        package func place(
            _ response: HTTPResponse, to request: HTTPRequest, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            if case .file = response.content { return response }
            guard try receive(response.head) else { return try await response.beginning(upTo: 16 * 1024 * 1024) }
            let sent = request.body.length
            var state = TransferProgress(
                sent: sent ?? 0, sentTotal: sent, receivedTotal: response.head.plainContentLength)
            var iterator = response.stream.makeAsyncIterator()
            while let chunk = try await iterator.next() {
                try write(chunk)
                state.received += Int64(chunk.count)
                progress?(state)
            }
            try finish()
            return HTTPResponse(head: response.head, content: .file(self), metrics: response.metrics)
        }

        /// Whether both values are the same attempt.
        public static func == (left: Attempt, right: Attempt) -> Bool {
            left.download === right.download && left.number == right.number
        }

        /// Hashes the identity of the attempt.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(download))
            hasher.combine(number)
        }

        /// Whether the response is written to the file.
        package var hasFile: Bool {
            download.core.withLock { $0.attempt == number && $0.hasFile }
        }

        /// Writes a chunk of the body.
        ///
        /// - Throws: `.file` if the disk is full or broken, `.invalidResponse` for more bytes than announced.
        package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
            try download.locked(number) { (core) throws(TransportError) -> Void in
                try core.take(bytes.count) { (writer, taken) throws(TransportError) in
                    unsafe try writer.write(UnsafeRawBufferPointer(rebasing: bytes[taken]))
                }
            }
        }

        package func write(_ bytes: [UInt8]) throws(TransportError) {
            try download.locked(number) { (core) throws(TransportError) -> Void in
                try core.take(bytes.count) { (writer, taken) throws(TransportError) in
                    try writer.write(bytes[taken])
                }
            }
        }

        /// Flushes the complete file to disk and moves it to its destination, which waits for the disk.
        ///
        /// - Throws: `.connectionLost` if bytes are missing, `.file` if writing or renaming fails.
        package func finish() throws(TransportError) {
            let writer = try download.locked(number) { (core) throws(TransportError) -> FileWriter? in
                try core.state.finish()
                defer { core.writer = nil }
                return core.writer
            }
            do throws(TransportError) { try writer?.finish() } catch {
                // The temporary file no longer exists, so another attempt starts over.
                download.core.withLock { if $0.attempt == number { $0.state.forget() } }
                throw error
            }
            download.core.withLock { $0.placed = number }
        }

        /// Returns a handler that reports the progress of the whole download, where a response may be only the rest.
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

    fileprivate func locked<Value: Sendable>(
        _ number: Int, _ change: (inout Core) throws(TransportError) -> Value
    ) throws(TransportError) -> Value {
        let result = core.withLock { core -> Result<Value, TransportError> in
            guard core.attempt == number else {
                return .failure(TransportError(.cancelled, "the attempt has already ended", mayHaveReachedServer: true))
            }
            do throws(TransportError) { return .success(try change(&core)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
