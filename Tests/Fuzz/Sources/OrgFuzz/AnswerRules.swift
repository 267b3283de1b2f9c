// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// The rules for every response of an org, regardless of the request.
enum ResponseRules {
    /// Returns the error in a response, or `nil` for a valid response.
    static func fault(of response: HTTPResponse, to request: HostileRequest) -> String? {
        let status = response.head.status
        let type = response.head.fields["Content-Type"] ?? ""
        let isXML = type.hasPrefix("text/xml")
        // SOAP reports every error with status 500 (SOAP 1.1, section 6.2).
        guard (200..<500).contains(status) || status == 500 && isXML else { return "\(status)" }
        for field in response.head.fields where field.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return "\(status) with a control character in \(field.name)"
        }
        if status == 405, response.head.fields["Allow"] == nil { return "405 without Allow" }
        guard status >= 400, !response.body.isEmpty || !["HEAD", "OPTIONS"].contains(request.method) else {
            return success(response, type)
        }
        if isXML { return response.body.isEmpty ? "\(status) without XML" : nil }
        // The identity service responds with plain words, such as Bad_OAuth_Token.
        if type.hasPrefix("text/plain"),
            ["/id/", "/services/oauth2/userinfo"].contains(where: request.target.hasPrefix)
        {
            return response.body.isEmpty ? "\(status) without a word" : nil
        }
        if type.hasPrefix("text/html") { return response.body.isEmpty ? "\(status) with an empty page" : nil }
        guard type.hasPrefix("application/json"), let json = try? JSONValue(parsing: response.body) else {
            return "\(status) that is no JSON: \(String(decoding: response.body.prefix(100), as: UTF8.self))"
        }
        return isOAuth(json) || isFaults(json) ? nil : "\(status) of another shape: \(json)"
    }

    private static func success(_ response: HTTPResponse, _ type: String) -> String? {
        guard type.hasPrefix("application/json"), !response.body.isEmpty,
            response.head.fields["Content-Encoding"] == nil, (try? JSONValue(parsing: response.body)) == nil
        else { return nil }
        return "\(response.head.status) that is no JSON: \(String(decoding: response.body.prefix(100), as: UTF8.self))"
    }

    /// `{"error", "error_description"}` (RFC 6749 §5.2).
    private static func isOAuth(_ json: JSONValue) -> Bool { json["error"]?.string?.isEmpty == false }

    /// `[{"message", "errorCode"}]`.
    private static func isFaults(_ json: JSONValue) -> Bool {
        // Each record of a tree has its own errors.
        if json["hasErrors"]?.bool == true { return json["results"]?.array?.isEmpty == false }
        guard let list = json.array, !list.isEmpty else { return false }
        return list.allSatisfy { fault in
            let code = fault["errorCode"]?.string ?? ""
            return fault["message"]?.string?.isEmpty == false && !code.isEmpty
                && code.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        }
    }
}

/// A request that is invalid, or nearly invalid.
struct HostileRequest: Sendable, CustomStringConvertible {
    var method: String
    var target: String
    var fields = HTTPFields()
    var body: [UInt8] = []

    /// The request in a form that can be sent again.
    var description: String {
        let lines = fields.map { "\($0.name): \($0.value.prefix(200))" }
        return "\(method) \(target.prefix(300)) \(lines) \(String(decoding: body.prefix(600), as: UTF8.self))"
    }
}
