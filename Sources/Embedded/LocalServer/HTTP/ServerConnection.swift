// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import RestBase
import RestTransport

/// A connection inside a callback of libmicrohttpd.
///
/// `@unchecked Sendable`: the pointer is used by the thread that serves the connection. Only `resume` is called from
/// other threads, which libmicrohttpd allows for a suspended connection (`MHD_resume_connection`).
@safe
struct ServerConnection: @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) {
        unsafe self.connection = connection
    }

    var fields: HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(12)
        unsafe withUnsafeMutablePointer(to: &fields) { pointer in
            _ = unsafe MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let fields = unsafe context?.assumingMemoryBound(to: HTTPFields.self) else { return .NO }
                    unsafe fields.pointee.append(
                        ServerConnection.text(name, nameSize), ServerConnection.text(value, valueSize))
                    return .YES
                }, pointer)
        }
        return fields
    }

    /// The whole name or value, including NUL bytes.
    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    func suspend() { unsafe MHD_suspend_connection(connection) }
    func resume() { unsafe MHD_resume_connection(connection) }

    /// Queues the response, or returns `false` to close the connection.
    func send(_ reply: ServerReply) -> Bool {
        switch reply.delivery {
        case .whole:
            let response = reply.response
            return unsafe queue(response, response.file?.response() ?? Self.buffered(response.body))
        case .truncated(let count):
            let response = reply.response
            return unsafe queue(
                response,
                response.file?.response(endingAfter: count) ?? LimitedBody(response.body, endingAfter: count).response()
            )
        case .close: return false
        case .reset:
            lingerZero()
            return false
        }
    }

    private static func buffered(_ body: [UInt8]) -> OpaquePointer? {
        unsafe body.withUnsafeBytes { bytes in
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return unsafe MHD_create_response_from_buffer(bytes.count, start, .RESPMEM_MUST_COPY)
        }
    }

    private func queue(_ response: ServerResponse, _ made: OpaquePointer?) -> Bool {
        guard let made = unsafe made else { return false }
        defer { unsafe MHD_destroy_response(made) }
        for (name, value) in response.fields {
            _ = unsafe MHD_add_response_header(made, name, value)
        }
        return unsafe MHD_queue_response(connection, UInt32(clamping: response.status), made) == .YES
    }

    /// Makes the next close a reset (RST) instead of an orderly end.
    private func lingerZero() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        unsafe setsockopt(cmhd_socket(connection), SOL_SOCKET, SO_LINGER, &option, size)
    }
}
