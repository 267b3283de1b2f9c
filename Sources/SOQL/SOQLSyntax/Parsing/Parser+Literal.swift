// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// One literal.
    mutating func parseLiteral() throws(SOQLSyntaxError) -> SOQLValue {
        let position = token.position
        let literal: SOQLLiteral
        switch token.kind {
        case .string: literal = .string(try takeString())
        case .integer, .decimal, .plus, .minus: literal = .number(try takeNumber())
        case .date, .time, .dateTime: literal = try takeCalendar()
        case .currency: literal = try takeCurrency()
        case .name: literal = try takeWord()
        case .colon: throw bindVariable()
        default: throw unexpected("a literal")
        }
        return SOQLValue(literal, position: position)
    }

    mutating func takeNumber() throws(SOQLSyntaxError) -> SOQLNumber {
        let sign = try takeSign() ? "-" : ""
        guard token.kind == .integer || token.kind == .decimal else { throw unexpected("a number") }
        let number = SOQLNumber(scanned: sign + text)
        try advance()
        return number
    }

    private mutating func takeCurrency() throws(SOQLSyntaxError) -> SOQLLiteral {
        let amount = SOQLNumber(scanned: String(text.dropFirst(3)))
        guard let currency = SOQLCurrency(code: String(text.prefix(3)), amount: amount) else {
            throw unexpected("a literal")
        }
        try advance()
        return .currency(currency)
    }

    /// TRUE, FALSE, NULL, a date formula, or an amount without a fraction.
    private mutating func takeWord() throws(SOQLSyntaxError) -> SOQLLiteral {
        if try take(keyword: "TRUE") { return .boolean(true) }
        if try take(keyword: "FALSE") { return .boolean(false) }
        if try take(keyword: "NULL") { return .null }
        if let needsNumber = SOQLDateFormula.needsNumber(name: text) {
            return .formula(try takeFormula(needsNumber: needsNumber))
        }
        let word = bytes(of: token)
        guard word.count > 3, word.prefix(3).allSatisfy(\.isASCIILetter), word.dropFirst(3).allSatisfy(\.isASCIIDigit)
        else { throw unexpected("a literal") }
        return try takeCurrency()
    }

    private mutating func takeFormula(needsNumber: Bool) throws(SOQLSyntaxError) -> SOQLDateFormula {
        let name = text
        let start = self
        try advance()
        var number: Int?
        if token.kind == .colon {
            guard needsNumber else { throw error("\(name.uppercased()) takes no number") }
            try advance()
            // bounded: by whoever reads the tree
            guard token.kind == .integer, let value = Int(text) else { throw unexpected("a number of days, weeks …") }
            number = value
            try advance()
        }
        guard let formula = SOQLDateFormula(name: name, n: number) else {
            throw start.error("\(name.uppercased()) needs a number: \(name.uppercased()):n")
        }
        return formula
    }

    private mutating func takeCalendar() throws(SOQLSyntaxError) -> SOQLLiteral {
        let reader = CalendarReader(bytes: Array(bytes(of: token)))
        let literal: SOQLLiteral =
            switch token.kind {
            case .date: .date(reader.date)
            case .time: .time(reader.time(at: 0))
            default: .dateTime(reader.dateTime)
            }
        try advance()
        return literal
    }
}

/// Reads the digits of a date or time whose shape the lexer has checked.
private struct CalendarReader {
    let bytes: [UInt8]

    private func number(_ range: Range<Int>) -> Int {
        bytes[range].reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    var date: SOQLDate { SOQLDate(year: number(0..<4), month: number(5..<7), day: number(8..<10)) }

    func time(at start: Int) -> SOQLTime {
        var time = SOQLTime(
            hour: number(start..<start + 2), minute: number(start + 3..<start + 5),
            second: number(start + 6..<start + 8))
        guard bytes[start + 8] == UInt8(ascii: ".") else { return time }
        var unit = 100_000_000
        for byte in bytes[(start + 9)...].prefix(9) {
            guard byte.isASCIIDigit else { break }
            time.nanosecond += Int(byte & 0x0F) * unit
            unit /= 10
        }
        return time
    }

    var dateTime: SOQLDateTime {
        SOQLDateTime(date: date, time: time(at: 11), offsetMinutes: offsetMinutes)
    }

    private var offsetMinutes: Int {
        guard bytes[bytes.count - 1].isASCIIDigit else { return 0 }
        let minutes = number(bytes.count - 2..<bytes.count)
        let hasColon = bytes[bytes.count - 3] == UInt8(ascii: ":")
        let hoursStart = bytes.count - (hasColon ? 5 : 4)
        let total = number(hoursStart..<hoursStart + 2) * 60 + minutes
        return bytes[hoursStart - 1] == UInt8(ascii: "-") ? -total : total
    }
}
