// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A random query in two forms: as a user might type it, and as the tree's printer should print it.
///
/// It uses the productions of the grammar without the parser or its tree, so that it can find errors in them.
package struct RandomQuery {
    /// The query in random case and spacing, with equivalent spellings.
    package private(set) var typed = ""
    /// The query in canonical form.
    package private(set) var canonical = ""
    package private(set) var productions: [Production: Int] = [:]
    private var generator: SplitMix64

    package init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        writeQuery(.top, depth: 3)
    }

    // MARK: Chance

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    // MARK: Writing

    mutating func note(_ production: Production) { productions[production, default: 0] += 1 }

    /// Writes the same string in both forms.
    mutating func write(_ text: String) {
        typed += text
        canonical += text
    }

    /// Writes a string that is typed differently.
    mutating func write(_ text: String, typedAs other: String) {
        typed += other
        canonical += text
    }

    /// Writes keywords, separated by spaces, in random case.
    mutating func keywords(_ words: String) {
        for (index, word) in words.split(separator: " ").enumerated() {
            if index > 0 { gap() }
            write(String(word), typedAs: inAnyCase(String(word)))
        }
    }

    mutating func inAnyCase(_ word: String) -> String {
        switch number(0...3) {
        case 0: word.lowercased()
        case 1: String(word.map { chance(50) ? $0 : Character($0.lowercased()) })
        default: word
        }
    }

    /// Writes required whitespace.
    mutating func gap() { write(" ", typedAs: pick([" ", " ", " ", "  ", "\n", "\t", "\r\n "])) }

    /// Writes optional whitespace, whose canonical form is `text`.
    mutating func loose(_ text: String = "") { write(text, typedAs: pick(["", "", " ", "\n  "])) }

    mutating func list(_ count: ClosedRange<Int>, _ element: (inout RandomQuery) -> Void) {
        for index in 0..<number(count) {
            if index > 0 {
                loose()
                write(",")
                loose(" ")
            }
            element(&self)
        }
    }

    mutating func parenthesised(_ body: (inout RandomQuery) -> Void) {
        write("(")
        loose()
        body(&self)
        loose()
        write(")")
    }

    // MARK: Names

    /// Names, including words that are keywords elsewhere.
    private static let names = [
        "Id", "Name", "Account", "Owner", "AnnualRevenue", "ns__Name__c", "Größe__c", "x1", "Order", "End", "Data",
        "Category", "Offset", "View", "Fields", "Count", "Scope", "Typeof", "When", "Then", "Distance", "Geolocation",
        "Case", "At", "Above", "All", "Rows", "Reference", "Tracking", "Viewstat", "Mi", "Today", "USD5", "Standard",
    ]

    mutating func name() { write(pick(Self.names)) }

    mutating func path() {
        name()
        while chance(25) {
            write(".")
            name()
        }
    }

    mutating func alias(_ percent: Int) {
        guard chance(percent) else { return }
        gap()
        name()
    }
}

/// The productions of the grammar that a corpus must contain.
package enum Production: String, Sendable, CaseIterable {
    case count, field, call, selectAlias, childQuery, childAlias, typeof, typeofElse, fieldGroup
    case distance, sourceAlias, secondSource, scope
    case access, dataCategory, categoryList, setting, settingValue, settingOptions
    case plainGroups, rollup, cube, having, order, descending, nullsFirst, nullsLast
    case limit, offset, usage, statistics, forUpdate, allRows
    case and, or, not, like, list, negatedList, sets, semiJoin, comparison
    case null, boolean, string, number, currency, date, dateTime, time, formula, countedFormula
}

extension RandomQuery {
    /// Writes a string in the typed form only.
    mutating func typed(_ text: String) { write("", typedAs: text) }

    mutating func literal() {
        switch number(0...9) {
        case 0:
            note(.null)
            write("null", typedAs: inAnyCase("NULL"))
        case 1:
            note(.boolean)
            let word = pick(["true", "false"])
            write(word, typedAs: inAnyCase(word.uppercased()))
        case 2:
            note(.number)
            decimal()
        case 3:
            note(.currency)
            let code = pick(["USD", "EUR", "JPY"])
            write(code, typedAs: inAnyCase(code))
            write("\(number(0...9_999))" + (chance(50) ? ".\(number(0...99))" : ""))
        case 4: calendar()
        case 5: formula()
        default: string()
        }
    }

    mutating func decimal() {
        if chance(30) { write("-", typedAs: pick(["-", "- "])) } else if chance(15) { typed("+") }
        let fraction = ".\(number(0...999))"
        switch number(0...3) {
        case 0: write(fraction)
        case 1: write("\(number(0...99_999))" + fraction)
        default: write("\(number(0...99_999))")
        }
    }

    // MARK: Dates and times

    private mutating func calendar() {
        let date = "\(number(1_000...9_999))-\(digits(1...99))-\(digits(1...99))"
        switch number(0...2) {
        case 0:
            note(.date)
            write(date)
        case 1:
            note(.time)
            clock()
            write("Z", typedAs: pick(["Z", "z"]))
        default:
            note(.dateTime)
            write(date)
            write("T", typedAs: pick(["T", "t"]))
            clock()
            zone()
        }
    }

    private mutating func digits(_ range: ClosedRange<Int>) -> String { String(100 + number(range)).suffix(2) + "" }

    private mutating func clock() {
        write("\(digits(0...23)):\(digits(0...59)):\(digits(0...59))")
        guard chance(30) else { return }
        let fraction = ".\(number(0...98))\(number(1...9))"
        write(fraction, typedAs: fraction + pick(["", "0", "00"]))
    }

    private mutating func zone() {
        guard chance(60) else { return write("Z", typedAs: pick(["Z", "z", "+00:00", "-0000"])) }
        let (sign, hours, minutes) = (pick(["+", "-"]), digits(1...14), digits(0...59))
        write("\(sign)\(hours):\(minutes)", typedAs: sign + hours + pick(["", ":"]) + minutes)
    }

    private mutating func formula() {
        let unit = pick(["WEEK", "MONTH", "QUARTER", "YEAR", "FISCAL_QUARTER", "FISCAL_YEAR"])
        let name: String
        if chance(50) {
            note(.formula)
            name = pick(["TODAY", "YESTERDAY", "LAST_90_DAYS", "LAST_\(unit)", "THIS_\(unit)", "NEXT_\(unit)"])
            write(name, typedAs: inAnyCase(name))
        } else {
            note(.countedFormula)
            name = pick(["LAST_N_DAYS", "LAST_N_\(unit)S", "NEXT_N_\(unit)S", "N_\(unit)S_AGO"])
            write(name, typedAs: inAnyCase(name))
            write(":", typedAs: pick([":", " : "]))
            write("\(number(0...400))")
        }
    }

    // MARK: Strings

    /// The canonical form of a character, and its typed forms.
    private static let characters: [(canonical: String, typed: [String])] = [
        ("a", ["a", #"\u0061"#]), ("Z", ["Z", #"\U005a"#]), ("é", ["é", #"\u00E9"#]), ("😀", ["😀", #"\uD83D\uDE00"#]),
        (" ", [" "]), (#"\'"#, [#"\'"#, #"\u0027"#]), (#"\\"#, [#"\\"#]), (#"\n"#, [#"\n"#, #"\N"#]),
        (#"\t"#, [#"\t"#, "\t"]), ("\"", ["\"", #"\""#]), (#"\u0000"#, [#"\u0000"#]), ("(", ["("]), ("--", ["--"]),
    ]

    mutating func string() {
        note(.string)
        text(Self.characters + [("%", ["%"]), ("_", ["_"])])
    }

    /// Writes a LIKE pattern, in which wildcards can be escaped.
    mutating func pattern() {
        text(Self.characters + [("%", ["%"]), ("_", ["_"]), (#"\%"#, [#"\%"#]), (#"\_"#, [#"\_"#])])
    }

    private mutating func text(_ characters: [(canonical: String, typed: [String])]) {
        write("'")
        for _ in 0..<number(0...6) {
            let character = pick(characters)
            write(character.canonical, typedAs: pick(character.typed))
        }
        write("'")
    }
}

extension RandomQuery {
    mutating func condition(depth: Int) {
        guard depth > 0 else { return comparison(depth: 0) }
        switch number(0...5) {
        case 0: chain(.and, "AND", depth: depth)
        case 1: chain(.or, "OR", depth: depth)
        case 2:
            note(.not)
            keywords("NOT")
            gap()
            term(depth: depth - 1)
        case 3:
            typed("(")
            condition(depth: depth - 1)
            typed(")")
        default: comparison(depth: depth)
        }
    }

    private mutating func chain(_ production: Production, _ keyword: String, depth: Int) {
        note(production)
        for index in 0..<number(2...4) {
            if index > 0 {
                gap()
                keywords(keyword)
                gap()
            }
            term(depth: depth - 1)
        }
    }

    /// Writes a comparison, or another condition in parentheses.
    private mutating func term(depth: Int) {
        guard depth > 0, chance(40) else {
            let isWrapped = chance(15)
            if isWrapped { typed("(") }
            comparison(depth: depth)
            if isWrapped { typed(")") }
            return
        }
        parenthesised { query in
            if query.chance(30) {
                query.note(.not)
                query.keywords("NOT")
                query.gap()
                query.term(depth: depth - 1)
            } else if query.chance(50) {
                query.chain(.and, "AND", depth: depth)
            } else {
                query.chain(.or, "OR", depth: depth)
            }
        }
    }

    // MARK: Comparisons

    private mutating func comparison(depth: Int) {
        expression(depth: 1)
        switch number(0...6) {
        case 0:
            note(.like)
            word("LIKE")
            pattern()
        case 1: values(.list, "IN")
        case 2: values(.negatedList, "NOT IN")
        case 3:
            note(.sets)
            word(pick(["INCLUDES", "EXCLUDES"]))
            parenthesised { $0.list(1...3) { $0.string() } }
        case 4 where depth > 0:
            note(.semiJoin)
            word(pick(["IN", "NOT IN"]))
            parenthesised { $0.semiJoin(depth: depth - 1) }
        default:
            note(.comparison)
            loose(" ")
            let sign = pick(["=", "!=", "<", "<=", ">", ">="])
            write(sign, typedAs: sign == "!=" && chance(50) ? "<>" : sign)
            loose(" ")
            literal()
        }
    }

    private mutating func word(_ words: String) {
        gap()
        keywords(words)
        loose(" ")
    }

    private mutating func values(_ production: Production, _ words: String) {
        note(production)
        word(words)
        parenthesised { $0.list(1...4) { $0.literal() } }
    }

    private mutating func semiJoin(depth: Int) {
        keywords("SELECT")
        gap()
        path()
        gap()
        keywords("FROM")
        gap()
        path()
        guard chance(60) else { return }
        gap()
        keywords("WHERE")
        gap()
        condition(depth: depth)
    }
}
