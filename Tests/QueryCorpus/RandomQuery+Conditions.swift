// SPDX-License-Identifier: Apache-2.0

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
            // Parentheses around the whole mean nothing.
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

    /// A test, or a condition of another kind in parentheses.
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

    // MARK: One test

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
