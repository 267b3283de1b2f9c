// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestText
import RestTransport

/// A request as a line that a shell can run once `SF_ACCESS_TOKEN` is set.
struct CurlLine {
    let text: String

    /// No body of more bytes stands in a line.
    private static let mostBody = 4_096

    init(_ request: HTTPRequest) {
        var words = ["curl", "--request", request.method.rawValue.shellWord]
        for field in request.fields { words += ["--header", Self.header(field)] }
        words += Self.body(request)
        text = (words + [request.url.redacted.shellQuoted]).joined(separator: " ")
    }

    private static func header(_ field: HTTPFields.Field) -> String {
        if field.name.lowercased() == "authorization", field.value.hasBytes(prefix: "Bearer ") {
            return #""Authorization: Bearer $SF_ACCESS_TOKEN""#
        }
        return "\(field.name): \(ShownBody.value(field))".shellQuoted
    }

    private static func body(_ request: HTTPRequest) -> [String] {
        switch request.body {
        case .empty: return []
        case .bytes(let bytes):
            let type = request.fields["Content-Type"]
            guard let text = ShownBody.text(bytes, type: type, atMost: mostBody) else { break }
            return ["--data-raw", text.shellQuoted]
        case .file(let file): return ["--data-binary", "@\(file.path)".shellQuoted]
        case .stream: break
        }
        return ["--data-binary", "@BODY"]
    }
}
