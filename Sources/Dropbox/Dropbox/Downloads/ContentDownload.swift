// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// Downloads the content of a route, with as many requests as necessary.
struct ContentDownload<Output: Sendable, Failure: Error & Sendable, Value: Sendable>: Sendable {
    let call: DownloadCall<Output, Failure>
    let target: ContentTarget
    let options: DownloadOptions
    /// Identifies the content of a result, without which a download cannot resume.
    let identity: @Sendable (Output) -> ContentIdentity?
    let value: @Sendable (Output, [UInt8]) -> Value
    private let kept = Kept()

    private final class Kept: Sendable {
        private let content = Mutex<(attempt: Int, content: PartialContent<Output>?)>((0, nil))

        var last: PartialContent<Output>? { content.withLock { $0.content } }
        func keep(_ new: PartialContent<Output>?, _ attempt: Int) { content.withLock { $0 = (attempt, new) } }
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

    /// Requests missing bytes until the content is complete.
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

    private func receive(_ attempt: TransferAttempt) async throws(CallError<Failure>) -> PartialContent<Output> {
        let before = kept.last.flatMap { $0.isWhole || ($0.count > 0 && $0.rest != nil) ? $0 : nil }
        if let before, before.isWhole { return before }
        let left = before == nil ? self.left : nil
        let (output, stream) = try await ask(before, left, attempt)
        do throws(RestError) {
            let content = try content(output, stream, before, left, attempt)
            var pieces = stream.makeAsyncIterator()
            var reporter = ProgressReporter(attempt.report)
            defer { reporter.reportEnd(content.progress) }
            do throws(RestError) {
                while let piece = try await pieces.next(isolation: nil) {
                    try content.add(piece)
                    reporter.report(content.progress)
                }
            } catch {
                // Without an identity, no later response can continue this content.
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
            throw .rest(forget(before, left, attempt))
        }
    }

    private func forget(
        _ before: PartialContent<Output>?, _ left: PartFile?, _ attempt: TransferAttempt
    ) -> RestError {
        before?.discard()
        left?.writer.discard()
        kept.keep(nil, attempt.number)
        return RestError(.transport, "\(target): the file at Dropbox has changed meanwhile")
    }

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
    let hash: String?
}

/// A content in download, whose file appears at the destination only after it is complete.
final class PartialContent<Output: Sendable>: Sendable {
    private struct Core {
        var sink: ContentSink
        var hash = ContentHash()
    }

    let output: Output
    /// The identity of the content, or `nil` if later responses cannot be matched reliably.
    let identity: ContentIdentity?
    /// The byte range within the whole content, or `nil` if the server did not report the size.
    let part: Range<Int64>?
    private let core: Mutex<Core>

    /// Creates an empty content for the `range` that was requested.
    ///
    /// - Throws: `RestError.Code.transport` if the server sent another range, and the errors of the target.
    init(
        _ output: Output, _ identity: ContentIdentity?, _ range: HTTPRequest.ByteRange?,
        at place: (start: Int64, total: Int64?), into target: ContentTarget, keepsPart: Bool
    ) throws(RestError) {
        self.output = output
        self.identity = identity
        let total = identity?.size ?? place.total
        part = total.flatMap { total in range.map { $0.bytes(of: total) } ?? 0..<total }
        guard place.total == nil || place.total == total, part.map({ $0.lowerBound == place.start }) ?? true else {
            throw RestError(.transport, "\(target): the server sent another part than was asked for")
        }
        let revision = keepsPart && range == nil ? identity?.revision : nil
        core = Mutex(Core(sink: try target.begin(expecting: part.map { Int64($0.count) }, leaving: revision)))
    }

    /// Continues a partial file, or returns `nil` if the file belongs to another content.
    init?(_ output: Output, _ identity: ContentIdentity?, after left: PartFile, into target: ContentTarget) {
        // The bytes on disk may have changed, and only the content hash can show it.
        guard let identity, identity.hash != nil, identity.revision == left.revision, left.hash.count <= identity.size
        else { return nil }
        self.output = output
        self.identity = identity
        part = 0..<identity.size
        core = Mutex(Core(sink: ContentSink(target: target, writer: left.writer), hash: left.hash))
    }

    func discard() { core.withLock { $0.sink.writer?.discard() } }

    var count: Int64 { core.withLock { $0.hash.count } }

    /// Whether the size is known and all bytes have been received.
    var isWhole: Bool { part.map { Int64($0.count) == count } ?? false }

    /// The missing range, or `nil` if no response can be proved to have the same content.
    var rest: HTTPRequest.ByteRange? {
        guard let identity, let part, !isWhole else { return nil }
        let next = part.lowerBound + count
        return part.upperBound == identity.size ? .from(next) : .bytes(next..<part.upperBound)
    }

    var progress: TransferProgress {
        TransferProgress(received: count, receivedTotal: part.map { Int64($0.count) })
    }

    /// Continues after the last chunk that was added, and removes anything that a failed write left after it.
    func goOn() throws(RestError) {
        try core.withLock { (core) throws(RestError) in
            let target = core.sink.target
            do throws(TransportError) {
                guard try core.sink.writer?.cut(to: core.hash.count) == false else { return }
            } catch {
                throw target.failure(error)
            }
            throw RestError(.file, "\(target): the file has lost bytes that had come")
        }
    }

    func add(_ piece: [UInt8]) throws(RestError) {
        try core.withLock { (core) throws(RestError) in
            if let part, core.hash.count + Int64(piece.count) > part.count {
                throw RestError(.transport, "\(core.sink.target): more bytes came than the content has")
            }
            try core.sink.add(piece)
            core.hash.update(piece)
        }
    }

    /// Compares size and content hash if they are known, then moves the file into place or returns the bytes in memory.
    func finish() throws(RestError) -> [UInt8] {
        try core.withLock { (core) throws(RestError) in
            let target = core.sink.target
            if let part, core.hash.count != part.count {
                throw RestError(.transport, "\(target): \(core.hash.count) of \(part.count) bytes came")
            }
            if let identity, let wanted = identity.hash, part == 0..<identity.size, core.hash.text != wanted {
                let came = core.hash.text ?? "none"
                core.sink.writer?.discard()
                throw RestError(
                    .contentHash, "\(target) has the content hash \(wanted) at Dropbox, and \(came) came")
            }
            return try core.sink.finish()
        }
    }
}
