// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLCheck

/// Findings for programs.
enum CheckJSON {
    static func report(_ files: [CheckedFile]) -> [UInt8] {
        let findings = files.flatMap { file in file.places.map { value(of: $0, in: file) } }
        let report: JSONValue = [
            "errors": JSONValue(files.reduce(0) { $0 + $1.count(.error) }),
            "files": JSONValue(files.count),
            "findings": JSONValue(JSONArray(findings)),
            "statements": JSONValue(files.reduce(0) { $0 + $1.statements }),
            "warnings": JSONValue(files.reduce(0) { $0 + $1.count(.warning) }),
        ]
        return report.bytes(pretty: true) + [UInt8(ascii: "\n")]
    }

    private static func value(of place: CheckedFile.Place, in file: CheckedFile) -> JSONValue {
        let finding = place.finding
        return [
            "file": JSONValue(file.name), "line": JSONValue(place.line), "column": JSONValue(place.column),
            "length": JSONValue(finding.length), "severity": JSONValue(finding.severity.rawValue),
            "rule": JSONValue(finding.rule.rawValue), "code": JSONValue(finding.code),
            "message": JSONValue(finding.message),
            "suggestions": JSONValue(JSONArray(finding.suggestions.map { JSONValue($0) })),
        ]
    }
}
