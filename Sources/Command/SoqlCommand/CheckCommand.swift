// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck

/// Findings as JSON.
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

extension Verb {
    static let check = Verb(
        "check", operands: ["FILE…"], "check files of queries without an org",
        notes: [
            """
            Each file may have several statements, each ending with ';'. FILE - is standard input. Without --schema \
            only the grammar is checked. With the schema of 'soql schema pull', or with describe results of an org, \
            objects, fields, relationships and the types of literals are also checked. A variable such as :name is \
            valid wherever a value is.
            """,
            "Exit codes: 0 no errors (warnings are allowed), 1 errors, 2 usage error.",
        ],
        [.checkSchema, .checkFormat]
    ) { arguments in
        guard !arguments.words.isEmpty else { throw UsageError("no files; give the files to check, or -") }
        return Command { try checkQueries(arguments) }
    }

    private static func checkQueries(_ arguments: Arguments) throws {
        let schemas = arguments.all(.checkSchema)
        let schema = schemas.isEmpty ? nil : try DescribedObjects.read(schemas)
        var files: [CheckedFile] = []
        for name in arguments.words {
            try Task.checkCancellation()
            let text = try StandardInput.read(file: name == "-" ? nil : name, most: 64 << 20)
            files.append(CheckedFile(name: name, text: text, schema: schema))
        }
        let isJSON = arguments[.checkFormat] == "json"
        try StandardOutput.write(isJSON ? CheckJSON.report(files) : Array(CheckText.report(files).utf8))
        let errors = files.reduce(0) { $0 + $1.count(.error) }
        guard errors > 0 else { return }
        let bad = files.count { $0.count(.error) > 0 }
        throw CommandFailure("\(counted(errors, "error")) in \(bad) of \(counted(files.count, "file"))")
    }
}

extension Option {
    static let checkSchema = Option("--schema", .input, "read the objects from a schema file; can be repeated")
    static let checkFormat = Option(
        "--format", .choice("FORMAT", ["text", "json"]), "print text or json (default: text)")
}

/// Findings as text: one line in the format of compilers, then the line of the file with the error underlined.
enum CheckText {
    static func report(_ files: [CheckedFile]) -> String {
        files.map { file in
            let lines = file.text.lines.map(String.init)
            return file.places.map { text(of: $0, in: file.name, lines) }.joined()
        }.joined()
    }

    private static func text(of place: CheckedFile.Place, in name: String, _ file: [String]) -> String {
        let finding = place.finding
        let head = "\(name):\(place.line):\(place.column): \(finding.severity.rawValue): \(finding.message)"
        var lines = ["\(head) [\(finding.rule.rawValue)]".singleLine]
        if file.indices.contains(place.line - 1),
            let mark = mark(file[place.line - 1], place.column, length: finding.length)
        {
            lines.append(mark)
        }
        if let question = place.question { lines.append("  " + question.singleLine) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The number of characters of a long line that are shown on each side of a column.
    private static let context = 120

    /// A line, shortened if it is long, with the text at a column underlined.
    private static func mark(_ line: String, _ column: Int, length: Int) -> String? {
        let scalars = line.unicodeScalars
        let start = Swift.max(0, column - 1 - context)
        let chunk = String(scalars.dropFirst(start).prefix(2 * context))
        let rest = Swift.max(0, chunk.unicodeScalars.count - (column - 1 - start))
        guard let caret = Caret(at: APIFault.Position(row: 1, column: column - start), in: chunk) else { return nil }
        return caret.text + String(repeating: "~", count: Swift.max(0, Swift.min(length, rest) - 1))
    }
}
