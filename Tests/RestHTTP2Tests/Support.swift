// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestBase
import RestCurl
import RestHTTP2
import RestTesting
import RestTransport
import Synchronization
import Testing

/// A deadline that no healthy test reaches.
var soon: ContinuousClock.Instant { .now + .seconds(40) }

/// A server of ours on loopback, with a session for each connection.
final class LoopbackServer: Sendable {
    private let connections = Watched<[HTTP2ServerConnection]>([])
    private let server: ConnectionServer

    init(_ serve: @escaping @Sendable (Socket) throws(HTTP2Error) -> HTTP2ServerConnection) throws {
        let connections = connections
        server = try ConnectionServer {
        } onStop: {
        } handler: { _, _, socket in
            guard let connection = try? serve(socket) else { return }
            connections.update { $0.append(connection) }
        } onClose: { _ in
        }
    }

    convenience init(grpc method: @escaping @Sendable (GRPCServerCall) async throws(GRPCError) -> Void) throws {
        try self.init { socket throws(HTTP2Error) in try HTTP2ServerConnection(grpc: socket, method: method) }
    }

    var port: Int { server.port }
    var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: port) }

    /// The first connection, as soon as there is one.
    var first: HTTP2ServerConnection {
        get async { await connections.wait { !$0.isEmpty }[0] }
    }

    func connect(
        settings: HTTP2Settings = HTTP2Settings()
    ) async throws(HTTP2Error) -> HTTP2Connection {
        try await HTTP2Connection.connect(to: origin, settings: settings, deadline: soon)
    }

    func stop() async {
        server.stop()
        for connection in connections.value { await connection.shutdown() }
    }
}

/// Runs a body that must throw, and returns its error.
func failure<Failure: Error, Value>(
    _ body: () async throws(Failure) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async -> Failure? {
    do throws(Failure) {
        _ = try await body()
        Issue.record("expected an error", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}

extension HTTP2Stream {
    /// The whole body.
    func body() async throws(HTTP2Error) -> [UInt8] {
        var body: [UInt8] = []
        while let bytes = try await receive() { body += bytes }
        return body
    }
}

/// A server on loopback whose connections are scripted with sockets.
final class RawServer: Sendable {
    private let server: ConnectionServer

    init(_ script: @escaping @Sendable (Socket) -> Void) throws {
        server = try ConnectionServer {
        } onStop: {
        } handler: { _, _, socket in
            script(socket)
        } onClose: { _ in
        }
    }

    var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: server.port) }

    func connect() async throws(HTTP2Error) -> HTTP2Connection {
        try await HTTP2Connection.connect(to: origin, deadline: soon)
    }

    func stop() { server.stop() }
}

/// A proxy for the bytes of a connection, which it delays, cuts or stops.
///
/// `FaultProxy` parses HTTP/1.1, so it cannot carry HTTP/2.
final class BytesProxy: Sendable {
    enum Fault: Sendable {
        /// Chunks of this size from the server.
        case slices(Int)
        /// Both connections are closed after this number of bytes from the server.
        case cut(Int)
        /// Nothing more is forwarded after this number of bytes from the server, and nothing is closed.
        case silence(Int)
    }

    /// The first lines of the tunnels that clients have requested.
    let tunnels = Watched<[String]>([])
    private let server: ConnectionServer

    /// Starts a proxy to a port, which answers `CONNECT` first if it is a tunnel.
    init(to port: Int, _ fault: Fault? = nil, isTunnel: Bool = false) throws {
        let tunnels = tunnels
        server = try ConnectionServer {
        } onStop: {
        } handler: { server, index, client in
            guard let origin = try? Socket.connected(port: port), server.register(origin, for: index) else { return }
            if isTunnel {
                guard let head = Self.head(from: client) else { return }
                tunnels.update { $0.append(head.components(separatedBy: "\r\n")[0]) }
                _ = client.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8))
            }
            Self.forward(client, origin, fault) { server.pause(.milliseconds(20)) }
            client.interrupt()
            origin.interrupt()
        } onClose: { _ in
        }
    }

    private static func head(from client: Socket) -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = client.receive(upTo: 1), !byte.isEmpty else { return nil }
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }

    private static func forward(_ client: Socket, _ origin: Socket, _ fault: Fault?, pause: () -> Bool) {
        var (left, size): (Int?, Int) = (nil, 65_536)
        switch fault {
        case .cut(let count), .silence(let count): left = count
        case .slices(let count): size = count
        case nil: break
        }
        while left != 0 {
            let isReady = Socket.waitForInput([client, origin])
            if isReady[0] {
                guard let bytes = client.receive(), !bytes.isEmpty, origin.send(bytes) else { return }
            }
            guard isReady[1] else { continue }
            guard let bytes = origin.receive(upTo: min(size, left ?? size)), !bytes.isEmpty, client.send(bytes) else {
                return
            }
            left = left.map { $0 - bytes.count }
        }
        if case .silence = fault { while pause() {} }
    }

    var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: server.port) }

    func stop() { server.stop() }
}

/// The server of grpcio in Peers/grpc_peer.py.
final class GRPCPeer {
    static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/grpc_peer.py").path
    let port: Int
    private let program: RunningProgram

    init(_ arguments: [String] = []) throws {
        program = try RunningProgram(Python.interpreter, [Self.script, "serve"] + arguments, input: nil)
        let line = try program.outputLines(through: "port ").last ?? ""
        port = Int(line.split(separator: " ").last ?? "") ?? 0
    }

    deinit { program.kill() }

    var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: port) }

    func connect() async throws(HTTP2Error) -> HTTP2Connection {
        try await HTTP2Connection.connect(to: origin, deadline: soon)
    }
}
