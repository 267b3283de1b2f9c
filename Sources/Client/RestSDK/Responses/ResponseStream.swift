// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension RestClient {
    /// Sends a request and gives its answer as a stream, once status and header fields are there.
    ///
    /// Up to then the call is like any other: signed, renewed, retried, refused by its status. The body comes at the
    /// reader's pace and is never held whole. Its reader ends with the call: when its task is cancelled, when the
    /// call's time is up, which covers the body, when nothing comes for ``RestClient/TransportLimits/idleTimeout``, and
    /// by ``cancelAll()`` or ``shutdown()``. A body that breaks off is an error; nothing is sent again for it.
    ///
    /// ```swift
    /// let response = try await client.stream(.apex(["report"]))
    /// for try await line in response.lines { print(line) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - range: the part of the resource that is wanted, in bytes; `nil` for what the request asks for. Out of the
    ///     whole, which a server sends that knows no ranges, the part is cut; another part is an error.
    /// - Returns: the answer, whose body can be read once.
    /// - Throws: ``RestError``; ``RestError/Code/rangeNotSatisfiable`` when the resource has no bytes in the range.
    @concurrent
    public func stream(
        _ request: RestRequest, range: HTTPRequest.ByteRange? = nil
    ) async throws(RestError) -> ResponseStream {
        try await stream(request, range: range, route: { _ in nil })
    }

    /// The same for a caller whose own error a failure may stand for, which handlers are shown then.
    package func stream(
        _ request: RestRequest, range: HTTPRequest.ByteRange?, route: @escaping @Sendable (RestError) -> (any Error)?
    ) async throws(RestError) -> ResponseStream {
        let slot = StreamSlot()
        var request = request
        var part: DownloadState?
        if let range {
            if let problem = range.problem { request = request.refused("range", problem) }
            request.fields["Range"] = range.text
            // A range counts the bytes that are sent: those of the packed form would be of no use.
            request.fields["Accept-Encoding"] = "identity"
            part = DownloadState(asked: range)
        }
        let head = try await content(
            of: request, { $0.head }, Call.Options(destination: .stream(slot)), route: route)
        let body = slot.take() ?? HTTPBody.Stream(of: [])
        let summary = runner.builder.summary(of: request)
        do throws(TransportError) { _ = try part?.receive(head, from: .nowhere) } catch {
            throw RestError(error, isWrite: request.isWrite).about(summary).about(head)
        }
        let streamed = StreamedBody(body, of: request, summary, in: runner.calls, part)
        runner.calls.begin(streamed)
        return ResponseStream(head: head, place: part?.place ?? (0, nil), body: streamed)
    }
}

extension HTTPURL {
    /// For a part whose rest nobody asks for by its address.
    fileprivate static let nowhere = HTTPURL(origin: Origin(scheme: .http, host: "localhost"), path: "/")
}

/// An answer whose body is read while it arrives, once: as pieces of bytes or as ``lines``.
///
/// Letting go of it before the end closes the connection.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// Why a body ended early.
    public typealias Failure = RestError

    /// Status and header fields.
    public let head: HTTPResponse.Head
    /// The place of the body's first byte in the resource, where a range was asked for, and the length of the resource,
    /// where the server told it.
    public let place: (start: Int64, total: Int64?)
    let body: StreamedBody

    /// An iterator at the place where the body stands.
    public func makeAsyncIterator() -> Iterator { Iterator(body: body) }

    /// Reads the body piece by piece.
    public struct Iterator: AsyncIteratorProtocol {
        let body: StreamedBody

        /// The next piece, never empty; `nil` at the end of a complete body.
        ///
        /// - Throws: ``RestError`` when the body breaks off or the call was ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RestError) -> [UInt8]? {
            try await body.next()
        }
    }

    /// The body as lines of text, without their ends (LF or CR LF); bytes that are no UTF-8 come as U+FFFD.
    public var lines: Lines { Lines(body: body) }
}

extension ResponseStream {
    /// A body as lines of text.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end.
        public typealias Element = String
        /// Why a body ended early.
        public typealias Failure = RestError

        /// The longest line, in bytes; a longer one ends the iteration with ``RestError/Code/tooLarge``.
        public static let longestLine = 16 << 20

        let body: StreamedBody

        /// An iterator at the place where the body stands.
        public func makeAsyncIterator() -> Iterator { Iterator(body: body) }

        /// Reads the body line by line.
        public struct Iterator: AsyncIteratorProtocol {
            let body: StreamedBody
            /// What came and was not given, from `start` on.
            private var held: [UInt8] = []
            private var start = 0
            /// How far what is held is known to have no end of a line.
            private var searched = 0
            private var isAtEnd = false

            init(body: StreamedBody) {
                self.body = body
            }

            /// The next line; `nil` at the end of a complete body.
            ///
            /// - Throws: ``RestError`` when the body breaks off or the call was ended.
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
                if let piece = try await body.next() { held += piece } else { isAtEnd = true }
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
