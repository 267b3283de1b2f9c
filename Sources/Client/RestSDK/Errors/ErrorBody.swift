// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
import RestXML

/// The information in the body of an error response, which can be JSON, XML, plain text, an HTML page, or empty.
///
/// Each step takes time proportional to the size of the body. At most ``ErrorText/maximumSize`` bytes of plain text or
/// HTML are read.
struct ErrorBody {
    let faults: [APIFault]
    let matchingRecords: [String]
    /// A summary of a body without errors and matching records, or `nil` if there is no text.
    let summary: String?
    let root: JSONValue?
    /// Whether the body is an HTML page, as sent by gateways.
    let isPage: Bool
    let soap: SOAPFault?

    /// The maximum length of a server's text in a message, in characters.
    private static let longestSummary = 200

    init(of response: HTTPResponse) {
        let text = ErrorText(of: response)
        soap = text.isPage ? SOAPFault(inResponse: text.text) : nil
        isPage = text.isPage && soap == nil
        root = try? JSONValue(parsing: response.body)
        if let root = root ?? (try? JSONValue(parsing: text.text)) {
            let paths = response.head.status == 300 ? root.array?.prefix(APIFault.mostFaults) : nil
            matchingRecords = paths?.compactMap { $0.string?.bounded } ?? []
            faults = APIFault.faults(in: root)
            summary = faults.isEmpty && matchingRecords.isEmpty ? Self.line(text.text) : nil
        } else if let soap {
            (faults, matchingRecords, summary) = ([soap.fault], [], nil)
        } else if let code = text.loneCode {
            (faults, matchingRecords, summary) = ([APIFault(errorCode: code, message: "")], [], nil)
        } else {
            (faults, matchingRecords, summary) = ([], [], Self.line(isPage ? text.heading : text.text))
        }
    }

    /// Returns the text as one line of bounded length without control characters.
    private static func line(_ text: String) -> String? {
        var line = ""
        var count = 0
        var isBetweenWords = false
        // prose: a summary for people
        for character in text {
            if character.isBlank {
                isBetweenWords = count > 0
                continue
            }
            let width = isBetweenWords ? 2 : 1
            guard count + width <= longestSummary else { return line + "…" }
            if isBetweenWords { line += " " }
            line.append(character)
            (count, isBetweenWords) = (count + width, false)
        }
        return line.isEmpty ? nil : line
    }
}

// prose: a summary for people
extension Character {
    fileprivate var isBlank: Bool {
        // prose: a summary for people
        isWhitespace || unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
}

/// The beginning of an error body as a string, decoded by its charset and repaired if it has invalid bytes.
struct ErrorText {
    /// The maximum number of bytes read from a body.
    static let maximumSize = 65_536

    let text: String
    private let type: String

    init(of response: HTTPResponse) {
        type = response.head.fields["Content-Type"]?.lowercased() ?? ""
        text = Self.text(Self.beginning(of: response.body), type: type)
    }

    var isPage: Bool {
        guard let first = text.first(where: { !$0.isBlank }) else { return false }
        return type.hasBytes(prefix: "text/html") || first == "<"
    }

    var heading: String {
        for tag in ["<title", "<h1", "<h2"] {
            guard let start = text.firstRange(bytes: tag),
                let (_, content) = text[start.upperBound...].cut(byte: ">")
            else { continue }
            return String(content.prefix(before: "<"))
        }
        return ""
    }

    /// The error code, if the body is nothing but a code, such as `Bad_OAuth_Token` from the identity service.
    var loneCode: APIFault.Code? {
        guard text.utf8.count <= 60, text.hasBytes("_"),
            text.utf8.allSatisfy({ UInt8(ascii: "_") == $0 || UnicodeScalar($0).properties.isAlphabetic })
        else { return nil }
        return APIFault.Code(rawValue: text)
    }

    /// Returns the first bytes of the body, and does not cut a UTF-8 character.
    private static func beginning(of body: [UInt8]) -> [UInt8] {
        guard body.count > maximumSize else { return body }
        let end = (maximumSize - 3...maximumSize).last { body[$0] & 0xC0 != 0x80 }
        return Array(body[..<(end ?? maximumSize)])
    }

    private static func text(_ body: [UInt8], type: String) -> String {
        if body.starts(with: [0xFE, 0xFF]) || type.hasBytes("utf-16be") { return wide(body) { $0 << 8 | $1 } }
        if body.starts(with: [0xFF, 0xFE]) || type.hasBytes("utf-16") { return wide(body) { $1 << 8 | $0 } }
        let utf8 = String(decoding: body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...], as: UTF8.self)
        guard type.hasBytes("8859-1") || type.hasBytes("windows-1252"), String(validating: body, as: UTF8.self) == nil
        else { return utf8 }
        return String(String.UnicodeScalarView(body.map { UnicodeScalar($0) }))
    }

    private static func wide(_ body: [UInt8], join: (UInt16, UInt16) -> UInt16) -> String {
        let units = stride(from: 0, to: body.count - 1, by: 2).map { join(UInt16(body[$0]), UInt16(body[$0 + 1])) }
        return String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self)
    }
}

/// The rejection of a session inside a list of Bayeux messages, which have status 200.
enum BayeuxRejection {
    /// Returns the error if the server rejected a message because the session has expired.
    ///
    /// A long response contains events. The session's next response reports the rejection too, without events.
    static func error(in response: HTTPResponse) -> RestError? {
        guard response.body.count < Call.longBody,
            let messages = (try? JSONValue(parsing: response.body))?.array
        else { return nil }
        for message in messages where message["successful"]?.bool == false {
            let reasons = [message["error"], message["ext"]?["sfdc"]?["failureReason"]].compactMap { $0?.string }
            guard let reason = reasons.first(where: { $0.hasBytes(prefix: "401:") }) else { continue }
            return RestError(
                .unauthorized, "the server rejected the session: \(reason.bounded.prefix(200))",
                response: response.head, body: response.body)
        }
        return nil
    }
}
