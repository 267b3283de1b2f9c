// SPDX-License-Identifier: Apache-2.0

extension RandomQuery {
    /// Where a query stands.
    enum Place { case top, child }

    mutating func writeQuery(_ place: Place, depth: Int) {
        keywords("SELECT")
        gap()
        if place == .top, chance(4) {
            note(.count)
            write("COUNT()", typedAs: pick(["COUNT()", "count( )", "Count()"]))
        } else {
            list(1...4) { $0.selectItem(depth: depth) }
        }
        gap()
        sources()
        clauses(depth: depth)
        end()
    }

    private mutating func sources() {
        keywords("FROM")
        gap()
        list(1...1) { $0.source() }
        while chance(8) {
            note(.secondSource)
            loose()
            write(",")
            loose(" ")
            source()
        }
    }

    private mutating func source() {
        path()
        guard chance(30) else { return }
        note(.sourceAlias)
        gap()
        if chance(30) { typed("AS ") }
        name()
    }

    private mutating func selectItem(depth: Int) {
        switch number(0...19) {
        case 0...1 where depth > 0:
            note(.childQuery)
            parenthesised { $0.writeQuery(.child, depth: depth - 1) }
            guard chance(20) else { return }
            note(.childAlias)
            alias(100)
        case 2: typeof()
        case 3:
            note(.fieldGroup)
            keywords("FIELDS")
            loose()
            parenthesised { $0.keywords($0.pick(["ALL", "STANDARD", "CUSTOM"])) }
        default:
            expression(depth: 2)
            guard chance(15) else { return }
            note(.selectAlias)
            alias(100)
        }
    }

    private mutating func typeof() {
        note(.typeof)
        keywords("TYPEOF")
        gap()
        path()
        for _ in 0..<number(1...3) {
            gap()
            keywords("WHEN")
            gap()
            name()
            gap()
            keywords("THEN")
            gap()
            list(1...3) { $0.expression(depth: 1) }
        }
        if chance(50) {
            note(.typeofElse)
            gap()
            keywords("ELSE")
            gap()
            list(1...3) { $0.expression(depth: 1) }
        }
        gap()
        keywords("END")
    }

    // MARK: Expressions

    mutating func expression(depth: Int) {
        switch number(0...9) {
        case 0...1 where depth > 0:
            note(.call)
            write(
                pick([
                    "MAX", "sum", "CALENDAR_YEAR", "FORMAT", "convertCurrency", "toLabel", "GROUPING",
                    "convertTimezone", "COUNT_DISTINCT", "unknown__f",
                ]))
            loose()
            parenthesised { $0.expression(depth: depth - 1) }
        case 2: distance()
        default:
            note(.field)
            path()
        }
    }

    private mutating func distance() {
        note(.distance)
        keywords("DISTANCE")
        loose()
        parenthesised { query in
            query.path()
            query.comma()
            query.keywords("GEOLOCATION")
            query.loose()
            query.parenthesised { place in
                place.decimal()
                place.comma()
                place.decimal()
            }
            query.comma()
            let unit = query.pick(["mi", "km"])
            query.write("'\(unit)'", typedAs: "'\(query.inAnyCase(unit.uppercased()))'")
        }
    }

    private mutating func comma() {
        loose()
        write(",")
        loose(" ")
    }
}
