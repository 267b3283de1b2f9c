// SPDX-License-Identifier: Apache-2.0

package import RestBase
package import RestCurl
package import RestTransport

/// A client's HTTP/2 connection, whose streams send and receive concurrently.
///
/// libcurl connects and does TLS, so that proxies, CAs, pins and client certificates are those of a `CurlTransport`
/// with the same configuration. Over plain HTTP, which only loopback may use, both sides must know that they speak
/// HTTP/2. Each connection has its own thread. Releasing the connection and its streams ends it.
///
/// A connection whose server is silent does not end by itself. Users know how long their streams may be silent.
package final class HTTP2Connection: Sendable {
    package let origin: Origin
    private let loop: HTTP2Loop

    private init(_ loop: HTTP2Loop, to origin: Origin) { (self.loop, self.origin) = (loop, origin) }

    deinit { loop.stop() }

    /// Connects to an origin, until a deadline, with the proxy, the trust and the time limit of a configuration.
    ///
    /// - Throws: `HTTP2Error` if there is no connection, with the code `.notNegotiated` if the server does not offer
    ///   HTTP/2.
    package static func connect(
        to origin: Origin, configuration: CurlConfiguration = CurlConfiguration(),
        settings: HTTP2Settings = HTTP2Settings(), deadline: ContinuousClock.Instant,
        clock: any MonotonicClock = ContinuousClock()
    ) async throws(HTTP2Error) -> HTTP2Connection {
        let loop = try HTTP2Loop(settings)
        loop.start(.client) { loop throws(HTTP2Error) in
            try CurlConnection.connected(to: origin, configuration, for: loop)
        }
        let alarm = Task {
            guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
            loop.giveUp(HTTP2Error(.timedOut, "the deadline passed before the connection was established"))
        }
        defer { alarm.cancel() }
        let failure = await withTaskCancellationHandler {
            await loop.waitForBegin()
        } onCancel: {
            loop.giveUp(.cancelled)
        }
        if let failure { throw failure }
        return HTTP2Connection(loop, to: origin)
    }

    /// Opens a stream with a request, which has no body if `isEnd` is `true`.
    ///
    /// The request is sent as soon as the server permits another stream.
    ///
    /// - Throws: `HTTP2Error` if the connection has ended or is being closed by the server.
    package func open(
        _ path: String, method: String = "POST", fields: HTTPFields = HTTPFields(), isEnd: Bool = false
    ) throws(HTTP2Error) -> HTTP2Stream {
        guard !loop.isLeaving else { throw .notProcessed }
        let request = HTTP2Request(
            method: method, scheme: origin.scheme.rawValue, authority: origin.authority, path: path, fields: fields)
        let core = StreamCore(loop: loop, role: .client)
        if isEnd { try core.finish() }
        try core.post(.open(core, request, isEnd: isEnd))
        return HTTP2Stream(core, owner: self)
    }

    /// Whether streams can be opened, because the connection has not ended and the server has not sent GOAWAY.
    package var isUsable: Bool { !loop.isOver && !loop.isLeaving }

    /// Waits for the end of the connection, and returns the reason.
    package func waitForEnd() async -> HTTP2Error { await loop.waitForEnd() }

    /// Ends the connection and its streams, and returns when the socket is closed.
    package func shutdown() async { await loop.shutdown() }
}

extension Origin {
    /// The host with the port, unless it is the default one.
    var authority: String {
        String(decoding: description.utf8.dropFirst(scheme.rawValue.utf8.count + 3), as: UTF8.self)
    }
}

/// The server's side of one connection.
package final class HTTP2ServerConnection: Sendable {
    private let loop: HTTP2Loop

    /// Serves a connection without TLS until it ends.
    package convenience init(
        _ socket: Socket, settings: HTTP2Settings = HTTP2Settings(),
        handler: @escaping @Sendable (HTTP2Request, HTTP2Stream) async -> Void
    ) throws(HTTP2Error) {
        try self.init(settings: settings, handler: handler) { () throws(HTTP2Error) in SocketLink(socket) }
    }

    /// Serves a connection, whose thread makes its link, until it ends.
    ///
    /// For each request, the handler reads and writes the stream, which is reset if the handler returns before it has
    /// finished the response. Its task is cancelled if the client resets the stream.
    ///
    /// - Throws: `HTTP2Error` if the system has no descriptors left.
    package init(
        settings: HTTP2Settings = HTTP2Settings(),
        handler: @escaping @Sendable (HTTP2Request, HTTP2Stream) async -> Void,
        link: @escaping @Sendable () throws(HTTP2Error) -> any HTTP2Link
    ) throws(HTTP2Error) {
        loop = try HTTP2Loop(settings)
        loop.start(.server, handler: handler) { _ throws(HTTP2Error) in try link() }
    }

    deinit { loop.stop() }

    /// Announces that no further streams are processed, and lets the open streams finish.
    package func leave() { _ = loop.post(.use { $0.leave() }) }

    /// Waits for the end of the connection, and returns the reason.
    package func waitForEnd() async -> HTTP2Error { await loop.waitForEnd() }

    /// Ends the connection and its streams soon.
    package func stop() { loop.stop() }

    /// Ends the connection and its streams, and returns when the socket is closed.
    package func shutdown() async { await loop.shutdown() }
}
