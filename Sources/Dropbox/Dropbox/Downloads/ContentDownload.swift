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
