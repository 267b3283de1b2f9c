// SPDX-License-Identifier: Apache-2.0

extension SOQLLiteral {
    /// Reads one literal as it stands in a query.
    ///
    /// - Returns: `nil` when the text is none, is more than one, or names a day or a time that does not exist.
    package init?(parsing text: String) {
        guard var parser = try? Parser(text), let value = try? parser.parseLiteral(), parser.token.kind == .end,
            value.literal.isValid
        else { return nil }
        self = value.literal
    }
}
