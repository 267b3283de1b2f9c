// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestTransport

/// Prints every request on standard error on its way to the server, also those that get tokens.
struct TracingTransport: HTTPTransport {
    let base: any HTTPTransport

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        StandardOutput.note(CurlLine(request).text)
        let start = ContinuousClock.now
        // bounded: by the deadline of the request
        func milliseconds() -> Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }
        do throws(TransportError) {
            let response = try await base.send(request, to: destination, deadline: deadline, progress: progress)
            let size = if case .bytes(let bytes) = response.content { ", \(bytes.count) bytes" } else { "" }
            StandardOutput.note("# \(response.head.status)\(size), \(milliseconds()) ms")
            return response
        } catch {
            StandardOutput.note("# \(error.code): \(error.message), \(milliseconds()) ms".singleLine)
            throw error
        }
    }

    func shutdown() async { await base.shutdown() }
}

/// A request as a line that a shell can run once `SF_ACCESS_TOKEN` is set.
struct CurlLine {
    let text: String

    /// No body of more bytes stands in a line.
    private static let mostBody = 4_096

    init(_ request: HTTPRequest) {
        text = request.curlCommand(body: Self.body(request)) { field in
            let isBearer = field.isSecret && field.value.hasBytes(prefix: "Bearer ")
            if isBearer, field.name.lowercased() == "authorization" {
                return #""Authorization: Bearer $SF_ACCESS_TOKEN""#
            }
            let shown = field.isSecret ? (isBearer ? "Bearer " : "") + ShownBody.hidden : field.value
            return "\(field.name): \(shown)".shellQuoted
        }
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

/// The body of a request or an answer as text without secrets.
enum ShownBody {
    /// What stands in the place of a secret.
    static let hidden = "***"

    /// The text, as far as it can be shown; `nil` for what is no text, or too long.
    ///
    /// Values are hidden by the names that they have in JSON and in forms.
    static func text(_ bytes: [UInt8], type: String?, atMost most: Int) -> String? {
        guard bytes.count <= most, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let kind = (type ?? "").lowercased()
        if kind.hasBytes(prefix: "application/x-www-form-urlencoded") { return HTTPURL.redactedForm(text) }
        if kind.hasBytes("json") {
            guard let value = try? JSONValue(parsing: bytes) else { return nil }
            let shown = value.rewriting { SecretName.isSecret($0) && $1.string != nil ? JSONValue(hidden) : $1 }
            return String(decoding: shown.bytes(), as: UTF8.self)
        }
        // Nobody knows where the secrets of another form are, such as those of a call by SOAP.
        return kind.hasBytes(prefix: "text/csv") || kind.hasBytes(prefix: "text/plain") ? text : nil
    }
}
