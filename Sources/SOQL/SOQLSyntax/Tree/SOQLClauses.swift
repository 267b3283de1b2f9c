// SPDX-License-Identifier: Apache-2.0

/// Which groups the expressions of GROUP BY make.
public enum SOQLGrouping: String, Sendable, Hashable, CaseIterable {
    /// One for each combination of values.
    case plain = ""
    /// Beside those the subtotals from right to left, and the total.
    case rollup = "ROLLUP"
    /// Beside those the subtotals of every choice of expressions, and the total.
    case cube = "CUBE"
}

/// What the user does with the rows; the raw value is the word behind FOR.
public enum SOQLUsage: String, Sendable, Hashable, CaseIterable {
    /// Looks at them.
    case view = "VIEW"
    /// Uses them from something else.
    case reference = "REFERENCE"
}

/// The statistics of articles; the raw value is the word behind UPDATE.
public enum SOQLStatistic: String, Sendable, Hashable, CaseIterable {
    /// The keywords that articles were looked for with.
    case tracking = "TRACKING"
    /// How often an article was seen.
    case viewstat = "VIEWSTAT"
}

/// The clauses that a query has in Apex only; the raw value is the clause.
public enum SOQLApexClause: String, Sendable, Hashable, CaseIterable {
    /// Locks the rows.
    case forUpdate = "FOR UPDATE"
    /// Reads deleted rows too.
    case allRows = "ALL ROWS"
}

/// The groups of fields that FIELDS() stands for; the raw value is its argument.
public enum SOQLFieldGroup: String, Sendable, Hashable, CaseIterable {
    /// Every field.
    case all = "ALL"
    /// Those that every org has.
    case standard = "STANDARD"
    /// Those that this org added.
    case custom = "CUSTOM"
}
