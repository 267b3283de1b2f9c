// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// GNU libmicrohttpd on a loopback port.
///
/// Threading: a pool of event loops (epoll on Linux), each with its own connections, so that an idle or slow client
/// costs a descriptor and not a thread, and a request is answered on the thread that read it. A delayed answer suspends
/// its connection and frees the thread.
///
/// `@unchecked Sendable`: the daemon's pointer is set once before the object is shared and used only by `stop`, once
/// (`daemon` is emptied under the lock); libmicrohttpd's own state is thread-safe for that (`MHD_stop_daemon`).
@safe
package final class HTTPServer: @unchecked Sendable {
    /// Per connection, cleared for each request: request line, header fields and the read buffer.
    private static let connectionMemory = 64 << 10

    package let port: Int
    private let core: ServerCore
    private let daemon: Mutex<SendablePointer?>

    /// Takes over the socket and answers with the application, by TLS if there is a certificate.
    package init(
        socket: ListeningSocket, threads: Int, limits: ServerLimits, application: any ServerApplication,
        certificate: ServerCertificate? = nil
    ) throws(ServerError) {
        self.port = socket.port
        var limits = limits
        // The rest of the process needs descriptors too.
        limits.connections = min(limits.connections, max(16, Int(clamping: cmhd_descriptor_limit() / 2)))
        core = ServerCore(application: application, limits: limits, isSecure: certificate != nil)
        var options = cmhd_options()
        options.listen_socket = socket.descriptor
        options.threads = UInt32(clamping: max(1, threads))
        options.connection_limit = UInt32(clamping: limits.connections)
        options.connection_memory = Self.connectionMemory
        guard let started = unsafe Self.start(core, options, certificate) else {
            throw ServerError(.failed, "the HTTP server did not start")
        }
        daemon = Mutex(unsafe SendablePointer(started))
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

    /// Closes the port and every connection; returns when the server's threads have ended.
    ///
    /// A second call does nothing.
    package func stop() {
        let stopped = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let stopped else { return }
        core.stop()
        unsafe MHD_stop_daemon(stopped.pointer)
        core.connections.stop()
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

/// Called when a connection has come, and before the descriptor of one is closed.
private func connectionCallback(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    link: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, event: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let link = unsafe link else { return }
    let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    if event == .CONNECTION_NOTIFY_STARTED {
        let made = core.connections.open(unsafe cmhd_socket(connection))
        unsafe link.pointee = Unmanaged.passRetained(made).toOpaque()
    } else if let held = unsafe link.pointee {
        core.connections.close(unsafe Unmanaged<ConnectionLink>.fromOpaque(held).takeRetainedValue())
        unsafe link.pointee = nil
    }
}

/// Called with the request line; what it returns is the request's context from here on.
private func beginCallback(
    _: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target = unsafe target, let connection = unsafe connection,
        let held = unsafe cmhd_socket_context(connection)
    else { return nil }
    let link = unsafe Unmanaged<ConnectionLink>.fromOpaque(held).takeUnretainedValue()
    // One that was given up is seen by the next step.
    _ = link.advance { $0.beginHeader(at: .now) }
    let text = unsafe String(cString: target)
    let start = UInt(bitPattern: target)
    let place = unsafe start..<(start + UInt(strlen(target)))
    return unsafe Unmanaged.passRetained(Exchange(target: text, at: place, link: link)).toOpaque()
}

/// Called when a request is over, however it ended.
private func endCallback(
    context: UnsafeMutableRawPointer?, _: OpaquePointer?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let exchange = unsafe request?.pointee else { return }
    let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    core.end(unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue())
    unsafe request?.pointee = nil
}

/// Called once with the header, once per piece of body, once at its end, and again after a delay.
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
        let (fields, isWhole) = unsafe link.fields(behind: HeadLayout(method, target: state.place, version))
        var request = unsafe ServerRequest(
            method: String(cString: method), target: state.target, version: String(cString: version), fields: fields)
        request.isWhole = isWhole
        return core.begin(state, request, on: link) ? .YES : .NO
    }
    let size = unsafe uploadSize.pointee
    guard size > 0, let upload = unsafe upload else { return core.finish(state, on: link) ? .YES : .NO }
    unsafe uploadSize.pointee = 0
    let piece = unsafe UnsafeRawBufferPointer(start: upload, count: size)
    return core.take(unsafe piece.bytes, state) ? .YES : .NO
}
