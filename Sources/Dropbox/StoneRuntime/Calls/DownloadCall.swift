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
    /// - Throws: ``CallError``: the route's own failure, or the ``RestError`` that every call can have.
    public var value: DownloadEndpoint<Output, Failure>.Content {
        get async throws(CallError<Failure>) { try await client.content(of: request) }
    }

    /// Writes the content to a file, which appears when it is complete and its result was read.
    ///
    /// - Parameter path: where the file is to be; one that is there is replaced, but not by an answer without a result.
    /// - Returns: the result.
    /// - Throws: ``CallError``; ``RestError/Code/file`` when the file cannot be written.
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
    /// - Throws: ``CallError``; ``RestError/Code/rangeNotSatisfiable`` when the content has no bytes in the range.
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
