// SPDX-License-Identifier: Apache-2.0

extension RandomQuery {
    /// What only the typed side has.
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

    // MARK: Texts

    /// What is written for a character, and how else it can be typed.
    private static let characters: [(canonical: String, typed: [String])] = [
        ("a", ["a", #"\u0061"#]), ("Z", ["Z", #"\U005a"#]), ("é", ["é", #"\u00E9"#]), ("😀", ["😀", #"\uD83D\uDE00"#]),
        (" ", [" "]), (#"\'"#, [#"\'"#, #"\u0027"#]), (#"\\"#, [#"\\"#]), (#"\n"#, [#"\n"#, #"\N"#]),
        (#"\t"#, [#"\t"#, "\t"]), ("\"", ["\"", #"\""#]), (#"\u0000"#, [#"\u0000"#]), ("(", ["("]), ("--", ["--"]),
    ]

    mutating func string() {
        note(.string)
        text(Self.characters + [("%", ["%"]), ("_", ["_"])])
    }

    /// The pattern of LIKE, where wildcards can be escaped.
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
