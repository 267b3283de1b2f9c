// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension RestClient {
    /// Sends a request and returns its response as a stream after the head has arrived.
    ///
    /// Until then the call is like any other: it is authorized, retried and rejected by its status. The body is read at
    /// the reader's pace and is never completely in memory. It ends with the call: when the reader's task is cancelled,
    /// when the call's timeout expires, which includes the body, when no data arrives for
    /// ``RestClient/TransportLimits/idleTimeout``, and after ``cancelAll()`` or ``shutdown()``. An interrupted body
    /// throws an error and is not requested again.
    ///
    /// ```swift
    /// let response = try await client.stream(.apex(["report"]))
    /// for try await line in response.lines { print(line) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - range: the requested bytes of the resource, or `nil` for the request's own range. If the server does not
    ///     support ranges and sends the whole resource, the range is cut out of it. A different range is an error.
    /// - Returns: the response, whose body can be read once.
    /// - Throws: ``RestError``, with ``RestError/Code/rangeNotSatisfiable`` if the resource has no bytes in the range.
    @concurrent
    public func stream(
        _ request: RestRequest, range: HTTPRequest.ByteRange? = nil
    ) async throws(RestError) -> ResponseStream {
        try await stream(request, range: range, route: { _ in nil })
    }

    /// Like ``stream(_:range:)``, but `route` converts an error to the caller's typed error for the error handlers.
    package func stream(
        _ request: RestRequest, range: HTTPRequest.ByteRange?, route: @escaping @Sendable (RestError) -> (any Error)?
    ) async throws(RestError) -> ResponseStream {
        var request = addressed(request)
        var part: DownloadState?
        if let range {
            if let problem = range.problem { request = request.refused("range", problem) }
            request.fields["Range"] = range.text
            // A range counts the bytes as sent, so a compressed response would be useless.
            request.fields["Accept-Encoding"] = "identity"
            part = DownloadState(asked: range)
        }
        let response = try await content(of: request, { $0 }, Call.Options(destination: .stream), route: route)
        let summary = runner.builder.summary(of: request)
        do throws(TransportError) { _ = try part?.receive(response.head, from: .nowhere) } catch {
            throw RestError(error, isWrite: request.isWrite).about(summary).about(response.head)
        }
        let streamed = StreamedBody(response.bodyContent.stream(), of: request, summary, in: runner.calls, part)
        runner.calls.begin(streamed)
        return ResponseStream(head: response.head, place: part?.place ?? (0, nil), body: streamed)
    }
}

extension HTTPURL {
    /// A placeholder for a part that is never resumed.
    fileprivate static let nowhere = HTTPURL(origin: Origin(scheme: .http, host: "localhost"), path: "/")
}

/// A response whose body is read once while it arrives, as chunks of bytes or as ``lines``.
///
/// Releasing it before the end closes the connection.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A chunk of the body.
    public typealias Element = [UInt8]
    /// The error of an incomplete body.
    public typealias Failure = RestError

    /// The status and the headers.
    public let head: HTTPResponse.Head
    /// The offset of the first byte in the resource if a range was requested, and the length of the resource if it is
    /// known.
    public let place: (start: Int64, total: Int64?)
    let body: StreamedBody

    /// Creates an iterator that starts at the current position.
    public func makeAsyncIterator() -> Iterator { Iterator(body: body) }

    /// Iterates over the chunks of the body.
    public struct Iterator: AsyncIteratorProtocol {
        let body: StreamedBody

        /// Returns the next chunk, which is never empty, or `nil` at the end of a complete body.
        ///
        /// - Throws: ``RestError`` if the body is incomplete or the call was ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RestError) -> [UInt8]? {
            try await body.next()
        }
    }

    /// The body as lines without their ends (LF or CR LF), where invalid UTF-8 becomes U+FFFD.
    public var lines: Lines { Lines(body: body) }
}

extension ResponseStream {
    /// The lines of a body.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end.
        public typealias Element = String
        /// The error of an incomplete body.
        public typealias Failure = RestError

        /// The maximum length of a line in bytes, above which the iteration throws ``RestError/Code/tooLarge``.
        public static let longestLine = 16 << 20

        let body: StreamedBody

        /// Creates an iterator that starts at the current position.
        public func makeAsyncIterator() -> Iterator { Iterator(body: body) }

        /// Iterates over the lines of the body.
        public struct Iterator: AsyncIteratorProtocol {
            let body: StreamedBody
            /// The received bytes, of which those from `start` on have not been returned.
            private var held: [UInt8] = []
            private var start = 0
            /// The index up to which the bytes contain no line end.
            private var searched = 0
            private var isAtEnd = false

            init(body: StreamedBody) { self.body = body }

            /// Returns the next line, or `nil` at the end of a complete body.
            ///
            /// - Throws: ``RestError`` if the body is incomplete or the call was ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(RestError) -> String? {
                while true {
                    if let end = held[searched...].firstIndex(of: UInt8(ascii: "\n")) { return line(to: end) }
                    searched = held.count
                    guard !isAtEnd else { return start < held.count ? line(to: held.count) : nil }
                    guard held.count - start <= Lines.longestLine else {
                        throw RestError(.tooLarge, "a line of the response is longer than \(Lines.longestLine) bytes")
                    }
                    try await readOn()
                }
            }

            private mutating func readOn() async throws(RestError) {
                held.removeSubrange(..<start)
                (searched, start) = (searched - start, 0)
                if let chunk = try await body.next() { held += chunk } else { isAtEnd = true }
            }

            private mutating func line(to end: Int) -> String {
                let start = start
                defer {
                    self.start = end < held.count ? end + 1 : end
                    searched = self.start
                }
                let hasReturn = end > start && held[end - 1] == UInt8(ascii: "\r") && end < held.count
                return String(decoding: held[start..<(hasReturn ? end - 1 : end)], as: UTF8.self)
            }
        }
    }
}
