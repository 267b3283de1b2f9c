// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A call of a route that returns content.
public struct DownloadCall<Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// The client that sends the call.
    public let client: RestClient
    /// The call as a value for all calling styles, with the content in memory.
    public let request: DownloadEndpoint<Output, Failure>

    /// Sends the call and returns the result with the content in memory.
    ///
    /// - Throws: `CallError`, with the route's error or a `RestError`.
    public var value: DownloadEndpoint<Output, Failure>.Content {
        get async throws(CallError<Failure>) { try await client.send(request) }
    }

    /// Writes the content to a file, which appears after the content is complete and the result was read.
    ///
    /// - Parameter path: the destination path. An existing file is replaced, but not by a response without a result.
    /// - Returns: the result.
    /// - Throws: `CallError`, with `RestError.Code.file` if the file cannot be written.
    @discardableResult
    public func save(to path: String) async throws(CallError<Failure>) -> Output {
        try await typed { () async throws(RestError) in
            // A response that is not from the server, such as a proxy's page, must not replace an existing file.
            let part = "\(path).\(UInt64.random(in: .min ... .max)).part"
            defer { try? FileManager.default.removeItem(atPath: part) }
            let response = try await client.download(
                request.route.makeRequest(), to: part, range: nil, route: { request.routeError(from: $0) })
            let value = try request.route.content(from: response)
            do throws(TransportError) {
                try FileWriter.move(part, to: path)
            } catch {
                throw RestError(.file, "\(path): \(error.message)", underlying: error)
            }
            return value
        }
    }

    /// Sends the call and returns the result with the content as a stream.
    ///
    /// - Parameter range: the requested range in bytes, or `nil` for the whole content. If the server returns the whole
    ///   content, the stream has only the range. Another range is an error.
    /// - Returns: the result, and the content, which can be read once.
    /// - Throws: `CallError`, with `RestError.Code.rangeNotSatisfiable` if the content has no bytes in the range.
    public func stream(
        _ range: HTTPRequest.ByteRange? = nil
    ) async throws(CallError<Failure>) -> (value: Output, content: ResponseStream) {
        try await typed { () async throws(RestError) in
            let stream = try await client.stream(
                request.route.makeStreamRequest(), range: range, route: { request.routeError(from: $0) })
            guard range != nil || stream.head.status != 206 else {
                throw RestError(
                    .decoding, "the server sent a part of the content instead of the whole", response: stream.head)
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

/// One call of a route that returns content, as a value.
public struct DownloadEndpoint<Output: Sendable, Failure: Error & Sendable>: Endpoint {
    /// A result with its content.
    public struct Content: Sendable {
        /// The result.
        public let value: Output
        /// The content.
        public let bytes: [UInt8]

        /// Creates a result with its content.
        public init(value: Output, bytes: [UInt8]) {
            self.value = value
            self.bytes = bytes
        }
    }

    let route: RouteEndpoint<Output, Failure>

    init(_ route: RouteEndpoint<Output, Failure>) {
        self.route = route
    }

    /// Makes the request (see ``RouteEndpoint/makeRequest()``).
    public func makeRequest() throws(RestError) -> RestRequest { try route.makeRequest() }

    /// Reads the result from the header, and the content from the body.
    public func content(from response: RestResponse) throws -> Content {
        Content(value: try route.content(from: response.head), bytes: response.body)
    }

    /// Reads the route's error (see ``RouteEndpoint/routeError(from:)``).
    public func routeError(from error: RestError) -> Failure? { route.routeError(from: error) }
}

/// The state of a job on the server, as generated code reads it from the responses of routes that start and check it.
public enum JobState<Output: Sendable>: Sendable {
    /// The job is running. Check it with this id, or with the previous id if it is `nil`.
    case running(id: String?)
    /// The job has finished.
    case finished(Output)
    /// The job has failed.
    case failed(any Error)
    /// The response has a tag that this version of the spec does not have.
    case unknown(UnknownTag)
}

/// The error of waiting for a job.
public enum JobError<Launch: Error & Sendable, Check: Error & Sendable>: Error, Sendable {
    /// The job could not be started.
    case launch(CallError<Launch>)
    /// The state of the job could not be read.
    case check(CallError<Check>)
    /// The job failed, with the server's error.
    case failed(any Error)
    /// The response has a tag that this version of the spec does not have.
    case unknown(UnknownTag)
    /// The time limit has passed. The job continues, and can be checked by its id.
    case timedOut(id: String)
    /// The waiting task was cancelled. The job continues, and can be checked by its id.
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
    /// The call that starts the job, whose result may already be the result of the job.
    public let launched: RouteCall<Launched, Launch>
    private let check: @Sendable (String) -> RouteCall<Status, Check>
    private let start: @Sendable (Launched) -> JobState<Output>
    private let state: @Sendable (Status) -> JobState<Output>
    var clock: any MonotonicClock = ContinuousClock()

    /// Creates a call.
    ///
    /// - Parameters:
    ///   - launched: the call that starts the job.
    ///   - start: reads the response to that call.
    ///   - state: reads the response to a check.
    ///   - check: the call that checks the job with an id.
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

    /// The response to the call that starts the job.
    ///
    /// - Throws: `CallError`.
    public var value: Launched {
        get async throws(CallError<Launch>) { try await launched.value }
    }

    /// Starts the job and waits for its end.
    ///
    /// The job is checked at intervals that grow from half a second to ten seconds.
    ///
    /// - Parameter limit: the maximum time to wait, or `nil` for no limit.
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

/// The error of a job whose failure has only a tag.
public struct JobFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The tag of the server's response.
    public let tag: String

    /// Creates the error for a tag.
    public init(_ tag: String) {
        self.tag = tag
    }

    /// The error as text, for people and logs.
    public var description: String { "the job ended as \(tag)" }
}
