// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import RestXML

/// Serves the redirect at the end of a login, one connection after another.
///
/// A silent connection is closed after half a second, because browsers open spare ones. A slow connection is closed
/// after ``patience``. So no connection blocks the redirect for long.
struct CallbackServer: Sendable {
    /// Cancels a wait from any thread, even before the wait begins.
    struct Bell: Sendable {
        fileprivate let listening: Socket
        private let ringing: Socket

        init?() {
            guard let (first, second) = try? Socket.pair() else { return nil }
            (listening, ringing) = (first, second)
        }

        func ring() { ringing.interrupt() }
    }

    let rules: CallbackRules
    /// The maximum time for a connection to send its request head.
    let patience: Duration
    let bell: Bell

    /// The maximum silence at the start of a connection, and the maximum time for the client to close it.
    private static let silence = Duration.milliseconds(500)

    /// Serves, and blocks the thread, until the redirect has arrived, the deadline has passed or the bell rings.
    ///
    /// - Throws: ``OAuthError``: the server's error, `.timedOut`, `.cancelled`, or `.invalidRequest` without listeners.
    func serve(_ listeners: [Socket], until deadline: ContinuousClock.Instant) throws(OAuthError) -> String {
        guard !listeners.isEmpty else {
            throw OAuthError(.invalidRequest, "the listener was already used or closed; create a new one")
        }
        while let index = try ready(listeners, until: deadline) {
            let socket: Socket
            do throws(Socket.Failure) {
                guard let accepted = try listeners[index].accepted(withinMilliseconds: 0) else { continue }
                socket = accepted
            } catch {
                // No file descriptor is free. The connection stays in the queue, so polling again at once would spin.
                _ = try ready([], until: .now + .milliseconds(50))
                continue
            }
            if let outcome = try converse(on: socket) { return try outcome.get() }
        }
        throw OAuthError(.timedOut, "the browser did not return in time; start a new login")
    }

    /// The index of the first socket that has input, or `nil` after the time limit.
    private func ready(_ sockets: [Socket], until limit: ContinuousClock.Instant) throws(OAuthError) -> Int? {
        while true {
            let (seconds, attoseconds) = ContinuousClock.now.duration(to: limit).components
            guard seconds >= 0, attoseconds >= 0 else { return nil }
            // Rounded up, so that the loop does not spin just before the limit.
            let left = seconds < 3_600 ? Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) + 1 : 3_600_000
            let ready = Socket.waitForInput([bell.listening] + sockets, milliseconds: left)
            if ready[0] { throw OAuthError(.cancelled, "cancelled while waiting for the browser") }
            if let index = ready.dropFirst().firstIndex(of: true) { return index - 1 }
        }
    }

    /// Responds to a connection, and returns `nil` to continue waiting.
    private func converse(on socket: Socket) throws(OAuthError) -> Result<String, OAuthError>? {
        guard let response = try respond(on: socket) else { return nil }
        _ = socket.send(response.page.response(response.status))
        socket.finishSending()
        // Closing a socket with unread bytes would discard the response.
        let end = ContinuousClock.now + Self.silence
        while let bytes = try? receive(on: socket, until: end), !bytes.isEmpty {}
        return response.outcome
    }

    /// Reads a request head and returns the response, or `nil` if the client is gone or silent.
    private func respond(on socket: Socket) throws(OAuthError) -> CallbackRules.Response? {
        let start = ContinuousClock.now
        var bytes: [UInt8] = []
        while true {
            let known = bytes.count
            let limit = start + (known == 0 ? min(patience, Self.silence) : patience)
            guard let more = try receive(on: socket, until: limit) else {
                return known == 0 ? nil : CallbackRules.Response(408, .refused)
            }
            guard !more.isEmpty else { return nil }
            bytes += more
            let end = CallbackRequest.end(of: bytes, lookingFrom: known)
            guard end ?? bytes.count <= CallbackRequest.headerLimit else {
                return CallbackRules.Response(431, .refused)
            }
            if let end { return rules.respond(to: CallbackRequest(bytes[..<end])) }
        }
    }

    /// The next bytes of the client: empty if the client is gone, `nil` after the time limit.
    private func receive(
        on socket: Socket, until limit: ContinuousClock.Instant
    ) throws(OAuthError) -> [UInt8]? {
        try ready([socket], until: limit).map { _ in socket.receive() ?? [] }
    }
}

struct CallbackRequest: Equatable {
    let method: String
    /// Path and query as received.
    let target: String
    /// All `Host` headers, in lower case.
    let hosts: [String]

    /// The maximum size in bytes, far more than a redirect with code and state has.
    static let headerLimit = 16_384

    /// The end of the request head in the bytes so far, or `nil` if it is incomplete.
    static func end(of bytes: [UInt8], lookingFrom start: Int) -> Int? {
        let blank = Array("\r\n\r\n".utf8)
        return (max(0, start - 3)..<max(0, bytes.count - 3)).first { bytes[$0...].starts(with: blank) }
    }

    /// Reads a request head, or returns `nil` if it is not HTTP/1.
    init?(_ header: ArraySlice<UInt8>) {
        let lines = String(decoding: header, as: UTF8.self).lines
        let parts = lines[0].split(byte: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].hasBytes(prefix: "/"),
            parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0"
        else { return nil }
        (method, target) = (String(parts[0]), String(parts[1]))
        hosts = lines.dropFirst().compactMap { line in
            guard let (name, value) = line.cut(byte: ":"), String(name).isEqualIgnoringASCIICase(to: "host") else {
                return nil
            }
            return value.drop(anyOf: " \t").lowercased()
        }
    }
}

/// Decides on the response to a request, and whether the request ends the wait: a value without I/O.
struct CallbackRules: Sendable {
    /// The valid values of `Host`, in lower case, to detect DNS rebinding.
    let hosts: Set<String>
    let path: String
    /// Scheme, host and port of the redirect URI.
    let origin: String
    let login: PendingLogin

    struct Response {
        let status: Int
        let page: CallbackPage
        /// The result of the wait: the redirect URL, the login's error, or `nil` to continue waiting.
        var outcome: Result<String, OAuthError>?

        init(_ status: Int, _ page: CallbackPage, outcome: Result<String, OAuthError>? = nil) {
            self.status = status
            self.page = page
            self.outcome = outcome
        }
    }

    /// The values of `Host` that a browser sends to a port of the local machine.
    ///
    /// It leaves out port 80 (RFC 9110 §4.2.3 and §7.2), even if the redirect URI has it.
    static func hosts(_ name: String, port: Int) -> Set<String> {
        port == 80 ? ["\(name):80", name] : ["\(name):\(port)"]
    }

    /// The response to a request, or to a malformed request if `nil`.
    func respond(to request: CallbackRequest?) -> Response {
        guard let request, request.hosts.count == 1 else { return Response(400, .refused) }
        guard hosts.contains(request.hosts[0]) else { return Response(421, .refused) }
        guard request.target.prefix(before: "?") == path else { return Response(404, .refused) }
        // A HEAD request, which virus scanners and link previews make, must not use up the login.
        guard request.method == "GET" else { return Response(405, .refused) }
        let url = origin + request.target
        do {
            _ = try login.code(from: url)
            return Response(200, .received, outcome: .success(url))
        } catch  where PendingLogin.isStray(error) {
            return Response(400, .stray)
        } catch {
            return Response(400, .failed(error.message), outcome: .failure(error))
        }
    }
}

/// The page that the browser shows at the end of a login.
enum CallbackPage: Equatable {
    case received
    /// The login failed, with the server's message.
    case failed(String)
    /// The redirect belongs to another login.
    case stray
    /// The request is not a redirect.
    case refused

    private var texts: (title: String, text: String) {
        switch self {
        case .received: ("Back to the program", "The program has received the login. You can close this page.")
        case .failed(let reason): ("The login failed", reason)
        case .stray: ("Not this login", "This page belongs to another login, or to a login that has ended.")
        case .refused: ("Nothing here", "This URL only receives the redirects of logins.")
        }
    }

    /// The page as HTML, with external strings escaped, that loads and runs nothing.
    var html: String {
        let (title, text) = texts
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(XMLText.escaped(title))</title>\
            <style>body{font:1.1em/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32em;padding:0 1em}</style>\
            </head><body><h1>\(XMLText.escaped(title))</h1><p>\(XMLText.escaped(text))</p></body></html>

            """
    }

    /// The complete response (RFC 9112), after which the connection closes.
    func response(_ status: Int) -> [UInt8] {
        let body = Array(html.utf8)
        var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Refused")\r\n"
        head += "Content-Type: text/html; charset=utf-8\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
        head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
        head += "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
        if status == 405 { head += "Allow: GET\r\n" }
        return Array("\(head)\r\n".utf8) + body
    }

    private static let reasons = [
        200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        421: "Misdirected Request", 431: "Request Header Fields Too Large",
    ]
}
