// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestText
import SOQLCheck

/// Findings in SARIF 2.1.0 (OASIS), which editors and code hosts read.
enum CheckSARIF {
    private static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

    static func report(_ files: [CheckedFile]) -> [UInt8] {
        let results = files.flatMap { file in file.places.map { result(of: $0, in: file) } }
        let driver: JSONValue = [
            "name": "soql", "version": JSONValue(RestClient.version),
            "rules": JSONValue(JSONArray(Rule.allCases.map(rule))),
        ]
        let artifacts = files.map { file -> JSONValue in ["location": location(of: file)] }
        let run: JSONValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
            "artifacts": JSONValue(JSONArray(artifacts)), "results": JSONValue(JSONArray(results)),
        ]
        let log: JSONValue = ["$schema": JSONValue(schema), "version": "2.1.0", "runs": [run]]
        return log.bytes(pretty: true) + [UInt8(ascii: "\n")]
    }

    private static func rule(_ rule: Rule) -> JSONValue {
        [
            "id": JSONValue(rule.rawValue), "shortDescription": ["text": JSONValue(rule.summary)],
            "defaultConfiguration": ["level": JSONValue(rule.severity.rawValue)],
            "properties": ["code": JSONValue(rule.code)],
        ]
    }

    private static func result(of place: CheckedFile.Place, in file: CheckedFile) -> JSONValue {
        let finding = place.finding
        let message = [finding.message, place.question].compactMap(\.self).joined(separator: " ")
        // The end is the column behind the last one.
        let region: JSONValue = [
            "startLine": JSONValue(place.line), "startColumn": JSONValue(place.column),
            "endLine": JSONValue(place.line), "endColumn": JSONValue(place.column + finding.length),
        ]
        return [
            "ruleId": JSONValue(finding.rule.rawValue),
            "ruleIndex": JSONValue(Rule.allCases.firstIndex(of: finding.rule) ?? 0),
            "level": JSONValue(finding.severity.rawValue), "message": ["text": JSONValue(message)],
            "locations": [["physicalLocation": ["artifactLocation": location(of: file), "region": region]]],
        ]
    }

    /// A relative path stays one, so that a report fits every copy of the project.
    private static func location(of file: CheckedFile) -> JSONValue {
        guard file.name != "-" else { return ["uri": "stdin"] }
        let path = file.name.removing(prefix: "./").map(String.init) ?? file.name
        let isAbsolute = path.hasBytes(prefix: "/")
        return ["uri": JSONValue((isAbsolute ? "file://" : "") + path.encodedPath)]
    }
}

extension String {
    /// The path in a URI: other bytes than letters, digits, `-._~` and `/` are written as `%XX`.
    fileprivate var encodedPath: String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        return utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
