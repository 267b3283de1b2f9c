// SPDX-License-Identifier: Apache-2.0

extension SOQLQuery: CustomStringConvertible {
    /// The query in canonical form: one line, keywords in upper case, single blanks.
    ///
    /// Parsing it gives an equal tree.
    public var text: String { Printer.text { $0.print(self) } }

    /// The same as ``text``.
    public var description: String { text }
}

extension SOQLSelectItem {
    /// The entry as it is written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLExpression {
    /// The expression as it is written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLCondition {
    /// The condition as it is written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLComparison {
    /// The test as it is written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLWith {
    /// What stands behind WITH.
    public var text: String { Printer.text { $0.print(self) } }
}
