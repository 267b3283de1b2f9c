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
    private let alarm: Task<Void, Never>?

    /// Starts a call of a method, such as `/eventbus.v1.PubSub/Subscribe`, which ends with `.deadlineExceeded` at the
    /// deadline.
    ///
    /// - Throws: `GRPCError` if the connection takes no calls.
    package init(
        _ path: String, on connection: HTTP2Connection, metadata: HTTPFields = HTTPFields(),
        deadline: ContinuousClock.Instant? = nil, clock: any MonotonicClock = ContinuousClock()
    ) throws(GRPCError) {
        var fields: HTTPFields = ["te": "trailers", "content-type": "application/grpc", "user-agent": "RestSDK"]
        if let deadline { fields.append("grpc-timeout", Self.timeout(deadline - clock.now)) }
        for field in metadata { fields.append(field) }
        let stream: HTTP2Stream
        do throws(HTTP2Error) { stream = try connection.open(path, fields: fields) } catch { throw GRPCError(error) }
        messages = GRPCMessages(stream)
        alarm = deadline.map { deadline in
            Task { [weak stream] in
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                stream?.cancel(.cancel, HTTP2Error(.timedOut, "the deadline of the call passed"))
            }
        }
    }

    deinit { alarm?.cancel() }

    /// Makes a call with one message in each direction, and returns the response.
    ///
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

    /// The header `grpc-timeout`: at most eight digits and a unit.
    private static func timeout(_ duration: Duration) -> String {
        let milliseconds = max(0, duration / .milliseconds(1))
        return milliseconds < 100_000_000
            ? "\(Int(milliseconds.rounded(.up)))m" : "\(Int(min(milliseconds / 1_000, 99_999_999)))S"
    }

    /// Sends a message, the last one if `isEnd` is `true`, and waits while too many bytes are queued.
    ///
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
        try messages.checkEnd()
        return nil
    }

    /// Waits for the headers of the response.
    package var metadata: HTTPFields {
        get async throws(GRPCError) {
            let response: HTTP2Response
            do throws(HTTP2Error) { response = try await messages.stream.response() } catch { throw GRPCError(error) }
            guard let error = GRPCError.invalidHead(response) else { return response.fields }
            cancel()
            throw error
        }
    }

    /// Ends the call, whose tasks then throw `.cancelled`.
    package func cancel() { messages.stream.cancel() }
}

package final class GRPCServerCall: Sendable {
    /// The method, such as `/eventbus.v1.PubSub/Subscribe`.
    package let path: String
    package let metadata: HTTPFields
    private let messages: GRPCMessages
    private let hasHead = Mutex(false)

    fileprivate init(_ request: HTTP2Request, _ stream: HTTP2Stream) {
        (path, metadata, messages) = (request.path, request.fields, GRPCMessages(stream))
    }

    /// Waits for the next message, or returns `nil` after the last one.
    package func next() async throws(GRPCError) -> [UInt8]? {
        if let message = try await messages.next() { return message }
        try messages.checkEnd()
        return nil
    }

    /// Sends a message, and waits while too many bytes are queued.
    package func send(_ message: [UInt8]) async throws(GRPCError) {
        try respond(with: HTTPFields())
        try await messages.send(message, isEnd: false)
    }

    /// Sends the headers of the response, unless they were sent.
    package func respond(with metadata: HTTPFields) throws(GRPCError) {
        do throws(HTTP2Error) { try sendHead(metadata, isEnd: false) } catch { throw GRPCError(error) }
    }

    /// Sends the head of the response, or returns `false` if it was sent before.
    @discardableResult
    private func sendHead(_ fields: HTTPFields, isEnd: Bool) throws(HTTP2Error) -> Bool {
        let wasSent = hasHead.withLock { hasHead in
            defer { hasHead = true }
            return hasHead
        }
        guard !wasSent else { return false }
        let type = HTTPFields.Field(name: "content-type", value: "application/grpc")
        try messages.stream.respond(
            HTTP2Response(status: 200, fields: HTTPFields([type] + Array(fields))), isEnd: isEnd)
        return true
    }

    /// Ends the call with its status, in trailers or in a response of only trailers.
    fileprivate func finish(_ error: GRPCError?) {
        let fields = GRPCError.fields(of: error)
        do throws(HTTP2Error) {
            if try !sendHead(fields, isEnd: true) { try messages.stream.finish(trailers: fields) }
        } catch {
            // The client has reset the stream, or is gone.
        }
    }
}

extension HTTP2ServerConnection {
    /// Serves gRPC calls on a connection without TLS until it ends.
    package convenience init(
        grpc socket: Socket, method: @escaping @Sendable (GRPCServerCall) async throws(GRPCError) -> Void
    ) throws(HTTP2Error) {
        try self.init(grpc: { () throws(HTTP2Error) in SocketLink(socket) }, method: method)
    }

    /// Serves gRPC calls on a connection, whose thread makes its link, until it ends.
    ///
    /// A call ends with the status OK when the method returns, or with the error that it throws.
    ///
    /// - Throws: `HTTP2Error` if the system has no descriptors left.
    package convenience init(
        grpc link: @escaping @Sendable () throws(HTTP2Error) -> any HTTP2Link,
        method: @escaping @Sendable (GRPCServerCall) async throws(GRPCError) -> Void
    ) throws(HTTP2Error) {
        let respond = { @Sendable (request: HTTP2Request, stream: HTTP2Stream) async in
            let isCall = request.fields["content-type"]?.hasBytes(prefix: "application/grpc") == true
            guard request.method == "POST", isCall else {
                try? stream.respond(HTTP2Response(status: isCall ? 405 : 415), isEnd: true)
                return
            }
            let call = GRPCServerCall(request, stream)
            do throws(GRPCError) {
                try await method(call)
                call.finish(nil)
            } catch {
                call.finish(error)
            }
        }
        try self.init(handler: respond, link: link)
    }
}
