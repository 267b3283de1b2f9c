// SPDX-License-Identifier: Apache-2.0

extension RandomQuery {
    mutating func clauses(depth: Int) {
        if chance(12) {
            note(.scope)
            clause("USING SCOPE")
            name()
        }
        if chance(60) {
            clause("WHERE")
            condition(depth: depth)
        }
        while chance(10) { with() }
        if chance(20) { groups() }
        guard chance(30) else { return }
        note(.order)
        clause("ORDER BY")
        list(1...3) { $0.ordering() }
    }

    private mutating func clause(_ words: String) {
        gap()
        keywords(words)
        gap()
    }

    // MARK: WITH

    private mutating func with() {
        clause("WITH")
        switch number(0...2) {
        case 0:
            note(.access)
            keywords(pick(["SECURITY_ENFORCED", "USER_MODE", "SYSTEM_MODE"]))
        case 1:
            note(.dataCategory)
            keywords("DATA CATEGORY")
            gap()
            dataCategory()
            while chance(40) {
                clause("AND")
                dataCategory()
            }
        default: setting()
        }
    }

    private mutating func dataCategory() {
        name()
        gap()
        keywords(pick(["AT", "ABOVE", "BELOW", "ABOVE_OR_BELOW"]))
        gap()
        switch number(0...2) {
        case 0:
            note(.categoryList)
            parenthesised { $0.list(2...3) { $0.name() } }
        case 1:
            let name = pick(["usa__c", "emea"])
            write(name, typedAs: "( \(name))")
        default: name()
        }
    }

    private mutating func setting() {
        note(.setting)
        write(pick(["Network", "PricebookId", "RecordVisibilityContext", "Data"]))
        switch number(0...2) {
        case 0:
            note(.settingValue)
            loose(" ")
            write("=")
            loose(" ")
            literal()
        case 1:
            note(.settingOptions)
            loose(" ")
            parenthesised { query in
                query.list(1...3) { option in
                    option.name()
                    option.loose(" ")
                    option.write("=")
                    option.loose(" ")
                    option.literal()
                }
            }
        default: break
        }
    }

    // MARK: Groups and order

    private mutating func groups() {
        clause("GROUP BY")
        switch number(0...3) {
        case 0: subtotals(.rollup, "ROLLUP")
        case 1: subtotals(.cube, "CUBE")
        default:
            note(.plainGroups)
            list(1...3) { $0.expression(depth: 1) }
        }
        guard chance(30) else { return }
        note(.having)
        clause("HAVING")
        condition(depth: 1)
    }

    private mutating func subtotals(_ production: Production, _ keyword: String) {
        note(production)
        keywords(keyword)
        loose()
        parenthesised { $0.list(1...3) { $0.expression(depth: 1) } }
    }

    private mutating func ordering() {
        expression(depth: 1)
        switch number(0...3) {
        case 0:
            note(.descending)
            gap()
            keywords("DESC")
        case 1: typed(" asc")
        default: break
        }
        switch number(0...5) {
        case 0:
            note(.nullsFirst)
            gap()
            keywords("NULLS FIRST")
        case 1:
            note(.nullsLast)
            gap()
            keywords("NULLS LAST")
        default: break
        }
    }

    // MARK: LIMIT, OFFSET and FOR

    mutating func end() {
        if chance(20) { count(.limit, "LIMIT") }
        if chance(10) { count(.offset, "OFFSET") }
        if chance(6) {
            note(.usage)
            clause("FOR")
            keywords(pick(["VIEW", "REFERENCE"]))
        }
        if chance(6) {
            note(.statistics)
            clause("UPDATE")
            list(1...2) { $0.keywords($0.pick(["TRACKING", "VIEWSTAT"])) }
        }
        if chance(4) {
            note(.forUpdate)
            gap()
            keywords("FOR UPDATE")
        }
        if chance(4) {
            note(.allRows)
            gap()
            keywords("ALL ROWS")
        }
    }

    private mutating func count(_ production: Production, _ keyword: String) {
        note(production)
        clause(keyword)
        if chance(10) { typed("+") } else if chance(5) { write("-", typedAs: "- ") }
        write("\(number(0...3_000))")
    }
}

extension RandomQuery {
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
