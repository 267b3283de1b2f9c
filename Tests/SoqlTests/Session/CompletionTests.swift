// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestJSON
import RestSDK
import RestTesting
import RestTransport
import SOQLCheck
import Testing

@testable import SoqlCommand

@Suite("Completion of statements")
struct StatementCompletionTests {
    @Test(
        "keywords are offered according to the grammar",
        arguments: [
            ("|", "SELECT"), ("sel|", "select"), ("SELECT Name |", "FROM"), ("SELECT Name FROM Account |", "WHERE"),
            ("SELECT Name FROM Account WHERE Name |", "LIKE"), ("SELECT Name FROM Account WHERE NOT Name |", "IN"),
            ("SELECT Name FROM Account WHERE Name NOT |", "IN"), ("SELECT Name FROM Account WHERE Name = 'x' |", "AND"),
            ("SELECT Name FROM Account WHERE (Name = 'x' |", "OR"), ("SELECT Name FROM Account ORDER |", "BY"),
            ("SELECT Name FROM Account ORDER BY Name |", "DESC"),
            ("SELECT Name FROM Account ORDER BY Name DESC |", "NULLS LAST"),
            ("SELECT Name FROM Account ORDER BY Name DESC NULLS |", "FIRST"),
            ("SELECT Name FROM Account LIMIT 5 |", "OFFSET"),
            ("SELECT Name FROM Account WITH |", "USER_MODE"), ("SELECT Name FROM Account USING |", "SCOPE"),
            ("SELECT Name FROM Account USING SCOPE |", "mine"), ("SELECT Name FROM Account FOR |", "VIEW"),
            ("SELECT COUNT(Id) FROM Account GROUP BY Industry |", "HAVING"), ("SELECT TYPEOF What |", "WHEN"),
            ("SELECT TYPEOF What WHEN Account |", "THEN"), ("SELECT TYPEOF What WHEN Account THEN Name |", "ELSE"),
        ])
    func keywords(text: String, word: String) throws {
        #expect(try SampleSchema.words(text).contains(word))
    }

    @Test("a completed clause is not offered again, and HAVING is offered only after GROUP BY")
    func order() throws {
        let words = try SampleSchema.words("SELECT Name FROM Account WHERE Name = 'x' ORDER BY Name |")
        #expect(!words.contains("WHERE") && !words.contains("GROUP BY") && !words.contains("HAVING"))
        #expect(words.contains("LIMIT"))
        #expect(try !SampleSchema.words("SELECT Name FROM Account |").contains("HAVING"))
        // A child query cannot have groups.
        #expect(try !SampleSchema.words("SELECT (SELECT Id FROM Contacts |) FROM Account").contains("GROUP BY"))
    }

    @Test("objects are offered after FROM, also in a semi-join, and children in a child query")
    func objects() throws {
        #expect(try SampleSchema.words("SELECT Id FROM acc|") == ["Account", "AccountHistory"])
        #expect(try SampleSchema.words("SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Con|") == ["Contact"])
        #expect(try SampleSchema.words("SELECT Id, (SELECT LastName FROM |) FROM Account") == ["Contacts"])
    }

    @Test(
        "fields of the object in FROM are offered in any position",
        arguments: [
            "SELECT Na| FROM Account", "SELECT Id FROM Account WHERE Na|", "SELECT Id FROM Account ORDER BY Na|",
            "SELECT MAX(Na|) FROM Account", "SELECT Id FROM Account WHERE Id = '1' AND (Na|",
            "SELECT a.Na| FROM Account a", "SELECT Account.Na| FROM Account",
            "SELECT LastName FROM Contact WHERE Account.Na|",
            "SELECT Id FROM Contact; SELECT Na| FROM Account; SELECT Id FROM User",
            "SELECT Id FROM Contact WHERE AccountId IN (SELECT Na| FROM Account)",
            "SELECT -- a comment, FROM User\n Na| FROM Account",
            "SELECT TYPEOF What WHEN Account THEN Na| END FROM Task",
        ])
    func fields(text: String) throws {
        let completion = try SampleSchema.complete(text)
        #expect(completion.candidates.map(\.text) == ["Name"])
        #expect(completion.typed == 2)
    }

    @Test("a child query offers the fields of the children")
    func childFields() throws {
        #expect(try SampleSchema.words("SELECT (SELECT Las| FROM Contacts) FROM Account") == ["LastName"])
    }

    @Test("relationships can be followed, and a field that cannot be filtered is not offered in WHERE")
    func paths() throws {
        let own = try SampleSchema.words("SELECT O| FROM Account")
        #expect(own == ["OwnerId", "Owner."])
        #expect(try SampleSchema.words("SELECT Owner.Manager.E| FROM Account") == ["Email"])
        #expect(try SampleSchema.words("SELECT Id FROM Account WHERE Desc|").isEmpty)
        #expect(try SampleSchema.words("SELECT Desc| FROM Account") == ["Description"])
        #expect(try SampleSchema.words("SELECT TYPEOF | FROM Task") == ["What"])
        #expect(try SampleSchema.words("SELECT TYPEOF What WHEN | FROM Task") == ["Account", "Opportunity"])
    }

    @Test("after a polymorphic relationship, the fields that all of its objects have are offered")
    func nameFields() throws {
        #expect(try SampleSchema.words("SELECT What.N| FROM Task") == ["Name"])
        #expect(try SampleSchema.words("SELECT What.Indus| FROM Task").isEmpty)
    }

    @Test(
        "a function is offered in the clauses that support it",
        arguments: [
            ("SELECT SU| FROM Account", "SUM("), ("SELECT toL| FROM Account", "toLabel("),
            ("SELECT Id FROM Account WHERE CALENDAR_Y|", "CALENDAR_YEAR("), ("SELECT Id FROM Account WHERE SU|", nil),
            ("SELECT Name FROM Account GROUP BY Name HAVING (SU|", "SUM("), ("SELECT FORMAT(MA| FROM Account", "MAX("),
            ("SELECT Id FROM Account WHERE FORM|", nil), ("SELECT DAY_ONLY(convertT| FROM Account", "convertTimezone("),
        ])
    func functions(text: String, function: String?) throws {
        #expect(try SampleSchema.words(text).filter { $0.contains("(") } == [function].compactMap(\.self))
    }

    @Test("active picklist values are offered, inside quotes and without them")
    func picklists() throws {
        let inside = try SampleSchema.complete("SELECT Id FROM Account WHERE Industry = 'B|")
        #expect(inside.candidates.map(\.text) == ["Banking", #"Bob\'s"#])
        #expect(inside.candidates.first?.suffix == "' ")
        #expect(
            try SampleSchema.words("SELECT Id FROM Account WHERE Industry = |").prefix(2) == [
                "'Banking'", #"'Bob\'s'"#,
            ])
        #expect(try SampleSchema.words("SELECT Id FROM Account WHERE Industry IN ('Banking', 'Bo|") == [#"Bob\'s"#])
        #expect(try SampleSchema.words("SELECT Id FROM Account WHERE Name = 'B|").isEmpty)
    }

    @Test("date literals are offered for dates, and Boolean values for Booleans")
    func values() throws {
        let dates = try SampleSchema.complete("SELECT Id FROM Account WHERE CreatedDate > LAST_N_D|").candidates
        #expect(dates == [Completion.Candidate(text: "LAST_N_DAYS", suffix: ":")])
        #expect(try SampleSchema.words("SELECT Id FROM Account WHERE IsPartner = |") == ["NULL", "TRUE", "FALSE"])
        #expect(try SampleSchema.words("SELECT Id FROM Account WHERE Industry = TOD|").isEmpty)
    }

    @Test("variables are offered after a colon")
    func variables() throws {
        let found = try SampleSchema.complete("SELECT Id FROM Account WHERE Name = :n|") {
            $0.variables = ["name", "other"]
        }
        #expect(found.candidates.map(\.text) == ["name"])
    }

    @Test("missing descriptions are requested, and no others")
    func wanted() throws {
        #expect(try SampleSchema.complete("SELECT | FROM Opportunity").wanted == ["OPPORTUNITY"])
        #expect(try SampleSchema.complete("SELECT | FROM Account").wanted.isEmpty)
        #expect(try SampleSchema.complete("SELECT What.| FROM Task").wanted.isEmpty)
        let branch = try SampleSchema.complete("SELECT TYPEOF What WHEN Opportunity THEN | END FROM Task")
        #expect(branch.wanted == ["OPPORTUNITY"])
    }

    @Test(
        "nothing is offered in comments, numbers and other texts",
        arguments: [
            "SELECT Id /* Na|", "SELECT Id -- Na|", "SELECT Id FROM Account LIMIT 1|", "nonsense |",
            "SELECT Id FROM Account WHERE Name = 'x' + 'y|",
        ])
    func nothing(text: String) throws {
        #expect(try SampleSchema.words(text).isEmpty)
    }

    @Test("completion of any text returns, and does not take long", arguments: 0..<200)
    func random(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let chunks = [
            "SELECT ", "FROM ", "Account ", "WHERE ", "(", ")", "'", "\\", ",", ".", "TYPEOF ", "WHEN ", "IN ", ":",
            "é", "-",
            "/*", "*/", "\n", ";", "GROUP ", "BY ", "NOT ", "=", "1", "{", "END ", "Owner",
        ]
        let text = (0..<60).map { _ in chunks[Int(generator.next() % UInt64(chunks.count))] }.joined()
        let cut = text.index(text.startIndex, offsetBy: Int(generator.next() % UInt64(text.count)))
        var engine = CompletionEngine()
        engine.schema = try SampleSchema.make()
        let completion = engine.completion(before: String(text[..<cut]), after: String(text[cut...]))
        #expect(completion.typed <= text[..<cut].count)
    }
}

@Suite("Completion of commands, and its output")
struct CommandCompletionTests {
    @Test("command names and their arguments are offered")
    func commands() throws {
        #expect(try SampleSchema.words(#"\ti|"#) == ["timing"])
        #expect(try SampleSchema.words(#"  \timing o|"#) == ["on", "off"])
        #expect(try SampleSchema.words(#"\d Acc|"#) == ["Account", "AccountHistory"])
        #expect(try SampleSchema.words(#"\d Account.Na|"#) == ["Name"])
        #expect(try SampleSchema.words(#"\explain SELECT Na| FROM Account"#) == ["Name"])
        #expect(try SampleSchema.words(#"\q |"#).isEmpty)
        #expect(try SampleSchema.words(#"\nonsense |"#).isEmpty)
        let account = try SampleSchema.complete(#"\c pr|"#) { $0.accounts = ["prod", "dev"] }
        #expect(account.candidates.map(\.text) == ["prod"])
    }

    @Test("file names are offered for commands with a file, and a directory ends with a slash")
    func files() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path("queries"), withIntermediateDirectories: false)
        for name in ["quick.soql", ".hidden"] { try folder.write("", to: name) }
        let found = try SampleSchema.complete("\\i \(folder.path)/qu|") { $0.files = SessionFiles.paths }
        #expect(found.candidates.map(\.text) == ["\(folder.path)/queries/", "\(folder.path)/quick.soql"])
        #expect(found.candidates.map(\.suffix) == ["", " "])
        #expect(
            SessionFiles.paths(beginningWith: folder.path + "/") == [
                "\(folder.path)/queries/", "\(folder.path)/quick.soql",
            ])
    }

    @Test("a single candidate is inserted whole, and several up to their common prefix")
    func insertion() throws {
        #expect(try SampleSchema.complete("SELECT Id FROM con|").insertion(replacing: "con") == "Contact ")
        let several = try SampleSchema.complete("SELECT Id FROM acc|")
        #expect(several.insertion(replacing: "acc") == "Account")
        #expect(several.insertion(replacing: "Account") == nil)
        #expect(Completion().insertion(replacing: "x") == nil)
    }

    @Test("a list is printed in columns that fit, with the number of omitted names")
    func list() {
        let names = (1...9).map { Completion.Candidate(text: "name\($0)") }
        #expect(CandidateList(names).text(80, 24) == "name1  name2  name3  name4  name5  name6  name7  name8  name9\n")
        #expect(CandidateList(names).text(14, 6) == "name1  name4\nname2  name5\nname3  name6\n… and 3 more\n")
        let steering = [Completion.Candidate(text: "a\u{1B}[2J"), Completion.Candidate(text: "日本")]
        #expect(!CandidateList(steering).text(20, 24).contains("\u{1B}"))
    }

    @Test("a name among 100,000 is found without a linear search")
    func manyNames() {
        let index = NameIndex((0..<100_000).map { "Object_\($0)__c" })
        let found = index.names(beginningWith: "OBJECT_9999")
        #expect(Set(found) == Set((["9999"] + (0...9).map { "9999\($0)" }).map { "Object_\($0)__c" }))
        #expect(index.names(beginningWith: "x").isEmpty)
    }
}

enum SampleSchema {
    static func make() throws -> CompletionSchema {
        var schema = CompletionSchema()
        schema.objects = NameIndex(["Account", "AccountHistory", "Contact", "Opportunity", "Task", "User"])
        for text in [account, contact, user, task] {
            schema.add(try ObjectDescription(JSONValue(parsing: Array(text.utf8)).object ?? [:]))
        }
        return schema
    }

    /// Returns the candidates at the `|` of a text, and the typed prefix.
    static func complete(_ text: String, _ change: (inout CompletionEngine) -> Void = { _ in }) throws -> Completion {
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var engine = CompletionEngine()
        engine.schema = try make()
        change(&engine)
        return engine.completion(before: parts[0], after: parts.count > 1 ? parts[1] : "")
    }

    static func words(_ text: String) throws -> [String] { try complete(text).candidates.map(\.text) }

    private static func field(_ name: String, _ type: String, _ more: String = "") -> String {
        #"{"name":"\#(name)","type":"\#(type)","filterable":true,"sortable":true,"groupable":true\#(more)}"#
    }

    private static func reference(_ name: String, _ relationship: String, _ objects: String) -> String {
        field(name, "reference", #","relationshipName":"\#(relationship)","referenceTo":[\#(objects)]"#)
    }

    private static let industry = field(
        "Industry", "picklist",
        #","picklistValues":[{"value":"Banking"},{"value":"Bob's"},{"value":"Old","active":false}]"#)

    private static let account = """
        {"name":"Account","fields":[\(field("Id", "id")),\(field("Name", "string")),\(industry),
        {"name":"Description","type":"textarea","filterable":false},\(field("CreatedDate", "datetime")),\(field("IsPartner", "boolean")),
        \(reference("OwnerId", "Owner", #""User""#))],
        "childRelationships":[{"relationshipName":"Contacts","childSObject":"Contact","field":"AccountId"},
        {"relationshipName":null,"childSObject":"Task","field":"WhatId"}]}
        """
    private static let contact = """
        {"name":"Contact","fields":[\(field("LastName", "string")),\(reference("AccountId", "Account", #""Account""#))]}
        """
    private static let user = """
        {"name":"User","fields":[\(field("Username", "string")),\(field("Email", "email")),
        \(reference("ManagerId", "Manager", #""User""#))]}
        """
    private static let task = """
        {"name":"Task","fields":[\(field("Subject", "string")),
        \(reference("WhatId", "What", #""Account","Opportunity""#))]}
        """
}
