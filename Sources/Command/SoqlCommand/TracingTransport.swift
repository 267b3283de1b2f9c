// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestTransport

/// Prints every request on standard error before it is sent, including requests for tokens.
struct TracingTransport: OuterTransport {
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

/// A request as a shell command that requires `SF_ACCESS_TOKEN`.
struct CurlLine {
    let text: String

    /// The maximum size of a body in the command.
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

/// The body of a request or response as text without secrets.
enum ShownBody {
    /// The replacement for a secret.
    static let hidden = "***"

    /// The text with secret values of JSON and forms hidden, or `nil` if it is not text, too long, or of another type.
    static func text(_ bytes: [UInt8], type: String?, atMost most: Int) -> String? {
        guard bytes.count <= most, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let kind = (type ?? "").lowercased()
        if kind.hasBytes(prefix: "application/x-www-form-urlencoded") { return HTTPURL.redactedForm(text) }
        if kind.hasBytes("json") {
            guard let value = try? JSONValue(parsing: bytes) else { return nil }
            let shown = value.rewriting { SecretName.isSecret($0) && $1.string != nil ? JSONValue(hidden) : $1 }
            return String(decoding: shown.bytes(), as: UTF8.self)
        }
        // The positions of secrets in other formats, such as SOAP, are unknown.
        return kind.hasBytes(prefix: "text/csv") || kind.hasBytes(prefix: "text/plain") ? text : nil
    }
}
