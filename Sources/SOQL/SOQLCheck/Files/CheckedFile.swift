// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// What was found in a file of queries.
package struct CheckedFile: Sendable {
    /// A finding with its place in the file.
    package struct Place: Sendable {
        package let finding: Finding
        /// Counted from 1; columns in Unicode scalars.
        package let line: Int, column: Int

        /// The names that were probably meant, as a question; `nil` when there are none.
        package var question: String? {
            guard !finding.suggestions.isEmpty else { return nil }
            return "did you mean \(finding.suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
        }
    }

    /// What it is called in reports.
    package let name: String
    /// What it has.
    package let text: String
    /// How many statements it has.
    package let statements: Int
    /// What was found, in the order of the text.
    package let places: [Place]

    /// Checks the statements of a text.
    package init(name: String, text: String, schema: QuerySchema?) {
        (self.name, self.text) = (name, text)
        let statements = StatementReader.statements(of: text)
        self.statements = statements.count
        places = statements.flatMap { Self.places(in: $0, schema) }
    }

    private static func places(in statement: Statement, _ schema: QuerySchema?) -> [Place] {
        if let fault = statement.fault {
            let position = SOQLPosition(line: fault.line, column: fault.column, offset: 0)
            let finding = Finding(syntax: fault.message, at: position, length: 1)
            return [Place(finding: finding, line: fault.line, column: fault.column)]
        }
        return CheckedQuery(statement, schema: schema).findings.map { finding in
            let place = statement.place(line: finding.position.line, column: finding.position.column)
            return Place(finding: finding, line: place.line, column: place.column)
        }
    }

    /// The lines of the file, as they are counted.
    package var lines: [String] {
        var (lines, line, isBehindReturn) = ([String](), String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            let isSecondHalf = isBehindReturn && scalar == "\n"
            isBehindReturn = scalar == "\r"
            if isSecondHalf { continue }
            guard scalar == "\n" || isBehindReturn else {
                line.append(scalar)
                continue
            }
            lines.append(String(line))
            line = String.UnicodeScalarView()
        }
        return lines + [String(line)]
    }

    /// How many findings are as bad as this.
    package func count(_ severity: Finding.Severity) -> Int { places.count { $0.finding.severity == severity } }
}
