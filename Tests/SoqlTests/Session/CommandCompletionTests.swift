// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import soql

@Suite("Completion of commands, and what it writes")
struct CommandCompletionTests {
    @Test("names of commands, and what each takes")
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

    @Test("files behind commands that take one; a folder ends in a slash and goes on")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "soql-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/queries", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: folder + "/quick.soql"))
        try Data().write(to: URL(filePath: folder + "/.hidden"))
        let found = try SampleSchema.complete("\\i \(folder)/qu|") { $0.files = SessionFiles.paths }
        #expect(found.candidates.map(\.text) == ["\(folder)/queries/", "\(folder)/quick.soql"])
        #expect(found.candidates.map(\.suffix) == ["", " "])
        #expect(SessionFiles.paths(beginningWith: folder + "/") == ["\(folder)/queries/", "\(folder)/quick.soql"])
    }

    @Test("the only candidate is written whole, several as far as they agree")
    func insertion() throws {
        #expect(try SampleSchema.complete("SELECT Id FROM con|").insertion(replacing: "con") == "Contact ")
        let several = try SampleSchema.complete("SELECT Id FROM acc|")
        #expect(several.insertion(replacing: "acc") == "Account")
        #expect(several.insertion(replacing: "Account") == nil)
        #expect(Completion().insertion(replacing: "x") == nil)
    }

    @Test("a list stands in columns that fit, and counts what does not")
    func list() {
        let names = (1...9).map { Completion.Candidate(text: "name\($0)") }
        #expect(CandidateList(names).text(80, 24) == "name1  name2  name3  name4  name5  name6  name7  name8  name9\n")
        #expect(CandidateList(names).text(14, 6) == "name1  name4\nname2  name5\nname3  name6\n… and 3 more\n")
        let steering = [Completion.Candidate(text: "a\u{1B}[2J"), Completion.Candidate(text: "日本")]
        #expect(!CandidateList(steering).text(20, 24).contains("\u{1B}"))
    }

    @Test("a name among 100,000 is found without looking at all of them")
    func manyNames() {
        let index = NameIndex((0..<100_000).map { "Object_\($0)__c" })
        let found = index.names(beginningWith: "OBJECT_9999")
        #expect(Set(found) == Set((["9999"] + (0...9).map { "9999\($0)" }).map { "Object_\($0)__c" }))
        #expect(index.names(beginningWith: "x").isEmpty)
    }
}
