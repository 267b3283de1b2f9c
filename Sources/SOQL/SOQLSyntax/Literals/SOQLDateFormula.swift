// SPDX-License-Identifier: Apache-2.0

/// A range of whole days relative to today: `LAST_WEEK`, `LAST_N_DAYS:7`.
public enum SOQLDateFormula: Sendable, Hashable {
    /// A single day beside today.
    case yesterday, today, tomorrow
    /// The 90 days up to and including today, and the 90 days from tomorrow.
    case last90Days, next90Days
    /// The whole unit before, around or after today.
    case last(Unit), this(Unit), next(Unit)
    /// `LAST_N_…:n` and `NEXT_N_…:n`.
    case lastN(Unit, Int), nextN(Unit, Int)
    /// `N_…_AGO:n`.
    case nAgo(Unit, Int)

    /// The units of a range; the raw value is the singular in formula names.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// Calendar units. `DAY` stands only in formulas with a number.
        case day = "DAY", week = "WEEK", month = "MONTH", quarter = "QUARTER", year = "YEAR"
        /// Units of the fiscal year.
        case fiscalQuarter = "FISCAL_QUARTER", fiscalYear = "FISCAL_YEAR"
    }

    /// The formula of that name, any case, with the number after its colon.
    ///
    /// It is `nil` when there is no such formula, when it needs a number and has none, or the other way round.
    public init?(name: String, n: Int? = nil) {
        guard let entry = SOQLDateFormula.table[name.uppercased()] else { return nil }
        switch (entry, n) {
        case (.plain(let formula), nil): self = formula
        case (.counted(let make), let n?) where n >= 0: self = make(n)
        default: return nil
        }
    }

    /// Whether a formula of that name exists and, if so, whether it is followed by `:n`.
    package static func needsNumber(name: String) -> Bool? {
        switch table[name.uppercased()] {
        case .plain?: false
        case .counted?: true
        case nil: nil
        }
    }

    /// The names of all 44 formulas, in alphabetical order.
    public static var names: [String] { table.keys.sorted() }

    private enum Entry: Sendable {
        case plain(SOQLDateFormula)
        case counted(@Sendable (Int) -> SOQLDateFormula)
    }

    private static let table: [String: Entry] = {
        var table: [String: Entry] = [
            "YESTERDAY": .plain(.yesterday), "TODAY": .plain(.today), "TOMORROW": .plain(.tomorrow),
            "LAST_90_DAYS": .plain(.last90Days), "NEXT_90_DAYS": .plain(.next90Days),
        ]
        for unit in Unit.allCases {
            table["LAST_N_\(unit.rawValue)S"] = .counted { .lastN(unit, $0) }
            table["NEXT_N_\(unit.rawValue)S"] = .counted { .nextN(unit, $0) }
            table["N_\(unit.rawValue)S_AGO"] = .counted { .nAgo(unit, $0) }
            guard unit != .day else { continue }
            table["LAST_\(unit.rawValue)"] = .plain(.last(unit))
            table["THIS_\(unit.rawValue)"] = .plain(.this(unit))
            table["NEXT_\(unit.rawValue)"] = .plain(.next(unit))
        }
        return table
    }()

    /// Whether the number, if there is one, is not negative.
    public var isValid: Bool {
        switch self {
        case .lastN(_, let n), .nextN(_, let n), .nAgo(_, let n): n >= 0
        default: true
        }
    }

    /// The formula as written in a query.
    public var text: String {
        switch self {
        case .yesterday: "YESTERDAY"
        case .today: "TODAY"
        case .tomorrow: "TOMORROW"
        case .last90Days: "LAST_90_DAYS"
        case .next90Days: "NEXT_90_DAYS"
        case .last(let unit): "LAST_\(unit.rawValue)"
        case .this(let unit): "THIS_\(unit.rawValue)"
        case .next(let unit): "NEXT_\(unit.rawValue)"
        case .lastN(let unit, let n): "LAST_N_\(unit.rawValue)S:\(n)"
        case .nextN(let unit, let n): "NEXT_N_\(unit.rawValue)S:\(n)"
        case .nAgo(let unit, let n): "N_\(unit.rawValue)S_AGO:\(n)"
        }
    }
}
