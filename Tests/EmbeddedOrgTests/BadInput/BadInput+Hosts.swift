// SPDX-License-Identifier: Apache-2.0

/// Requests that were meant for somebody else, or that somebody else made a browser send.
extension BadInput {
    private static func host(_ row: Int, _ line: String, _ statuses: Set<Int>) -> BadInput {
        BadInput(row, line, "GET /services/data HTTP/1.1\r\n\(line)\r\n\r\n", statuses)
    }

    private static let foreign: [(row: Int, fields: [String])] = [
        (8, ["Origin: https://evil.com"]), (8, ["Origin: null"]), (8, ["Origin: http://127.0.0.1:1"]),
        (8, ["Origin: "]),
        (8, ["Origin: {host}"]), (10, ["Sec-Fetch-Site: cross-site"]), (10, ["Sec-Fetch-Site: same-site"]),
        (10, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]),
        (9, ["Origin: https://evil.com", "Access-Control-Request-Method: POST"]),
    ]

    static let hosts: [BadInput] = addresses + types + foreignRequests

    private static let addresses: [BadInput] = [
        host(1, "Host: evil.com", [421]), host(1, "Host: 127.0.0.1", [421]), host(1, "Host: 127.0.0.1:1", [421]),
        host(1, "Host: localhost.evil.com:{port}", [421]), host(1, "Host: 2130706433:{port}", [421]),
        host(2, "X: y", [400]), host(2, "Host:", [400, 421]), host(3, "Host: {host}\r\nHost: {host}", [400]),
        host(3, "Host: {host}\r\nHost: evil.com", [400]), host(4, "Host: 127.0.0.1@evil.com", [400]),
        host(4, "Host: {host} evil", [400]), host(4, "Host: {host}/", [400]),
        host(4, "Host: {host}, evil.com", [400, 421]),
        BadInput(5, "absolute form", "GET http://evil.com/ HTTP/1.1\r\nHost: evil.com\r\n\r\n", [400, 421]),
        BadInput(6, "CONNECT", "CONNECT evil.com:443 HTTP/1.1\r\nHost: {host}\r\n\r\n", [400, 405]),
        BadInput(7, "another authority", "GET http://evil.com/services/data HTTP/1.1\r\nHost: {host}\r\n\r\n", [400]),
        BadInput(7, "the same authority", "GET http://{host}/services/data HTTP/1.1\r\nHost: {host}\r\n\r\n", [400]),
        call(
            12, "a foreign WebSocket", "GET", "/services/data",
            fields: [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Origin: https://evil.com",
            ],
            [403], "FORBIDDEN", ends: true),
    ]

    private static let types: [BadInput] = [
        call(
            11, "JSON as text", "POST", "{data}/sobjects/Account", body: "{}", fields: ["Content-Type: text/plain"],
            [415],
            "UNSUPPORTED_MEDIA_TYPE", at: "application/json", ends: true),
        call(
            11, "JSON as a form", "POST", "{data}/sobjects/Account", body: "{}",
            fields: ["Content-Type: application/x-www-form-urlencoded"], [415], "UNSUPPORTED_MEDIA_TYPE", ends: true),
        call(
            11, "almost JSON", "POST", "{data}/sobjects/Account", body: "{}",
            fields: ["Content-Type: application/jsonx"], [415],
            "UNSUPPORTED_MEDIA_TYPE", ends: true),
    ]

    private static let foreignRequests: [BadInput] = foreign.flatMap { (row: Int, fields: [String]) -> [BadInput] in
        ["GET", "POST", "PATCH", "DELETE", "OPTIONS"].map { (method: String) -> BadInput in
            let body = ["POST", "PATCH"].contains(method) ? #"{"Name":"x"}"# : nil
            return call(
                row, "\(method) \(fields[0])", method, "{data}/sobjects/Account/{id}", body: body, fields: fields,
                [403],
                "FORBIDDEN", ends: true)
        }
    }
}
