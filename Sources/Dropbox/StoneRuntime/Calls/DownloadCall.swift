// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A call of a route that gives content, sent when somebody asks for it.
public struct DownloadCall<Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// The client that sends it.
    public let client: RestClient
    /// The call as a value, for every front of a client; its content is in memory.
    public let request: DownloadEndpoint<Output, Failure>

    /// The result with the content, in memory.
    ///
    /// - Throws: `CallError`: the route's own failure, or the `RestError` that every call can have.
    public var value: DownloadEndpoint<Output, Failure>.Content {
        get async throws(CallError<Failure>) { try await client.send(request) }
    }

    /// Writes the content to a file, which appears when it is complete and its result was read.
    ///
    /// - Parameter path: where the file is to be; one that is there is replaced, but not by an answer without a result.
    /// - Returns: the result.
    /// - Throws: `CallError`; `RestError.Code.file` when the file cannot be written.
    @discardableResult
    public func save(to path: String) async throws(CallError<Failure>) -> Output {
        try await typed { () async throws(RestError) in
            // Beside its place first: an answer of somebody else than the server must not replace what is there.
            let part = "\(path).\(UInt64.random(in: .min ... .max)).part"
            defer { try? FileManager.default.removeItem(atPath: part) }
            let answer = try await client.download(
                request.route.makeRequest(), to: part, range: nil, route: { request.routeError(from: $0) })
            let value = try request.route.content(from: answer)
            do throws(TransportError) {
                try FileWriter.move(part, to: path)
            } catch {
                throw RestError(.file, "\(path): \(error.message)", underlying: error)
            }
            return value
        }
    }

    /// The result, with the content as it arrives.
    ///
    /// - Parameter range: the part that is wanted, in bytes; `nil` for the whole. Other bytes are never given: another
    ///   part is an error, and the part is cut out of the whole.
    /// - Returns: the result, and the content to be read once.
    /// - Throws: `CallError`; `RestError.Code.rangeNotSatisfiable` when the content has no bytes in the range.
    public func stream(
        _ range: HTTPRequest.ByteRange? = nil
    ) async throws(CallError<Failure>) -> (value: Output, content: ResponseStream) {
        try await typed { () async throws(RestError) in
            let stream = try await client.stream(
                request.route.makeStreamRequest(), range: range, route: { request.routeError(from: $0) })
            guard range != nil || stream.head.status != 206 else {
                throw RestError(.decoding, "the server gave a part, and the whole was asked for", response: stream.head)
            }
            return (try request.route.content(from: stream.head), stream)
        }
    }

    private func typed<Value>(
        _ call: () async throws(RestError) -> Value
    ) async throws(CallError<Failure>) -> Value {
        do throws(RestError) {
            return try await call()
        } catch {
            throw request.routeError(from: error).map { .route($0, error) } ?? .rest(error)
        }
    }
}

/// One call of a route that gives content, as a value.
public struct DownloadEndpoint<Output: Sendable, Failure: Error & Sendable>: Endpoint {
    /// A result with its content.
    public struct Content: Sendable {
        /// The result.
        public let value: Output
        /// The content.
        public let bytes: [UInt8]

        /// Makes a result with its content.
        public init(value: Output, bytes: [UInt8]) {
            self.value = value
            self.bytes = bytes
        }
    }

    let route: RouteEndpoint<Output, Failure>

    init(_ route: RouteEndpoint<Output, Failure>) {
        self.route = route
    }

    /// The request; see ``RouteEndpoint/makeRequest()``.
    public func makeRequest() throws(RestError) -> RestRequest { try route.makeRequest() }

    /// The result out of the header, and the body.
    public func content(from response: RestResponse) throws -> Content {
        Content(value: try route.content(from: response.head), bytes: response.body)
    }

    /// The route's own failure; see ``RouteEndpoint/routeError(from:)``.
    public func routeError(from error: RestError) -> Failure? { route.routeError(from: error) }
}

/// How far a job on the server has come, as generated code reads it out of the answers of the routes that start and
/// check it.
public enum JobState<Output: Sendable>: Sendable {
    /// It goes on; ask again with this id, or with the one before where the answer names none.
    case running(id: String?)
    /// It is done.
    case finished(Output)
    /// It failed.
    case failed(any Error)
    /// The answer says something that this version of the spec does not know.
    case unknown(UnknownTag)
}

/// Why waiting for a job ended without its result.
public enum JobError<Launch: Error & Sendable, Check: Error & Sendable>: Error, Sendable {
    /// The job could not be started.
    case launch(CallError<Launch>)
    /// It could not be found out how the job stands.
    case check(CallError<Check>)
    /// The job failed; the error is the value that the server gave.
    case failed(any Error)
    /// The server answered something that this version of the spec does not know.
    case unknown(UnknownTag)
    /// The job goes on, but the time that the caller gave it is over; its id, for checking it later.
    case timedOut(id: String)
    /// The waiting task was cancelled; the job goes on, and this is its id.
    case cancelled(id: String)
}

/// A call that starts a job on the server.
///
/// ```swift
/// let moved = try await box.files.moveBatchV2(entries: pairs).finished(within: .seconds(60))
/// ```
public struct JobCall<
    Launched: Sendable, Status: Sendable, Output: Sendable, Launch: Error & Sendable, Check: Error & Sendable
>: Sendable {
    /// The call that starts the job; its result says whether the job is done already.
    public let launched: RouteCall<Launched, Launch>
    private let check: @Sendable (String) -> RouteCall<Status, Check>
    private let start: @Sendable (Launched) -> JobState<Output>
    private let state: @Sendable (Status) -> JobState<Output>
    var clock: any MonotonicClock = ContinuousClock()

    /// Makes a call.
    ///
    /// - Parameters:
    ///   - launched: the call that starts the job.
    ///   - start: reads the answer to it.
    ///   - state: reads the answer of a check.
    ///   - check: the call that checks the job of an id.
    public init(
        _ launched: RouteCall<Launched, Launch>, start: @escaping @Sendable (Launched) -> JobState<Output>,
        state: @escaping @Sendable (Status) -> JobState<Output>,
        check: @escaping @Sendable (String) -> RouteCall<Status, Check>
    ) {
        self.launched = launched
        self.check = check
        self.start = start
        self.state = state
    }

    /// The answer to the call that starts the job.
    ///
    /// - Throws: `CallError`.
    public var value: Launched {
        get async throws(CallError<Launch>) { try await launched.value }
    }

    /// Starts the job and waits until it is done, asking after it at growing intervals, from half a second to ten.
    ///
    /// - Parameter limit: how long to wait; `nil` waits as long as it takes.
    /// - Returns: the job's result.
    /// - Throws: ``JobError``.
    public func finished(within limit: Duration? = nil) async throws(JobError<Launch, Check>) -> Output {
        let deadline = limit.map { clock.now + $0 }
        var job: JobState<Output>
        do throws(CallError<Launch>) { job = start(try await launched.value) } catch { throw .launch(error) }
        var id = ""
        var pause = Self.shortestPause
        while true {
            switch job {
            case .finished(let output): return output
            case .failed(let error): throw .failed(error)
            case .unknown(let tag): throw .unknown(tag)
            case .running(let named): id = named ?? id
            }
            try await wait(pause, until: deadline, id)
            pause = min(pause * 2, Self.longestPause)
            do throws(CallError<Check>) { job = state(try await check(id).value) } catch {
                if case .rest(let rest) = error, rest.code == .cancelled { throw .cancelled(id: id) }
                throw .check(error)
            }
        }
    }

    private func wait(
        _ pause: Duration, until deadline: ContinuousClock.Instant?, _ id: String
    ) async throws(JobError<Launch, Check>) {
        let now = clock.now
        if let deadline, now >= deadline { throw .timedOut(id: id) }
        do {
            try await clock.sleep(until: min(now + pause, deadline ?? now + pause), tolerance: nil)
        } catch {
            throw .cancelled(id: id)
        }
    }

    private static var shortestPause: Duration { .milliseconds(500) }
    private static var longestPause: Duration { .seconds(10) }
}

/// That a job failed in a way that carries no error of its own.
public struct JobFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The tag that the server answered with.
    public let tag: String

    /// Makes a failure.
    public init(_ tag: String) {
        self.tag = tag
    }

    /// The tag.
    public var description: String { "the job ended as \(tag)" }
}
