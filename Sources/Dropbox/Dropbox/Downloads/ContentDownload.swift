// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// Downloads the content of a route, with as many requests as it needs.
struct ContentDownload<Output: Sendable, Failure: Error & Sendable, Value: Sendable>: Sendable {
    let call: DownloadCall<Output, Failure>
    let target: ContentTarget
    let options: DownloadOptions
    /// The identity of the content of a response, or `nil` if it has none, so that an interrupted download restarts.
    let identity: @Sendable (Output) -> ContentIdentity?
    /// The value for the caller, from a result and bytes, which are empty if they were written to a file.
    let value: @Sendable (Output, [UInt8]) -> Value
    private let kept = Kept()

    /// The partial content that an attempt leaves to the next one.
    private final class Kept: Sendable {
        private let content = Mutex<(attempt: Int, content: PartialContent<Output>?)>((0, nil))

        var last: PartialContent<Output>? { content.withLock { $0.content } }
        func keep(_ new: PartialContent<Output>?, _ attempt: Int) { content.withLock { $0 = (attempt, new) } }
        /// Releases the content of this attempt or an earlier one.
        func release(_ attempt: Int) {
            content.withLock { if $0.attempt <= attempt { $0.content = nil } }
        }
    }

    init(
        _ call: DownloadCall<Output, Failure>, into target: ContentTarget, _ options: DownloadOptions,
        identity: @escaping @Sendable (Output) -> ContentIdentity?,
        value: @escaping @Sendable (Output, [UInt8]) -> Value
    ) {
        (self.call, self.target, self.options) = (call, target, options)
        (self.identity, self.value) = (identity, value)
    }

    var transfer: Transfer<Value, Failure> {
        Transfer { attempt in
            do throws(CallError<Failure>) { return .success(try await run(attempt)) } catch { return .failure(error) }
        } release: { attempt in
            kept.release(attempt)
        }
    }

    /// Sends requests until the content is complete.
    private func run(_ attempt: TransferAttempt) async throws(CallError<Failure>) -> Value {
        if attempt.isFresh {
            kept.keep(nil, attempt.number)
            if attempt.number > 1 { left?.writer.discard() }
        }
        do throws(RestError) { try target.prepare() } catch { throw .rest(error) }
        var retry = TransferRetry(options.retryPolicy, clock: call.client.clock)
        while true {
            let before = kept.last?.count ?? 0
            do throws(CallError<Failure>) {
                return try await finish(receive(attempt), attempt)
            } catch {
                guard case .rest(let failure) = error else { throw error }
                let after = kept.last?.count ?? 0
                do throws(RestError) {
                    try await retry.wait(after: failure, hasProgress: after > before)
                } catch {
                    throw .rest(error)
                }
            }
        }
    }

    /// Sends one request, and receives its response as far as possible.
    private func receive(_ attempt: TransferAttempt) async throws(CallError<Failure>) -> PartialContent<Output> {
        let before = kept.last.flatMap { $0.isWhole || ($0.count > 0 && $0.rest != nil) ? $0 : nil }
        if let before, before.isWhole { return before }
        let left = before == nil ? self.left : nil
        let (output, stream) = try await ask(before, left, attempt)
        do throws(RestError) {
            let content = try content(output, stream, before, left, attempt)
            var chunks = stream.makeAsyncIterator()
            var reporter = ProgressReporter(attempt.report)
            defer { reporter.reportEnd(content.progress) }
            do throws(RestError) {
                while let chunk = try await chunks.next(isolation: nil) {
                    try content.add(chunk)
                    reporter.report(content.progress)
                }
            } catch {
                // Another response may have other content.
                if content.rest == nil, !content.isWhole { kept.keep(nil, attempt.number) }
                throw error
            }
            guard content.part == nil || content.isWhole else {
                throw RestError(.transport, "\(target): the content ended early")
            }
            return content
        } catch {
            throw .rest(error)
        }
    }

    /// The part file of an earlier process.
    private var left: PartFile? {
        guard options.keepsPart, options.range == nil, let left = target.left, left.hash.count > 0 else { return nil }
        return left
    }

    private func ask(
        _ before: PartialContent<Output>?, _ left: PartFile?, _ attempt: TransferAttempt
    ) async throws(CallError<Failure>) -> (value: Output, content: ResponseStream) {
        do throws(CallError<Failure>) {
            return try await call.stream(before?.rest ?? left.map { .from($0.hash.count) } ?? options.range)
        } catch {
            guard before != nil || left != nil, case .rest(let failure) = error, failure.code == .rangeNotSatisfiable
            else {
                throw error
            }
            // The content has become shorter.
            throw .rest(forget(before, left, attempt))
        }
    }

    /// Discards earlier bytes of another content.
    private func forget(
        _ before: PartialContent<Output>?, _ left: PartFile?, _ attempt: TransferAttempt
    ) -> RestError {
        before?.discard()
        left?.writer.discard()
        kept.keep(nil, attempt.number)
        return RestError(.transport, "\(target): the file at Dropbox changed during the download")
    }

    /// The content that a response continues or begins.
    private func content(
        _ output: Output, _ stream: ResponseStream, _ before: PartialContent<Output>?, _ left: PartFile?,
        _ attempt: TransferAttempt
    ) throws(RestError) -> PartialContent<Output> {
        let identity = identity(output)
        if let before {
            guard before.identity == identity else { throw forget(before, nil, attempt) }
            try before.goOn()
            return before
        }
        let content: PartialContent<Output>
        if let left {
            guard let going = PartialContent(output, identity, after: left, into: target) else {
                throw forget(nil, left, attempt)
            }
            content = going
        } else {
            content = try PartialContent(
                output, identity, options.range, at: stream.place, into: target, keepsPart: options.keepsPart)
        }
        kept.keep(content, attempt.number)
        return content
    }

    private func finish(
        _ content: PartialContent<Output>, _ attempt: TransferAttempt
    ) throws(CallError<Failure>) -> Value {
        defer { kept.release(attempt.number) }
        do throws(RestError) {
            return value(content.output, try content.finish())
        } catch {
            throw .rest(error)
        }
    }
}

struct ContentIdentity: Sendable, Hashable {
    let revision: String
    let size: Int64
    /// The content hash, or `nil` if Dropbox did not return it.
    let hash: String?
}

/// A content that is being downloaded, with the hash of the received bytes.
///
/// A file appears at its destination when it is complete. A content that is released earlier leaves no file.
final class PartialContent<Output: Sendable>: Sendable {
    private struct Core {
        /// The file, or `nil` if the bytes stay in memory.
        let writer: FileWriter?
        var bytes: [UInt8] = []
        var hash = ContentHash()
    }

    let output: Output
    /// The identity, or `nil` if another response cannot be recognized as the same content.
    let identity: ContentIdentity?
    /// The range of the whole content, or `nil` if the server did not report the size.
    let part: Range<Int64>?
    private let target: ContentTarget
    private let core: Mutex<Core>

    /// Makes an empty content.
    ///
    /// - Parameters:
    ///   - output: the result of the response.
    ///   - identity: the identity of the content.
    ///   - range: the requested range.
    ///   - place: the start of the response's body, and the size of the whole content.
    ///   - target: the destination of the bytes.
    ///   - keepsPart: whether the bytes may be left to a later download.
    /// - Throws: `RestError.Code.transport` if the range differs from the requested range, and errors of the target.
    init(
        _ output: Output, _ identity: ContentIdentity?, _ range: HTTPRequest.ByteRange?,
        at place: (start: Int64, total: Int64?), into target: ContentTarget, keepsPart: Bool
    ) throws(RestError) {
        (self.output, self.identity, self.target) = (output, identity, target)
        let total = identity?.size ?? place.total
        part = total.flatMap { total in range.map { $0.bytes(of: total) } ?? 0..<total }
        guard place.total == nil || place.total == total, part.map({ $0.lowerBound == place.start }) ?? true else {
            throw RestError(.transport, "\(target): the server sent a part other than the requested one")
        }
        let revision = keepsPart && range == nil ? identity?.revision : nil
        core = Mutex(Core(writer: try target.begin(expecting: part.map { Int64($0.count) }, leaving: revision)))
    }

    /// Continues the part file of an earlier download; returns `nil` if the file belongs to another content.
    init?(_ output: Output, _ identity: ContentIdentity?, after left: PartFile, into target: ContentTarget) {
        // The file may have been changed meanwhile, so the content hash must be known for the check at the end.
        guard let identity, identity.hash != nil, identity.revision == left.revision, left.hash.count <= identity.size
        else { return nil }
        (self.output, self.identity, self.target) = (output, identity, target)
        part = 0..<identity.size
        core = Mutex(Core(writer: left.writer, hash: left.hash))
    }

    func discard() { core.withLock { $0.writer?.discard() } }

    var count: Int64 { core.withLock { $0.hash.count } }

    /// Whether all bytes were received; `false` if their number is unknown.
    var isWhole: Bool { part.map { Int64($0.count) == count } ?? false }

    /// The missing range for another request, or `nil` if nothing is missing, or if the content has no identity.
    var rest: HTTPRequest.ByteRange? {
        guard let identity, let part, !isWhole else { return nil }
        let next = part.lowerBound + count
        return part.upperBound == identity.size ? .from(next) : .bytes(next..<part.upperBound)
    }

    var progress: TransferProgress {
        TransferProgress(received: count, receivedTotal: part.map { Int64($0.count) })
    }

    /// Continues after the last chunk that was added, and drops the bytes of a write that failed.
    func goOn() throws(RestError) {
        try core.withLock { (core) throws(RestError) in
            do throws(TransportError) {
                guard try core.writer?.cut(to: core.hash.count) == false else { return }
            } catch {
                throw target.failure(error)
            }
            throw RestError(.file, "\(target): the file has lost bytes that were written before")
        }
    }

    func add(_ chunk: [UInt8]) throws(RestError) {
        try core.withLock { (core) throws(RestError) in
            if let part, core.hash.count + Int64(chunk.count) > part.count {
                throw RestError(.transport, "\(target): received more bytes than the content has")
            }
            if let writer = core.writer {
                do throws(TransportError) { try writer.write(chunk) } catch { throw target.failure(error) }
            } else {
                guard case .memory(let limit) = target, chunk.count <= limit - core.bytes.count else {
                    throw target.tooLarge
                }
                core.bytes += chunk
            }
            core.hash.update(chunk)
        }
    }

    /// Checks the size and the content hash if they are known, and moves a file to its destination.
    ///
    /// - Returns: the bytes, or empty if they were written to a file.
    func finish() throws(RestError) -> [UInt8] {
        try core.withLock { (core) throws(RestError) in
            if let part, core.hash.count != part.count {
                throw RestError(.transport, "\(target): received only \(core.hash.count) of \(part.count) bytes")
            }
            if let identity, let wanted = identity.hash, part == 0..<identity.size, core.hash.text != wanted {
                let came = core.hash.text ?? "none"
                core.writer?.discard()
                throw RestError(
                    .contentHash, "\(target): expected the content hash \(wanted), received \(came)")
            }
            guard let writer = core.writer else {
                defer { core.bytes = [] }
                return core.bytes
            }
            do throws(TransportError) { try writer.finish() } catch { throw target.failure(error) }
            return []
        }
    }
}
