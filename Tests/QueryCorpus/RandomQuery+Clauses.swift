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

    // MARK: The end

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
