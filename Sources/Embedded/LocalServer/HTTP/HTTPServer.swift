// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
package import RestBase
import Synchronization

/// GNU libmicrohttpd on a loopback port.
///
/// A pool of event loops (epoll on Linux) serves the connections, so an idle or slow client costs a descriptor and not
/// a thread. A request is handled on the thread that read it. A delayed response suspends its connection and frees the
/// thread.
///
/// With a server for HTTP/2, the port also takes connections that begin with the preface of HTTP/2, or whose TLS
/// clients offer HTTP/2 and not HTTP/1.1.
package final class HTTPServer: Sendable {
    /// The memory of each connection for request line, headers and the read buffer, in bytes.
    private static let connectionMemory = 64 << 10

    package let port: Int
    package let shell: ServerShell
    private let core: ServerCore
    private let daemon: ServerDaemon
    /// Accepts the connections, if the daemon does not.
    private let acceptor: Acceptor?

    /// Binds the port on 127.0.0.1, or a free one.
    ///
    /// The socket is created here and not by libmicrohttpd, to recognize a port in use.
    package static func listeningSocket(_ configuration: some ServerConfiguration) throws(StartError) -> Socket {
        let port = configuration.port ?? 0
        guard let number = UInt16(exactly: port) else {
            throw StartError(.portRefused, "port \(port) is not between 0 and 65535; use another port")
        }
        do throws(Socket.Failure) {
            // The system has its own limit for pending connections, 4,096 on Linux.
            return try Socket.listening(port: number, backlog: 4_096)
        } catch {
            guard error.call != "socket" else {
                throw StartError(.failed, "no socket can be opened (error \(error.code))")
            }
            let isInUse = error.code == EADDRINUSE
            let reason = isInUse ? "is in use by another program" : "cannot be bound (error \(error.code))"
            throw StartError(isInUse ? .portInUse : .portRefused, "port \(port) \(reason); use another port")
        }
    }

    /// Starts serving the socket, with TLS if there is a certificate.
    ///
    /// - Parameters:
    ///   - shell: the application with its guard, faults and journal.
    ///   - socket: the listening socket.
    ///   - threads: the number of threads that handle requests.
    ///   - certificate: the certificate for TLS, or `nil` for plain HTTP.
    ///   - http2: takes over the connections of HTTP/2, with the identity for TLS if there is a certificate.
    /// - Throws: `StartError` if the process has no descriptors left, or the server cannot start.
    package init(
        _ shell: ServerShell, at socket: Socket, threads: Int, certificate: ServerCertificate? = nil,
        http2: (@Sendable (Socket, TLSIdentity?) -> Void)? = nil
    ) throws(StartError) {
        self.port = socket.port
        self.shell = shell
        // The rest of the process needs descriptors too.
        let connections = min(shell.limits.connections, max(16, Int(clamping: cmhd_descriptor_limit() / 2)))
        core = ServerCore(shell)
        var options = cmhd_options()
        let identity = http2 == nil ? nil : certificate.flatMap(TLSIdentity.init)
        let http2 = certificate == nil || identity != nil ? http2 : nil
        options.listen_socket = -1
        if http2 == nil {
            // The daemon closes its socket when it stops.
            let listening = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
            // Without a socket, the daemon would create its own for all addresses of the machine.
            guard listening >= 0 else {
                throw StartError(.failed, "the process cannot open more files; raise its limit")
            }
            options.listen_socket = listening
        }
        options.threads = UInt32(clamping: max(1, threads))
        // The daemon closes connections above its limit. The acceptor stops before, and knows of each a little later.
        options.connection_limit = UInt32(clamping: http2 == nil ? connections : 2 * connections)
        options.connection_memory = Self.connectionMemory
        options.idle_seconds = UInt32(clamping: max(1, shell.limits.idleTime.components.seconds))
        guard let started = unsafe Self.start(core, options, certificate) else {
            if options.listen_socket >= 0 { close(options.listen_socket) }
            throw StartError(.failed, "the HTTP server cannot start")
        }
        let daemon = unsafe ServerDaemon(started)
        self.daemon = daemon
        acceptor = http2.map { [core] http2 in
            let hasRoom: @Sendable () -> Bool = { core.connectionCount.load(ordering: .relaxed) < connections }
            let servers = Acceptor.Servers(
                isSecure: certificate != nil, hasRoom: hasRoom, http1: { daemon.add($0) },
                http2: { http2($0, identity) })
            return Acceptor(socket, servers, patience: shell.limits.idleTime)
        }
    }

    private static func start(
        _ core: ServerCore, _ options: cmhd_options, _ certificate: ServerCertificate?
    ) -> OpaquePointer? {
        let context = unsafe Unmanaged.passUnretained(core).toOpaque()
        func start(_ text: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer? {
            var options = options
            return unsafe cmhd_start(
                &options, text, key, accessCallback, beginCallback, endCallback, connectionCallback, context)
        }
        guard let certificate else { return unsafe start(nil, nil) }
        return unsafe certificate.certificate.withCString { text in
            unsafe certificate.key.withCString { unsafe start(text, $0) }
        }
    }

    deinit { stop() }

    /// Closes the port and all connections, and returns after the server's threads have ended.
    ///
    /// A second call does nothing.
    package func stop() {
        acceptor?.stop()
        daemon.stop(after: core.stop)
    }
}

/// The daemon of libmicrohttpd.
///
/// The pointer is used only under the lock, in which `stop` takes it out. libmicrohttpd's own state is thread-safe.
private final class ServerDaemon: Sendable {
    private let daemon: Mutex<SendablePointer?>

    init(_ pointer: OpaquePointer) {
        daemon = Mutex(unsafe SendablePointer(pointer))
    }

    /// Serves a connection.
    func add(_ socket: Socket) {
        daemon.withLock { daemon in
            guard let daemon else { return }
            let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
            // The daemon closes a socket that it does not take.
            if copy >= 0 { unsafe cmhd_add(daemon.pointer, copy) }
        }
    }

    /// Stops the daemon after this work, unless it has stopped.
    func stop(after work: () -> Void) {
        let stopped = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let stopped else { return }
        work()
        unsafe MHD_stop_daemon(stopped.pointer)
    }
}

/// A C pointer that is handed from one thread to another.
///
/// `@unchecked Sendable`: a pointer is a number, and only the code that takes it out of its lock has it.
@safe
struct SendablePointer: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }
}

/// Called with the request line, to return the context of the request.
private func beginCallback(
    _: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, _: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target = unsafe target else { return nil }
    return unsafe Unmanaged.passRetained(Exchange(target: String(cString: target))).toOpaque()
}

/// Called at the end of a request, successful or not.
private func endCallback(
    context: UnsafeMutableRawPointer?, _: OpaquePointer?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let exchange = unsafe request?.pointee else { return }
    let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    core.end(unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue())
    unsafe request?.pointee = nil
}

/// Called at the start and at the end of a connection.
private func connectionCallback(
    context: UnsafeMutableRawPointer?, _: OpaquePointer?, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    event: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context else { return }
    let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    core.connectionCount.add(event == .CONNECTION_NOTIFY_STARTED ? 1 : -1, ordering: .relaxed)
}

/// Called for the head, for each chunk of the body, at the end of the body, and again after a delay.
private func accessCallback(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, _: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let connection = unsafe connection, let exchange = unsafe request?.pointee,
        let method = unsafe method, let version = unsafe version, let uploadSize = unsafe uploadSize
    else { return .NO }
    let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    let state = unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    let link = unsafe ServerConnection(connection)
    guard state.hasBegun else {
        let request = unsafe ServerRequest(
            method: String(cString: method), target: state.target, version: String(cString: version),
            fields: link.fields)
        return core.begin(state, request, on: link) ? .YES : .NO
    }
    let size = unsafe uploadSize.pointee
    guard size > 0, let upload = unsafe upload else { return core.finish(state, on: link) ? .YES : .NO }
    unsafe uploadSize.pointee = 0
    let chunk = unsafe UnsafeRawBufferPointer(start: upload, count: size)
    return core.take(unsafe chunk.bytes, state) ? .YES : .NO
}

package struct ServerLimits: Sendable {
    /// The maximum time without activity of a client, in whole seconds.
    package var idleTime: Duration = .seconds(60)
    /// The maximum number of connections, which use at most half of the process's descriptors.
    package var connections = 2_048
    /// The maximum body of a request with a session, in bytes.
    package var body = 50 << 20
    /// The maximum body of a request without a session, in bytes (half of it for a form).
    package var openBody = 128 << 10
    /// The maximum size of all bodies in memory together, in bytes.
    package var bodyMemory = 64 << 20

    package init() {}
}
