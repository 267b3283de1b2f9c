// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

/// A request as a line that a shell can run once `SF_ACCESS_TOKEN` is set.
struct CurlLine {
    let text: String

    /// No body of more bytes stands in a line.
    private static let mostBody = 4_096

    init(_ request: HTTPRequest) {
        var words = ["curl", "--request", request.method.rawValue]
        for field in request.fields { words += ["--header", Self.header(field)] }
        words += Self.body(request)
        text = (words + [HTTPRequest.quoted(request.url.redacted)]).joined(separator: " ")
    }

    private static func header(_ field: HTTPFields.Field) -> String {
        if field.name.lowercased() == "authorization", field.value.hasPrefix("Bearer ") {
            return #""Authorization: Bearer $SF_ACCESS_TOKEN""#
        }
        return HTTPRequest.quoted("\(field.name): \(ShownBody.value(field))")
    }

    private static func body(_ request: HTTPRequest) -> [String] {
        switch request.body {
        case .empty: return []
        case .bytes(let bytes):
            let type = request.fields["Content-Type"]
            guard let text = ShownBody.text(bytes, type: type, atMost: mostBody) else { break }
            return ["--data-raw", HTTPRequest.quoted(text)]
        case .file(let file): return ["--data-binary", HTTPRequest.quoted("@\(file.path)")]
        case .stream: break
        }
        return ["--data-binary", "@BODY"]
    }
}
