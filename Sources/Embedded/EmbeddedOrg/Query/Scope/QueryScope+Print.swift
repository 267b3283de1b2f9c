// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// The functions that give a field as a reader wants to see it.
enum PrintFunction: String {
    case label = "TOLABEL", format = "FORMAT", currency = "CONVERTCURRENCY"
}

extension QueryScope {
    /// A function of a field; of one below a certain row, if a row is given.
    func apply(
        _ function: PrintFunction, _ call: SOQLCall, _ use: ExpressionUse, below row: Parent? = nil
    ) throws(QueryError) -> Operand {
        switch function {
        case .label: return try label(call, row)
        case .format: return try formatted(call, use, row)
        case .currency: return try converted(call, use, row)
        }
    }

    /// A field below a certain row, or a function that prints it.
    func operand(_ expression: SOQLExpression, below row: Parent) throws(QueryError) -> Operand {
        switch expression {
        case .path(let path): return try resolve(path.parts, below: row, path)
        case .call(let call):
            guard let function = PrintFunction(rawValue: call.function.uppercased()) else { throw unsupported(call) }
            return try apply(function, call, .selection, below: row)
        case .distance(let distance): throw misplaced(distance)
        }
    }

    /// The error for a distance inside of TYPEOF.
    func misplaced(_ distance: SOQLDistance) -> QueryError {
        compilation.error(.malformedQuery, "DISTANCE() is not allowed inside TYPEOF", at: distance.position)
    }

    func resolve(_ path: SOQLPath, _ row: Parent?) throws(QueryError) -> Operand {
        guard let row else { return try resolve(path) }
        return try resolve(path.parts, below: row, path)
    }

    /// `toLabel(field)`: the label of a picklist value, which is the value itself unless a schema says otherwise.
    private func label(_ call: SOQLCall, _ row: Parent?) throws(QueryError) -> Operand {
        guard case .path(let path)? = call.argument else { throw unsupported(call) }
        let operand = try resolve(path, row)
        guard operand.kind == .text else {
            throw compilation.error(
                .invalidField, "toLabel() takes a picklist, not \(operand.field.name)", at: call.position)
        }
        return operand.labelled
    }

    /// `convertCurrency(field)`: the amount in the user's currency; in an org with one currency it stays as it is.
    private func converted(
        _ call: SOQLCall, _ use: ExpressionUse, _ row: Parent?
    ) throws(QueryError) -> Operand {
        try checkSelection(call, use)
        guard case .path(let path)? = call.argument else {
            throw compilation.error(.malformedQuery, "convertCurrency() takes one field", at: call.position)
        }
        let operand = try resolve(path, row)
        guard operand.field.type == .currency else {
            throw compilation.error(
                .invalidField, "convertCurrency() takes a currency field, not \(operand.field.name)", at: call.position)
        }
        return try inUsersCurrency(operand, path, row)
    }

    /// `FORMAT(expression)`: the value as a text for a reader in the United States, times in the user's zone.
    private func formatted(
        _ call: SOQLCall, _ use: ExpressionUse, _ row: Parent?
    ) throws(QueryError) -> Operand {
        try checkSelection(call, use)
        guard let argument = call.argument else {
            throw compilation.error(.malformedQuery, "FORMAT() takes one field", at: call.position)
        }
        let operand =
            if let row { try operand(argument, below: row) } else { try operand(argument, use) }
        guard let sql = PrintedValue(operand, compilation).sql else {
            throw compilation.error(
                .invalidField, "FORMAT() takes a number, a date or a currency field, not \(operand.field.name)",
                at: call.position)
        }
        return operand.applying(sql, .text, position: call.position)
    }

    private func checkSelection(_ call: SOQLCall, _ use: ExpressionUse) throws(QueryError) {
        guard !use.isSelection else { return }
        throw compilation.error(
            .malformedQuery, "the function \(call.function)() is allowed in the select list only", at: call.position)
    }
}

extension Operand {
    /// The labels of the values.
    fileprivate var labelled: Operand {
        let cases = field.picklistValues.filter { $0.label != $0.value }.map { choice in
            " WHEN \(string: choice.value) THEN \(string: choice.label)" as SQLFragment
        }
        guard field.type == .picklist, !cases.isEmpty else { return self }
        let sql: SQLFragment = "(CASE \(self.sql) COLLATE NOCASE\(cases.joined(separator: "")) ELSE \(self.sql) END)"
        return applying(sql, .text, position: position)
    }
}

/// A value as FORMAT() prints it; null of null.
private struct PrintedValue {
    private let value: SQLFragment
    private let kind: ValueKind
    private let type: FieldType

    init(_ operand: Operand, _ compilation: Compilation) {
        (kind, type) = (operand.kind, operand.field.type)
        value = operand.sql
    }

    var sql: SQLFragment? {
        switch kind {
        case .id, .text, .boolean, .time, .compound: nil
        case .integer: number(decimals: 0, keepsZeros: false)
        case .real where type == .currency: number(prefix: "'$'", decimals: 2, keepsZeros: true)
        case .real where type == .percent: "(\(number(decimals: 3, keepsZeros: false)) || '%')"
        case .real: number(decimals: 3, keepsZeros: false)
        case .date: date
        case .dateTime: "(\(date) || ', ' || \(clock))"
        }
    }

    /// Groups of three digits, and so many decimals; `12.50` is `12.5` unless it keeps its zeros.
    private func number(prefix: SQLFragment = "''", decimals: Int, keepsZeros: Bool) -> SQLFragment {
        let size: SQLFragment = "round(abs(\(value)), \(number: decimals))"
        let whole: SQLFragment = "printf('%,d', CAST(\(size) AS INTEGER))"
        let digits: SQLFragment = "substr(printf('%.\(number: decimals)f', \(size)), \(number: -decimals - 1))"
        let fraction = keepsZeros ? digits : "rtrim(rtrim(\(digits), '0'), '.')" as SQLFragment
        let text = decimals == 0 ? whole : "\(whole) || \(fraction)" as SQLFragment
        return """
            CASE WHEN \(value) IS NOT NULL THEN CASE WHEN \(value) < 0 THEN '-' ELSE '' END || \(prefix) || \(text) END
            """
    }

    /// `1/29/2026`.
    private var date: SQLFragment {
        """
        CAST(substr(\(value), 6, 2) AS INTEGER) || '/' || CAST(substr(\(value), 9, 2) AS INTEGER) || '/' || \
        substr(\(value), 1, 4)
        """
    }

    /// `3:05 PM`.
    private var clock: SQLFragment {
        """
        ((CAST(substr(\(value), 12, 2) AS INTEGER) + 11) % 12 + 1) || substr(\(value), 14, 3) || \
        CASE WHEN substr(\(value), 12, 2) < '12' THEN ' AM' ELSE ' PM' END
        """
    }
}
