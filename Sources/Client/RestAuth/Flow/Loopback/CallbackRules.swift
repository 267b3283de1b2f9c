// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Decides how a request to the browser's way back is answered, and whether it ends the wait: a value without I/O.
struct CallbackRules: Sendable {
    /// The only values of `Host` that a request may have, in lower case; another name is a rebound one.
    let hosts: Set<String>
    /// The only path that is served.
    let path: String
    /// Scheme, host and port of the redirect URI.
    let origin: String
    /// The login that is waited for.
    let login: PendingLogin

    /// What is sent back, and what it means for the wait.
    struct Answer {
        let status: Int
        let page: CallbackPage
        /// The end of the wait: the whole redirect, or why the login failed.
        ///
        /// `nil` goes on waiting.
        var outcome: Result<String, OAuthError>?

        init(_ status: Int, _ page: CallbackPage, outcome: Result<String, OAuthError>? = nil) {
            self.status = status
            self.page = page
            self.outcome = outcome
        }
    }

    /// What a browser sends as `Host` to a port of this machine.
    ///
    /// It leaves out the port of http (RFC 9110 §4.2.3 and §7.2), though the redirect URI has it.
    static func hosts(_ name: String, port: UInt16) -> Set<String> {
        port == 80 ? ["\(name):80", name] : ["\(name):\(port)"]
    }

    func answer(to reading: CallbackRequest.Reading) -> Answer? {
        switch reading {
        case .incomplete: nil
        case .refused(let status): Answer(status, .refused)
        case .request(let request): answer(to: request)
        }
    }

    private func answer(to request: CallbackRequest) -> Answer {
        guard request.hosts.count == 1 else { return Answer(400, .refused) }
        guard hosts.contains(request.hosts[0]) else { return Answer(421, .refused) }
        guard request.target.prefix(before: "?") == path else { return Answer(404, .refused) }
        // A HEAD request, which virus scanners and link previews make, must not use up the login.
        guard request.method == "GET" else { return Answer(405, .refused) }
        let url = origin + request.target
        do {
            _ = try login.code(from: url)
            return Answer(200, .received, outcome: .success(url))
        } catch  where PendingLogin.isStray(error) {
            return Answer(400, .stray)
        } catch {
            return Answer(400, .failed(error.message), outcome: .failure(error))
        }
    }
}

/// The page that the browser shows at the end of a login.
enum CallbackPage: Equatable {
    /// The redirect is there.
    case received
    /// The login failed; the text is the server's.
    case failed(String)
    /// The redirect is not the awaited one.
    case stray
    /// The request is none that a browser makes at the end of a login.
    case refused

    private var texts: (title: String, text: String) {
        switch self {
        case .received: ("Back to the program", "The program has the answer of the login. You can close this page.")
        case .failed(let reason): ("The login failed", reason)
        case .stray: ("Not this login", "This page belongs to another login, or to one that is over.")
        case .refused: ("Nothing here", "This address only ends logins.")
        }
    }

    /// The page as HTML; nothing in it comes unescaped from outside, and it loads and runs nothing.
    var html: String {
        let (title, text) = texts
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(Self.escaped(title))</title>\
            <style>body{font:1.1em/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32em;padding:0 1em}</style>\
            </head><body><h1>\(Self.escaped(title))</h1><p>\(Self.escaped(text))</p></body></html>

            """
    }

    /// The whole response (RFC 9112); the connection ends behind it.
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
        414: "URI Too Long", 421: "Misdirected Request", 431: "Request Header Fields Too Large",
        505: "HTTP Version Not Supported",
    ]

    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { output, character in
            switch character {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.append(character)
            }
        }
    }
}
