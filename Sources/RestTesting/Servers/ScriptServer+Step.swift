// SPDX-License-Identifier: Apache-2.0

extension ScriptServer {
    /// One thing the server does on a connection.
    public enum Step: Sendable {
        /// Reads one whole request: header and the body its framing announces.
        case readRequest
        /// Reads up to the blank line behind a request's header and leaves the body unread.
        case readHeader
        /// Reads until the peer closes.
        case readToEnd
        /// Sends exactly these bytes.
        case sendBytes([UInt8])
        /// Sends the bytes one by one with a pause after each.
        case drip([UInt8], every: Duration)
        /// Sends these bytes over and over until the peer is gone or the count is reached.
        case flood([UInt8], count: Int)
        /// Does nothing for a while.
        case pause(Duration)
        /// Passes everything on to a port of this machine, and back, until one side ends, as a proxy's tunnel does.
        case relay(toPort: Int)
        /// Closes the sending side only.
        case finishSending
        /// Closes with a reset, which discards what is still on its way.
        case reset

        /// Sends this text as it is.
        public static func send(_ text: String) -> Step { .sendBytes(Array(text.utf8)) }

        /// Sends a complete answer with a `Content-Length`.
        public static func respond(status: Int = 200, fields: [(String, String)] = [], _ body: String = "") -> Step {
            let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
            return .send("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)")
        }
    }

    /// What a connection does from its start; it is closed after the last step.
    public typealias Script = [Step]
}
