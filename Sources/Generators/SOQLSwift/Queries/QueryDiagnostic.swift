// SPDX-License-Identifier: Apache-2.0

package import SOQLCheck

/// Something that is wrong with a file of a query, as compilers say it.
package struct QueryDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file as it was given.
    package let path: String
    /// The place, counted from 1; columns in Unicode scalars.
    package let line: Int, column: Int
    /// How bad it is.
    package let severity: Finding.Severity
    /// What is wrong, in one line.
    package let message: String

    package init(_ path: String, line: Int, column: Int, _ message: String, severity: Finding.Severity = .error) {
        (self.path, self.line, self.column, self.severity) = (path, line, column, severity)
        self.message = message
    }

    /// `FILE:LINE:COLUMN: error: MESSAGE`.
    package var description: String {
        let text = message.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : String($0) }.joined()
        return "\(path):\(line):\(column): \(severity.rawValue): \(text)"
    }
}

/// Why nothing is written: all that is wrong with the queries, the warnings too.
package struct QueryFaults: Error, Sendable {
    /// At least one of them is an error.
    package let diagnostics: [QueryDiagnostic]
}
