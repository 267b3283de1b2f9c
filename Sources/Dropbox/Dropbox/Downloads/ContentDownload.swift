// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import StoneRuntime
import Synchronization

/// Downloads the content of a route's answer, in as many answers as it takes.
struct ContentDownload<Output: Sendable, Failure: Error & Sendable, Value: Sendable>: Sendable {
    /// Asks for the content.
    let call: DownloadCall<Output, Failure>
    /// Where it goes.
    let target: ContentTarget
    let options: DownloadOptions
    /// What tells the content of a result from others; `nil` when nothing does, so that a rest is never asked for.
    let identity: @Sendable (Output) -> ContentIdentity?
    /// What the caller gets of the result and the bytes, of which there are none when they went into a file.
    let value: @Sendable (Output, [UInt8]) -> Value
    private let kept = Kept()

    /// What attempts leave to the next one.
    private final class Kept: Sendable {
        private let content = Mutex<(attempt: Int, content: PartialContent<Output>?)>((0, nil))

        var last: PartialContent<Output>? { content.withLock { $0.content } }
        func keep(_ new: PartialContent<Output>?, _ attempt: Int) { content.withLock { $0 = (attempt, new) } }
        /// Lets go of what this attempt, or one before it, left.
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

    /// The download as a transfer.
    var transfer: Transfer<Value, Failure> {
        Transfer { attempt in
            do throws(CallError<Failure>) { return .success(try await run(attempt)) } catch { return .failure(error) }
        } release: { attempt in
            kept.release(attempt)
        }
    }

    /// Asks for what is missing until nothing is.
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

    /// Takes one answer, as far as it comes.
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
                // Nobody can tell whether another answer goes on where this one stopped.
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

    /// What a download of an earlier process left.
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
            // It has become shorter.
            throw .rest(forget(before, left, attempt))
        }
    }

    /// What came before is of another content, and of no use.
    private func forget(
        _ before: PartialContent<Output>?, _ left: PartFile?, _ attempt: TransferAttempt
    ) -> RestError {
        before?.discard()
        left?.writer.discard()
        kept.keep(nil, attempt.number)
        return RestError(.transport, "\(target): the file at Dropbox has changed meanwhile")
    }

    /// What an answer goes on with, or begins.
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

/// What tells a content at Dropbox from every other one.
struct ContentIdentity: Sendable, Hashable {
    /// The revision of the file.
    let revision: String
    /// How many bytes it has.
    let size: Int64
    /// Its content hash; `nil` when Dropbox did not say.
    let hash: String?
}

/// A content that is being downloaded: what has come, of what, and its hash so far.
///
/// A file appears at its place when it is complete; let go of before, it leaves nothing.
final class PartialContent<Output: Sendable>: Sendable {
    private struct Core {
        var sink: ContentSink
        var hash = ContentHash()
    }

    /// The result of the answer that began it.
    let output: Output
    /// What it is a content of; `nil` when nobody can tell for certain whether another answer is of the same.
    let identity: ContentIdentity?
    /// The bytes of the whole that belong here; `nil` when the server did not say how many there are.
    let part: Range<Int64>?
    private let core: Mutex<Core>

    /// Begins with no bytes.
    ///
    /// - Parameters:
    ///   - output: the result of the answer.
    ///   - identity: what it is a content of.
    ///   - range: the part that was asked for.
    ///   - place: where the answer's body begins, and how long the whole is.
    ///   - target: where the bytes go.
    ///   - keepsPart: whether they may be left to a later download.
    /// - Throws: `RestError.Code.transport` for another part than was asked for, and what the target throws.
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

    /// Goes on with what an earlier download left; `nil` when that is of another content.
    init?(_ output: Output, _ identity: ContentIdentity?, after left: PartFile, into target: ContentTarget) {
        // Nobody knows what became of the bytes meanwhile: only the content hash of the whole tells.
        guard let identity, identity.hash != nil, identity.revision == left.revision, left.hash.count <= identity.size
        else { return nil }
        self.output = output
        self.identity = identity
        part = 0..<identity.size
        core = Mutex(Core(sink: ContentSink(target: target, writer: left.writer), hash: left.hash))
    }

    /// What came is of no use.
    func discard() { core.withLock { $0.sink.writer?.discard() } }

    /// How many bytes have come.
    var count: Int64 { core.withLock { $0.hash.count } }

    /// Whether all bytes have come, where it is known how many there are.
    var isWhole: Bool { part.map { Int64($0.count) == count } ?? false }

    /// The part that is missing, which another answer of the same content can bring; `nil` when nothing tells that it
    /// is the same.
    var rest: HTTPRequest.ByteRange? {
        guard let identity, let part, !isWhole else { return nil }
        let next = part.lowerBound + count
        return part.upperBound == identity.size ? .from(next) : .bytes(next..<part.upperBound)
    }

    /// How far it has come.
    var progress: TransferProgress {
        TransferProgress(received: count, receivedTotal: part.map { Int64($0.count) })
    }

    /// Continues after the last piece that was added, whatever a write that failed left behind it.
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

    /// Adds a piece of the content.
    func add(_ piece: [UInt8]) throws(RestError) {
        try core.withLock { (core) throws(RestError) in
            if let part, core.hash.count + Int64(piece.count) > part.count {
                throw RestError(.transport, "\(core.sink.target): received more bytes than the content has")
            }
            try core.sink.add(piece)
            core.hash.update(piece)
        }
    }

    /// Compares amount and content hash, as far as they are known, and gives or places what came.
    ///
    /// - Returns: the bytes; none when they went into a file.
    func finish() throws(RestError) -> [UInt8] {
        try core.withLock { (core) throws(RestError) in
            let target = core.sink.target
            if let part, core.hash.count != part.count {
                throw RestError(.transport, "\(target): received only \(core.hash.count) of \(part.count) bytes")
            }
            if let identity, let wanted = identity.hash, part == 0..<identity.size, core.hash.text != wanted {
                let came = core.hash.text ?? "none"
                core.sink.writer?.discard()
                throw RestError(
                    .contentHash, "\(target): expected the content hash \(wanted), received \(came)")
            }
            return try core.sink.finish()
        }
    }
}
