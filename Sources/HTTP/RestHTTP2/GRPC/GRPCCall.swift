// SPDX-License-Identifier: Apache-2.0

package import RestBase
package import RestTransport
import Synchronization

/// A client's call of a gRPC method, with any number of messages in both directions.
///
/// One task sends and one task receives. Releasing the call before its end cancels it, and so does cancelling a task
/// that waits for it.
package final class GRPCCall: Sendable {
    private let messages: GRPCMessages
    private let head = Mutex<HTTP2Response?>(nil)
    private let alarm: Task<Void, Never>?

    /// Starts a call.
    ///
    /// - Parameters:
    ///   - path: the method, such as `/eventbus.v1.PubSub/Subscribe`.
    ///   - connection: the connection.
    ///   - metadata: further headers of the request.
    ///   - maximumMessageBytes: the maximum size of a received message.
    ///   - deadline: the time at which the call ends with `.deadlineExceeded`, or `nil` for none.
    ///   - clock: the clock of the deadline.
    /// - Throws: `GRPCError` if the connection takes no calls.
    package init(
        _ path: String, on connection: HTTP2Connection, metadata: HTTPFields = HTTPFields(),
        maximumMessageBytes: Int? = nil, deadline: ContinuousClock.Instant? = nil,
        clock: any MonotonicClock = ContinuousClock()
    ) throws(GRPCError) {
        var fields: HTTPFields = ["te": "trailers", "content-type": "application/grpc", "user-agent": "RestSDK"]
        if let deadline { fields.append("grpc-timeout", GRPCTimeout.text(deadline - clock.now)) }
        for field in metadata { fields.append(field) }
        let stream: HTTP2Stream
        do throws(HTTP2Error) {
            stream = try connection.open(path, fields: fields)
        } catch {
            throw GRPCError(error)
        }
        messages = GRPCMessages(stream, limit: maximumMessageBytes ?? GRPCMessages.defaultLimit)
        alarm = deadline.map { deadline in
            Task { [weak stream] in
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                stream?.cancel(.cancel, HTTP2Error(.timedOut, "the deadline of the call passed"))
            }
        }
    }

    deinit { alarm?.cancel() }

    /// Makes a call with one message in each direction.
    ///
    /// - Parameters:
    ///   - path: the method.
    ///   - message: the request.
    ///   - connection: the connection.
    ///   - metadata: further headers of the request.
    ///   - deadline: the time at which the call ends, or `nil` for none.
    ///   - clock: the clock of the deadline.
    /// - Returns: the response.
    /// - Throws: `GRPCError` unless the status is OK and there is exactly one message.
    package static func unary(
        _ path: String, _ message: [UInt8], on connection: HTTP2Connection, metadata: HTTPFields = HTTPFields(),
        deadline: ContinuousClock.Instant? = nil, clock: any MonotonicClock = ContinuousClock()
    ) async throws(GRPCError) -> [UInt8] {
        let call = try GRPCCall(path, on: connection, metadata: metadata, deadline: deadline, clock: clock)
        do throws(GRPCError) {
            try await call.send(message, isEnd: true)
        } catch {
            // A server that rejects the call early has a status, which says more than the reset of the stream.
            guard case .reset? = error.cause?.code else { throw error }
            _ = try await call.next()
            throw error
        }
        guard let response = try await call.next() else {
            throw GRPCError(.internal, "the server sent the status OK without a message")
        }
        guard try await call.next() == nil else {
            throw GRPCError(.internal, "the server sent several messages for a call that has one")
        }
        return response
    }

    /// Sends a message, and waits while too many bytes are queued.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - isEnd: whether it is the last one.
    /// - Throws: `GRPCError` if the call has ended. ``next()`` then throws the server's status.
    package func send(_ message: [UInt8], isEnd: Bool = false) async throws(GRPCError) {
        try await messages.send(message, isEnd: isEnd)
    }

    /// Ends the messages to the server.
    package func finishSending() async throws(GRPCError) {
        do throws(HTTP2Error) { try await messages.stream.send([], isEnd: true) } catch { throw GRPCError(error) }
    }

    /// Waits for the next message, or returns `nil` after the status OK.
    ///
    /// - Throws: `GRPCError` for any other status, and if the response or the connection is broken.
    package func next() async throws(GRPCError) -> [UInt8]? {
        let metadata = try await metadata
        if let message = try await messages.next() { return message }
        // A response of only trailers has them in its head.
        if let error = GRPCError.status(in: messages.stream.trailers ?? metadata) { throw error }
        guard !messages.isWithinMessage else {
            throw GRPCError(.internal, "the server's last message is incomplete")
        }
        return nil
    }

    /// Waits for the headers of the response.
    package var metadata: HTTPFields {
        get async throws(GRPCError) {
            if let head = head.withLock({ $0 }) { return head.fields }
            let response: HTTP2Response
            do throws(HTTP2Error) {
                response = try await messages.stream.response()
            } catch {
                throw GRPCError(error)
            }
            if let error = GRPCError.invalidHead(response) {
                cancel()
                throw error
            }
            head.withLock { $0 = response }
            return response.fields
        }
    }

    /// The headers after the messages, or `nil` before them.
    package var trailers: HTTPFields? { messages.stream.trailers }

    /// Ends the call, whose tasks then throw `.cancelled`.
    package func cancel() { messages.stream.cancel() }
}

/// The server's side of a gRPC call.
package final class GRPCServerCall: Sendable {
    /// The method, such as `/eventbus.v1.PubSub/Subscribe`.
    package let path: String
    /// The headers of the request.
    package let metadata: HTTPFields
    /// The time that the client waits for the end of the call, or `nil` for no limit.
    package let timeout: Duration?
    private let messages: GRPCMessages
    private let hasHead = Mutex(false)

    private static let type: HTTPFields = ["content-type": "application/grpc"]

    fileprivate init(_ request: HTTP2Request, _ stream: HTTP2Stream, limit: Int) {
        (path, metadata) = (request.path, request.fields)
        timeout = request.fields["grpc-timeout"].flatMap(GRPCTimeout.duration)
        messages = GRPCMessages(stream, limit: limit)
    }

    /// Waits for the next message, or returns `nil` after the last one.
    package func next() async throws(GRPCError) -> [UInt8]? {
        if let message = try await messages.next() { return message }
        guard !messages.isWithinMessage else {
            throw GRPCError(.internal, "the client's last message is incomplete")
        }
        return nil
    }

    /// Sends a message, and waits while too many bytes are queued.
    package func send(_ message: [UInt8]) async throws(GRPCError) {
        try respond(with: HTTPFields())
        try await messages.send(message, isEnd: false)
    }

    /// Sends the headers of the response, unless they were sent.
    package func respond(with metadata: HTTPFields) throws(GRPCError) {
        let isFirst = hasHead.withLock { hasHead in
            defer { hasHead = true }
            return !hasHead
        }
        guard isFirst else { return }
        do throws(HTTP2Error) {
            try messages.stream.respond(HTTP2Response(fields: HTTPFields(Array(Self.type) + Array(metadata))))
        } catch {
            throw GRPCError(error)
        }
    }

    /// Ends the call with its status, in trailers or in a response of only trailers.
    fileprivate func finish(_ error: GRPCError?) {
        let fields = GRPCError.fields(of: error)
        do throws(HTTP2Error) {
            if hasHead.withLock({ $0 }) {
                try messages.stream.finish(trailers: fields)
            } else {
                let head = HTTP2Response(fields: HTTPFields(Array(Self.type) + Array(fields)))
                try messages.stream.respond(head, isEnd: true)
            }
        } catch {
            // The client has reset the stream, or is gone.
        }
    }
}

extension HTTP2ServerConnection {
    /// Serves gRPC calls on a connection until it ends.
    ///
    /// - Parameters:
    ///   - socket: the connected socket.
    ///   - settings: the limits of the session.
    ///   - maximumMessageBytes: the maximum size of a received message.
    ///   - method: answers a call, which ends with the status OK when it returns, or with the error that it throws.
    /// - Throws: `HTTP2Error` if the system has no descriptors left.
    package convenience init(
        grpc socket: Socket, settings: HTTP2Settings = HTTP2Settings(), maximumMessageBytes: Int? = nil,
        method: @escaping @Sendable (GRPCServerCall) async throws(GRPCError) -> Void
    ) throws(HTTP2Error) {
        try self.init(socket, settings: settings) { request, stream in
            let isCall = request.fields["content-type"]?.hasBytes(prefix: "application/grpc") == true
            guard request.method == "POST", isCall else {
                try? stream.respond(HTTP2Response(status: isCall ? 405 : 415), isEnd: true)
                return
            }
            let call = GRPCServerCall(request, stream, limit: maximumMessageBytes ?? GRPCMessages.defaultLimit)
            do throws(GRPCError) {
                try await method(call)
                call.finish(nil)
            } catch {
                call.finish(error)
            }
        }
    }
}
