// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import SOQLSyntax
import Testing

@testable import RestSDK

@Suite("SOQL injection")
struct SOQLInjectionTests {
    /// Returns a query with the value at every position of a literal.
    private func query(_ value: String) -> SOQL {
        """
        SELECT Id, (SELECT Id FROM Cs WHERE L = \(value) LIMIT 3), (SELECT Id FROM Ds WHERE L IN \([value])) FROM A
        WHERE A = \(value) AND (B != \(value) OR C > \(value) OR (NOT (C <= \(value)))) AND D IN \([value, "x", value])
        AND E NOT IN (\(value), 'it\\'s', \(value),\(value)) AND F INCLUDES (\(value)) AND G EXCLUDES \(["x;y", value])
        AND J LIKE \(like: value, prefix: .anyOne, suffix: .anyRun) AND I LIKE \(like: value) AND H LIKE \(value)
        AND K IN (SELECT AId FROM E WHERE N < \(value) AND M IN (\(value)))
        GROUP BY Id HAVING MAX(Name) < \(value) AND MIN(\(raw: "Name")) =\(value) ORDER BY Id LIMIT 10
        """
    }

    @Test(
        "at every position of a literal, ten thousand hostile strings change only that literal", arguments: 0..<4)
    func literals(share: Int) throws {
        let harmless = try SOQLQuery(parsing: query("harmless").text)
        for value in HostileText.many[(share * 2_500)..<(share + 1) * 2_500] {
            let query = query(value)
            try #require(query.problem == nil, "\(value.debugDescription)")
            let tree = try #require(try? SOQLQuery(parsing: query.text), "\(value.debugDescription)")
            try #require(tree == harmless.replacing("harmless", by: value), "\(value.debugDescription)")
        }
    }

    @Test("at every other position, ten thousand hostile strings are rejected", arguments: HostilePlace.inQueries)
    func others(place: HostilePlace) throws {
        for value in HostileText.many {
            try #require(place.problem(with: value, .query) != nil, "\(value.debugDescription)")
        }
    }

    @Test("a rejected value is named by its position, with advice")
    func advice() {
        let name = "x"
        let queries: [(SOQL, String)] = [
            ("SELECT Id FROM A WHERE N = '\(name)'", "remove the quotes"),
            ("SELECT Id FROM A WHERE N LIKE '\(name)%'", "remove the quotes"),
            ("SELECT Id FROM A ORDER BY \(name)", "\\(raw:)"), ("SELECT Id FROM A -- \(name)", "comment"),
            ("SELECT Id FROM A WHERE N IN \(name)", "take a list"), ("SELECT Id FROM A LIMIT \(name)", "whole number"),
            ("SELECT Id FROM A LIMIT \(-1)", "whole number"), ("SELECT Id FROM A WHERE N = \(["a"])", "only after IN"),
            ("SELECT Id FROM A WHERE N IN (\(["a"]))", "its own parentheses"),
            ("SELECT Id FROM A WHERE N = \(like: name)", "only after LIKE"),
            ("SELECT Id FROM A WHERE N LIKE \(5)", "takes a string"), ("SELECT Id FROM A LIMIT \(5)0", "a space"),
            ("SELECT Id FROM A WHERE N IN \([String]())", "empty"),
            ("SELECT Id FROM A WHERE N = \("good") AND M = '\(name)'", "value 2: "),
        ]
        for (query, advice) in queries {
            #expect(query.problem?.contains(advice) == true, "\(query.problem ?? "not refused"): \(query)")
        }
    }

    @Test(
        "raw text moves the binding position to the end of that text",
        arguments: [("N = ", true), ("N = '", false), ("N", false), ("N = 'x' OR M = ", true), ("N = --", false)])
    func raw(text: String, isPlace: Bool) {
        let query: SOQL = "SELECT Id FROM A WHERE \(raw: text)\("x")"
        #expect((query.problem == nil) == isPlace)
    }

    @Test("numbers of every size are written as digits, at every position of a number")
    func numbers() throws {
        for number in [0, 1, -1, Int.max, Int.min, 50_000] {
            let query: SOQL =
                "SELECT Id FROM A WHERE N =\(number) AND M IN (\(number),\(number)) AND L > \(Double(number))"
            let tree = try SOQLQuery(parsing: query.text)
            #expect(
                query.problem == nil
                    && tree.text.hasPrefix("SELECT Id FROM A WHERE N = \(number) AND M IN (\(number), "))
            let count: SOQL = "SELECT Id FROM A WHERE D = LAST_N_DAYS:\(number) LIMIT \(number) OFFSET \(number)"
            #expect((count.problem == nil) == (number >= 0))
            if number >= 0 { #expect(try SOQLQuery(parsing: count.text).offset == SOQLCount(number)) }
        }
    }

    @Test("a custom literal that would not be parsed as itself is rejected")
    func ownLiterals() throws {
        struct Own: SOQL.Bindable { let soqlLiteral: SOQLLiteral? }
        let day = SOQLDate(year: 2_024, month: 1, day: 1)
        let unreadable: [SOQLLiteral?] = [
            nil, .date(SOQLDate(year: 12_024, month: 1, day: 1)), .date(SOQLDate(year: -1, month: 1, day: 1)),
            .formula(.lastN(.day, -1)), .time(SOQLTime(hour: 25, minute: 0, second: 0)),
            .time(SOQLTime(hour: 1, minute: 0, second: 0, nanosecond: .max)),
            .dateTime(SOQLDateTime(date: day, time: SOQLTime(hour: 1, minute: 0, second: 0), offsetMinutes: .min)),
        ]
        for literal in unreadable {
            #expect(("N = \(Own(soqlLiteral: literal))" as SOQL).problem != nil)
            #expect(("N IN \([Own(soqlLiteral: literal)])" as SOQL).problem != nil)
        }
        let five = try #require(SOQLNumber("5")), minus = try #require(SOQLNumber("-5"))
        for code in ["", "US", "USDX", "U'D", "A=1 OR B", "1SD", "ÄBC", "US\u{301}"] {
            #expect(SOQLCurrency(code: code, amount: five) == nil)
        }
        #expect(SOQLCurrency(code: "USD", amount: minus) == nil)
        let amount = try #require(SOQLCurrency(code: "usd", amount: five))
        #expect(("N > \(Own(soqlLiteral: .currency(amount)))" as SOQL).text == "N > USD5")
    }
}

/// A position at which no value can be bound: the text before it and the text after it.
struct HostilePlace: Sendable, CustomTestStringConvertible {
    let before: String, after: String

    init(_ before: String, _ after: String = "") {
        (self.before, self.after) = (before, after)
    }

    var testDescription: String { "\(before)…\(after)" }

    func problem(with value: String, _ language: SOQLPlace.Language) -> String? {
        var text = SOQLText(language, capacity: 0)
        text.paste(before)
        text.bind(.string(value))
        text.paste(after)
        return text.problem
    }

    static let inQueries = [
        HostilePlace("N = '", "'"), .init("N = '%", "%'"), .init(#"N = 'it\'s "#, "'"), .init("N = 'a''", "'"),
        .init(#"N = '\"#, "'"), .init("N LIKE '", "%'"), .init("SELECT ", " FROM A"), .init("SELECT Id, ", " FROM A"),
        .init("SELECT COUNT(", ") FROM A"), .init("SELECT Id x", " FROM A"), .init("FROM "), .init("FROM A "),
        .init("WHERE "), .init("WHERE ", " = 1"), .init("WHERE (", " = 1)"), .init("N = 1 AND "), .init("N = 1 "),
        .init("ORDER BY "), .init("ORDER BY N "), .init("GROUP BY "), .init("LIMIT "), .init("OFFSET "),
        .init("D = LAST_N_DAYS:"),
        .init("N IN "), .init("N IN (SELECT "), .init("N IN (SELECT Id FROM A WHERE ", " = 1)"), .init("N = a"),
        .init("N = 1"),
        .init("N = -"), .init("N = \\"), .init("N = ", "a"), .init("N = ", "'"), .init("N = ", "0"),
        .init("N = ", "--"),
        .init("-- "), .init("/* ", " */"), .init("// "), .init("N = :"), .init(""), .init("N = ''", "''"),
    ]
}

extension SOQLQuery {
    /// Returns a copy of the query with one string replaced by another.
    func replacing(_ text: String, by value: String) -> SOQLQuery {
        var query = self
        query.where = query.where?.replacing(text, by: value)
        query.having = query.having?.replacing(text, by: value)
        query.select = query.select.map { item in
            guard case .children(let children, let alias) = item else { return item }
            return .children(SOQLChildQuery(children.query.replacing(text, by: value)), alias: alias)
        }
        return query
    }
}

extension SOQLCondition {
    fileprivate func replacing(_ text: String, by value: String) -> SOQLCondition {
        switch self {
        case .not(let condition): return .not(condition.replacing(text, by: value))
        case .and(let terms): return .and(terms.map { $0.replacing(text, by: value) })
        case .or(let terms): return .or(terms.map { $0.replacing(text, by: value) })
        case .comparison(var comparison):
            comparison.right = comparison.right.replacing(text, by: value, isPattern: comparison.left.text == "H")
            return .comparison(comparison)
        }
    }
}

extension SOQLOperand {
    fileprivate func replacing(_ text: String, by value: String, isPattern: Bool) -> SOQLOperand {
        let swap = { (old: SOQLValue) in old.literal == .string(text) ? SOQLValue(.string(value)) : old }
        switch self {
        case .literal(let literal): return .literal(swap(literal))
        case .list(let literals): return .list(literals.map(swap))
        case .query(let query): return .query(SOQLChildQuery(query.query.replacing(text, by: value)))
        case .pattern(let pattern):
            let chunks = isPattern ? SOQLPattern.Element.wildcards(of: value) : [.text(value)]
            return .pattern(SOQLPattern(pattern.elements.flatMap { $0 == .text(text) ? chunks : [$0] }))
        }
    }
}

extension SOQLPattern.Element {
    /// Returns the meaning of a plain string as a pattern.
    fileprivate static func wildcards(of text: String) -> [Self] {
        text.unicodeScalars.map { $0 == "%" ? .anyRun : $0 == "_" ? .anyOne : .text(String($0)) }
    }
}

@Suite("The binding position at the end of a query text")
struct SOQLPlaceTests {
    private func place(_ text: String, _ language: SOQLPlace.Language = .query) -> SOQLPlace {
        var places = SOQLPlaceReader(language)
        places.pass(text)
        // The position is the same if the text is passed one scalar at a time.
        var chunks = SOQLPlaceReader(language)
        for scalar in text.unicodeScalars { chunks.pass(String(scalar)) }
        #expect(chunks.place == places.place)
        return places.place
    }

    @Test(
        "a literal can be bound after a comparison, in a list and in a call of GEOLOCATION",
        arguments: [
            ("WHERE A =", SOQLPlace.literal), ("WHERE A = ", .literal), ("WHERE A != ", .literal),
            ("WHERE A <> ", .literal), ("WHERE A <=\n\t", .literal), ("WHERE A>", .literal), ("A IN (", .item),
            ("A NOT IN ( ", .item), ("A IN ('x', ", .item), ("A IN ('it\\'s', 3,", .item), ("A INCLUDES (", .set),
            ("DISTANCE(L, GEOLOCATION(", .degrees), ("GEOLOCATION(1, ", .degrees),
            ("-- a note\nWHERE A = ", .literal), ("/* a ' note **/ WHERE A = ", .literal),
            ("HAVING COUNT(Id) > ", .literal), ("WITH NETWORK = ", .literal), ("B='' AND A=", .literal),
            (#"B = '\\' AND A = "#, .literal), ("SELECT (SELECT Id FROM Cs WHERE A = ", .literal),
            ("A IN (SELECT Id FROM B WHERE C IN (", .item),
        ])
    func literals(text: String, expected: SOQLPlace) {
        #expect(place(text) == expected)
    }

    @Test(
        "only a name, a keyword or nothing can follow elsewhere",
        arguments: [
            "", " ", "SELECT ", "SELECT Id, ", "SELECT COUNT(", "SELECT toLabel( ", "FROM ", "FROM A ", "WHERE ",
            "WHERE (",
            "WHERE A = 1 ", "WHERE A = 'x' ", "WHERE A = '' ", "WHERE A = 1 AND ", "ORDER BY ", "ORDER BY A, ",
            "NULLS ",
            "GROUP BY ", "GROUP BY A, ", "A IN (SELECT ", "A IN (SELECT Id, ", "A IN ('x') ", "A = -", "A = +",
            "A = - ",
            "A = :", "A : ", "TODAY:", "A = \\", "A = %", "A = #", "A = {", "WITH DATA CATEGORY B AT ", "USING SCOPE ",
            "DISTANCE(", "A !", "A LIKE (", "LIMIT 5, ", "a.LIKE ", "\u{FB01}nd ", "L\u{130}KE ", "FIND {",
        ])
    func names(text: String) {
        #expect(place(text) == .name)
    }

    @Test(
        "patterns, lists and counts have their own positions",
        arguments: [
            ("A LIKE ", SOQLPlace.pattern), ("A like\n", .pattern), ("A IN ", .list), ("A not in ", .list),
            ("A INCLUDES ", .sets), ("A excludes ", .sets), ("GEOLOCATION ", .list), ("LIMIT ", .count),
            ("OFFSET ", .count), ("D = LAST_N_DAYS:", .days), ("D = n_weeks_ago : ", .days),
        ])
    func others(text: String, kind: SOQLPlace) {
        #expect(place(text) == kind)
        #expect(place(text, .search) == kind)
    }

    @Test(
        "nothing can be bound inside quotes and comments, regardless of how they begin and end",
        arguments: [
            ("A = '", SOQLPlace.quoted), ("A = 'x", .quoted), (#"A = 'x\'"#, .quoted), (#"A = 'x\\\'"#, .quoted),
            ("A = 'it''", .quoted), ("A = '{", .quoted), ("A = '--", .quoted), ("A = '\n", .quoted),
            ("A = 'x\ny' AND B = ", .quoted),
            (#"A = '\"#, .quoted),
            ("--", .comment), ("A = --", .comment), ("-- '", .comment), ("//", .comment), ("/*", .comment),
            ("/* '", .comment), ("/*/", .comment), ("/* * /", .comment), ("/**", .comment), ("A = 1 -- B = ", .comment),
        ])
    func hidden(text: String, kind: SOQLPlace) {
        #expect(place(text) == kind)
        #expect(place(text, .search) == kind)
    }

    @Test(
        "nothing can be bound directly after a letter, a digit, a point or another value",
        arguments: ["a", "A = a", "A = 1", "A = .", "A = é", "LIMIT", "A = $", "LIMIT\u{A0}", "A LIKE", "A IN"])
    func crowded(text: String) {
        #expect(place(text) == .crowded)
    }

    @Test(
        "a value must be followed by whitespace, a comma, a closing parenthesis or the end",
        arguments: [
            (" ", false), (",", false), (")", false), ("\n", false), ("", false), ("a", true), ("0", true),
            (".5", true),
            ("'", true), ("-1", true), (":", true), ("(", true), ("=", true), ("\u{301}", true), ("\\", true),
        ])
    func following(text: String, isCrowded: Bool) {
        var places = SOQLPlaceReader(.query)
        places.pass("A = ")
        places.passValue()
        #expect(places.place == .crowded)
        places.pass(text)
        #expect(places.isCrowded == isCrowded)
    }

    @Test(
        "a search has terms and phrases in its braces",
        arguments: [
            ("FIND {", SOQLPlace.term), ("find\n{", .term), ("FIND {a ", .term), ("FIND {a OR (", .term),
            (#"FIND {""#, .phrase), (#"FIND {"a b"#, .phrase), (#"FIND {"a\""#, .phrase), (#"FIND {"a" "#, .term),
            (#"FIND {""#, .phrase), (#"FIND {"\"#, .crowded), (#"FIND {\"#, .crowded), ("FIND {a", .crowded),
            (#"FIND {\("#, .crowded), ("FIND {-", .crowded), ("FIND {a*", .crowded), ("FIND {it's ", .term),
            (#"FIND {a\} "#, .term), ("FIND {a} ", .name), ("FIND {a} IN ", .name), (#"FIND {"a} "#, .name),
            ("FIND {a} RETURNING ", .name), ("FIND {a} RETURNING A(", .name), ("FIND {a} RETURNING A(Id, ", .name),
            ("FIND {a} RETURNING A(Id WHERE N = ", .literal), ("FIND {a} RETURNING A(Id WHERE N IN ", .list),
            ("FIND {a} RETURNING A(Id LIMIT ", .count), ("FIND {a} LIMIT ", .count), ("{", .name), ("FIND x {", .name),
        ])
    func searches(text: String, kind: SOQLPlace) {
        #expect(place(text, .search) == kind)
    }
}

/// Strings that would change a query if they were pasted into it, the same in every run.
struct HostileText: Sequence, IteratorProtocol {
    private var random: SeededGenerator
    private var left: Int

    init(_ count: Int, seed: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
        left = count
    }

    mutating func next() -> String? {
        guard left > 0 else { return nil }
        left -= 1
        return (0..<Int.random(in: 1...6, using: &random)).map { _ in
            Self.chunks.randomElement(using: &random) ?? ""
        }.joined()
    }

    static let many = Array(HostileText(10_000))

    private static let chunks = [
        "'", "\\", "\\'", "''", "\"", "\\\"", ")", "(", ",", " ", " OR Id != null", "' OR Name != '",
        ") OR (Id != null",
        "--", "/*", "*/", "//", "{", "}", "} RETURNING User", "\n", "\r", "\t", "\0", "\u{1B}", "\u{7F}", "\u{85}",
        "\u{2028}", "%", "_", "\\%", "\\_", "\\u0027", "\\n", " LIMIT 1", " FROM User", "SELECT", "null", "x", "é",
        "\u{301}",
        "\u{200D}", "\u{600}", "😀", "\u{FF07}", "\u{2019}", "\u{2BC}", " AND ", " OR ", " NOT ", "or", "and",
        "\u{A0}OR\u{A0}",
        "0", "5", "-", ".", ":", "@{a.id}", "+", "\u{3000}", "*", "?", "&&", "||", "!", "=", "<", ">", "LAST_N_DAYS:3",
        "2024-01-01", "T00:00:00Z", "USD5", "a b", "^", "~", "[", "]",
    ]
}
