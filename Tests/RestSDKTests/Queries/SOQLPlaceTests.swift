// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestSDK

@Suite("What a value would be at the end of a text")
struct SOQLPlaceTests {
    private func place(_ text: String, _ language: SOQLPlace.Language = .query) -> SOQLPlace {
        var place = SOQLPlace(language)
        place.pass(text)
        return place
    }

    @Test(
        "a literal can stand after a comparison, in a list and in a call of GEOLOCATION",
        arguments: [
            "WHERE A =", "WHERE A = ", "WHERE A != ", "WHERE A <> ", "WHERE A <=\n\t", "WHERE A>", "A IN (",
            "A NOT IN ( ",
            "A IN ('x', ", "A IN ('it\\'s', 3,", "A INCLUDES (", "DISTANCE(L, GEOLOCATION(", "GEOLOCATION(1, ",
            "-- a note\nWHERE A = ", "/* a ' note **/ WHERE A = ", "HAVING COUNT(Id) > ", "WITH NETWORK = ",
            "B='' AND A=",
            #"B = '\\' AND A = "#, "SELECT (SELECT Id FROM Cs WHERE A = ", "A IN (SELECT Id FROM B WHERE C IN (",
        ])
    func literals(text: String) {
        #expect(place(text).kind == .literal)
    }

    @Test(
        "a name, a keyword or nothing stands everywhere else",
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
        #expect(place(text).kind == .name)
    }

    @Test(
        "patterns, lists and counts have their own places",
        arguments: [
            ("A LIKE ", SOQLPlace.Kind.pattern), ("A like\n", .pattern), ("A IN ", .list), ("A not in ", .list),
            ("A INCLUDES ", .list), ("A excludes ", .list), ("GEOLOCATION ", .list), ("LIMIT ", .count),
            ("OFFSET ", .count), ("D = LAST_N_DAYS:", .count), ("D = n_weeks_ago : ", .count),
        ])
    func others(text: String, kind: SOQLPlace.Kind) {
        #expect(place(text).kind == kind)
        #expect(place(text, .search).kind == kind)
    }

    @Test(
        "inside quotes and comments nothing can be bound, however they are opened and closed",
        arguments: [
            ("A = '", SOQLPlace.Kind.quoted), ("A = 'x", .quoted), (#"A = 'x\'"#, .quoted), (#"A = 'x\\\'"#, .quoted),
            ("A = 'it''", .quoted), ("A = '{", .quoted), ("A = '--", .quoted), ("A = '\n", .quoted),
            (#"A = '\"#, .quoted),
            ("--", .comment), ("A = --", .comment), ("-- '", .comment), ("//", .comment), ("/*", .comment),
            ("/* '", .comment), ("/*/", .comment), ("/* * /", .comment), ("/**", .comment), ("A = 1 -- B = ", .comment),
        ])
    func hidden(text: String, kind: SOQLPlace.Kind) {
        #expect(place(text).kind == kind)
        #expect(place(text, .search).kind == kind)
    }

    @Test(
        "next to a letter, a digit, a point or another value nothing can be bound",
        arguments: ["a", "A = a", "A = 1", "A = .", "A = é", "LIMIT", "A = $", "LIMIT\u{A0}", "A LIKE", "A IN"])
    func crowded(text: String) {
        #expect(place(text).kind == .crowded)
    }

    @Test(
        "what follows a value is blank, a comma, a closing parenthesis or the end",
        arguments: [
            (" ", false), (",", false), (")", false), ("\n", false), ("", false), ("a", true), ("0", true),
            (".5", true),
            ("'", true), ("-1", true), (":", true), ("(", true), ("=", true), ("\u{301}", true), ("\\", true),
        ])
    func following(text: String, isCrowded: Bool) {
        var place = place("A = ")
        place.passValue()
        #expect(place.kind == .crowded)
        place.pass(text)
        #expect(place.isCrowded == isCrowded)
    }

    @Test(
        "a search has its braces",
        arguments: [
            ("FIND {", SOQLPlace.Kind.term), ("find\n{", .term), ("FIND {a ", .term), ("FIND {a OR (", .term),
            (#"FIND {""#, .phrase), (#"FIND {"a b"#, .phrase), (#"FIND {"a\""#, .phrase), (#"FIND {"a" "#, .term),
            (#"FIND {""#, .phrase), (#"FIND {"\"#, .crowded), (#"FIND {\"#, .crowded), ("FIND {a", .crowded),
            (#"FIND {\("#, .crowded), ("FIND {-", .crowded), ("FIND {a*", .crowded), ("FIND {it's ", .term),
            (#"FIND {a\} "#, .term), ("FIND {a} ", .name), ("FIND {a} IN ", .name), (#"FIND {"a} "#, .name),
            ("FIND {a} RETURNING ", .name), ("FIND {a} RETURNING A(", .name), ("FIND {a} RETURNING A(Id, ", .name),
            ("FIND {a} RETURNING A(Id WHERE N = ", .literal), ("FIND {a} RETURNING A(Id WHERE N IN ", .list),
            ("FIND {a} RETURNING A(Id LIMIT ", .count), ("FIND {a} LIMIT ", .count), ("{", .name), ("FIND x {", .name),
        ])
    func searches(text: String, kind: SOQLPlace.Kind) {
        #expect(place(text, .search).kind == kind)
    }
}
