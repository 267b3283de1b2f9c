// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Synchronization

/// A server on 127.0.0.1 that plays exact frames of HTTP/2 (RFC 9113) without TLS, which a front adds.
///
/// It looks at no field of a request and heeds no window: answers of less than 64 KiB fit the first one.
package final class FrameServer: Sendable {
    /// One thing the server does for a request.
    package enum Step: Sendable {
        /// Sends fields, each written out, in as many frames as they need.
        case headers([(String, String)], ends: Bool = false)
        /// Sends a piece of a body.
        case data([UInt8], ends: Bool = false)
        /// Sends a frame of any type on the request's stream, or on the connection itself.
        case frame(type: UInt8, flags: UInt8 = 0, [UInt8], onStream: Bool = true)
        /// Closes the connection.
        case close

        /// Sends the header of a successful answer with these fields.
        package static func ok(_ fields: [(String, String)] = [], ends: Bool = false) -> Step {
            .headers([(":status", "200")] + fields, ends: ends)
        }

        /// Ends the stream with an error (RFC 9113 §7).
        package static func reset(_ code: UInt8) -> Step { .frame(type: 3, [0, 0, 0, code]) }
    }

    /// What is done for one request.
    package typealias Script = [Step]

    /// The scripts that were not played yet; the last one stays.
    private final class Scripts: Sendable {
        private let left: Mutex<[Script]>

        init(_ scripts: [Script]) { left = Mutex(scripts) }

        func next() -> Script {
            left.withLock { left in left.count > 1 ? left.removeFirst() : left.first ?? [] }
        }
    }

    private let server: ConnectionServer
    /// The port the server listens on.
    package var port: Int { server.port }

    /// Starts a server that plays the scripts request by request, the last one for all further ones.
    ///
    /// - Throws: an error when no socket can be opened.
    package init(_ scripts: [Script]) throws {
        let scripts = Scripts(scripts)
        server = try ConnectionServer {
        } onStop: {
        } handler: { _, _, socket in
            FrameConnection(socket).serve { scripts.next() }
        } onClose: { _ in
        }
    }

    deinit {
        server.stop()
    }
}
