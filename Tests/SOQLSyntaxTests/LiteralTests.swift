// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax
import Testing

@Suite("Literals, escaping and date formulas")
struct LiteralTests {
    @Test(
        "Strings are escaped so that they keep their meaning",
        arguments: [
            ("", "''"), ("plain", "'plain'"), ("O'Hara", #"'O\'Hara'"#), (#"a\b"#, #"'a\\b'"#), (#"\'"#, #"'\\\''"#),
            ("\n\r\t\u{8}", #"'\n\r\t\b'"#), ("\u{c}\u{0}\u{1f}\u{7f}", #"'\u000c\u0000\u001f\u007f'"#),
            ("100% _sure_", "'100% _sure_'"), ("' OR Name != '", #"'\' OR Name != \''"#), ("😀 Ünï", "'😀 Ünï'"),
            ("\u{2028}\u{85}", #"'\u2028\u0085'"#), ("\r\n", #"'\r\n'"#),
        ])
    func quoting(text: String, quoted: String) throws {
        #expect(SOQLEscaping.quoted(text) == quoted)
        #expect(SOQLLiteral.text(text) == quoted)
        let query = try SOQLQuery(parsing: "SELECT Id FROM A WHERE B = \(quoted)")
        guard case .comparison(let comparison)? = query.where, case .literal(let value) = comparison.right else {
            Issue.record("a literal was expected")
            return
        }
        #expect(value.literal == .string(text))
    }

    @Test("Any string survives quoting, also as a LIKE pattern")
    func everyScalarSurvives() throws {
        for start in stride(from: UInt32(0), to: 0x3000, by: 64) {
            let scalars = (start..<start + 64).compactMap(Unicode.Scalar.init)
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let query = try SOQLQuery(
                parsing: """
                    SELECT Id FROM A WHERE B = \(SOQLEscaping.quoted(text)) \
                    AND B LIKE '%\(SOQLEscaping.escapedLikePattern(text))'
                    """)
            guard case .and(let terms)? = query.where, case .comparison(let equal) = terms[0],
                case .literal(let value) = equal.right, case .comparison(let like) = terms[1]
            else {
                Issue.record("two comparisons were expected")
                return
            }
            #expect(value.literal == .string(text))
            #expect(like.right == .pattern(SOQLPattern([.anyRun, .text(text)])))
        }
    }

    @Test(
        "Patterns distinguish wildcards from characters",
        arguments: [
            (#"%"#, [SOQLPattern.Element.anyRun]), (#"a_b%"#, [.text("a"), .anyOne, .text("b"), .anyRun]),
            (#"50\%"#, [.text("50%")]), (#"\_\\%"#, [.text(#"_\"#), .anyRun]), ("", []),
            (#"\\\%\'"#, [.text(#"\%'"#)]),
        ])
    func patterns(text: String, elements: [SOQLPattern.Element]) throws {
        let query = try SOQLQuery(parsing: "SELECT Id FROM A WHERE B LIKE '\(text)'")
        guard case .comparison(let comparison)? = query.where, case .pattern(let pattern) = comparison.right else {
            Issue.record("a pattern was expected")
            return
        }
        #expect(pattern.elements == elements)
    }

    @Test("There are exactly 44 date formulas, and each is printed as it was written")
    func formulas() throws {
        #expect(SOQLDateFormula.names.count == 44)
        for name in SOQLDateFormula.names {
            let plain = SOQLDateFormula(name: name)
            let counted = SOQLDateFormula(name: name.lowercased(), n: 5)
            #expect((plain == nil) != (counted == nil), "\(name)")
            let written = plain == nil ? name + ":5" : name
            #expect((plain ?? counted)?.text == written)
            #expect(try SOQLQuery(parsing: "SELECT Id FROM A WHERE B = \(written)").text.hasSuffix("= " + written))
        }
        #expect(SOQLDateFormula(name: "LAST_N_DAYS", n: -1) == nil)
        #expect(SOQLDateFormula(name: "LAST_N_HOURS", n: 1) == nil)
    }

    @Test("Numbers keep their digits")
    func numbers() {
        #expect(SOQLNumber("-12.50")?.text == "-12.50")
        #expect(SOQLNumber(".5")?.double == 0.5)
        #expect(SOQLNumber("-.5")?.double == -0.5)
        #expect(SOQLNumber("9223372036854775807")?.integer == .max)
        #expect(SOQLNumber("9223372036854775808")?.integer == nil)
        for text in ["", "-", ".", "5.", "1e5", "+5", "1.2.3", "0x1", "١"] {
            #expect(SOQLNumber(text) == nil, "\(text)")
        }
    }

    @Test("A date that does not exist is invalid")
    func dates() {
        #expect(SOQLDate(year: 2024, month: 2, day: 29).isValid)
        #expect(!SOQLDate(year: 2026, month: 2, day: 29).isValid)
        #expect(!SOQLDate(year: 1900, month: 2, day: 29).isValid)
        #expect(SOQLDate(year: 2000, month: 2, day: 29).isValid)
        #expect(!SOQLDate(year: 2026, month: 13, day: 1).isValid)
        #expect(!SOQLDate(year: 2026, month: 4, day: 31).isValid)
        #expect(!SOQLDate(year: 2026, month: 1, day: 0).isValid)
        #expect(!SOQLTime(hour: 24, minute: 0, second: 0).isValid)
        #expect(SOQLTime(hour: 1, minute: 2, second: 3, nanosecond: 40_000_000).text == "01:02:03.04")
    }
}

@Suite("Columns of a query result")
struct ColumnTests {
    @Test(
        "Columns have names and keys",
        arguments: [
            ("SELECT Id, Owner.Name FROM A", ["Id", "Owner.Name"], [["Id"], ["Owner", "Name"]]),
            ("SELECT a.Id, A.Owner.Name FROM A a", ["Id", "Owner.Name"], [["Id"], ["Owner", "Name"]]),
            ("SELECT Account.Name FROM Account", ["Name"], [["Name"]]),
            ("SELECT Account.Name FROM Contact", ["Account.Name"], [["Account", "Name"]]),
            ("SELECT COUNT() FROM A", [], []),
            (
                "SELECT Owner.Name, COUNT(Id), MAX(B) m, MIN(B) FROM A GROUP BY Owner.Name",
                ["Name", "expr0", "m", "expr1"], [["Name"], ["expr0"], ["m"], ["expr1"]]
            ),
            (
                "SELECT CALENDAR_YEAR(D), Owner.Name who FROM A GROUP BY CALENDAR_YEAR(D), Owner.Name",
                ["expr0", "who"], [["expr0"], ["who"]]
            ),
            ("SELECT toLabel(Status) FROM Case", ["Status"], [["Status"]]),
            ("SELECT toLabel(Status) s, FORMAT(Owner.Age) FROM Case", ["s", "Owner.Age"], [["s"], ["Owner", "Age"]]),
            ("SELECT FORMAT(MAX(B)), FORMAT(MIN(B)) m FROM A", ["expr0", "m"], [["expr0"], ["m"]]),
            ("SELECT DISTANCE(P, GEOLOCATION(1, 2), 'mi') FROM A", ["expr0"], [["expr0"]]),
            (
                "SELECT c.Id, a.Name, o.Name FROM Contact c, c.Account a, a.Owner o",
                ["Id", "Account.Name", "Account.Owner.Name"],
                [["Id"], ["Account", "Name"], ["Account", "Owner", "Name"]]
            ),
            (
                "SELECT TYPEOF What WHEN Account THEN Name, Phone ELSE Name END FROM Task",
                ["What.Name", "What.Phone"],
                [["What", "Name"], ["What", "Phone"]]
            ),
            ("SELECT Id, FIELDS(ALL) FROM A LIMIT 1", ["Id"], [["Id"]]),
        ])
    func columns(text: String, names: [String], paths: [[String]]) throws {
        let columns = try SOQLQuery(parsing: text).columns
        #expect(columns.map(\.name) == names)
        #expect(columns.map(\.path) == paths)
    }

    @Test("A child query is a column with columns")
    func childColumns() throws {
        let query = try SOQLQuery(parsing: "SELECT Id, (SELECT LastName, Owner.Name FROM Contacts) FROM Account")
        #expect(query.columns[1].key == "Contacts")
        #expect(query.columns[1].children?.map(\.name) == ["LastName", "Owner.Name"])
        #expect(query.columns[0].children == nil)
        #expect(!query.hasOpenColumns)
        let open = try SOQLQuery(parsing: "SELECT (SELECT FIELDS(ALL) FROM Contacts LIMIT 1) people FROM Account")
        #expect(open.hasOpenColumns && open.columns[0].key == "people")
        #expect(!query.isAggregate && !query.isCount)
        #expect(try SOQLQuery(parsing: "SELECT MAX(B) FROM A").columns[0].isAggregate)
        #expect(try SOQLQuery(parsing: "SELECT COUNT() FROM A").isCount)
    }
}
