// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("soql: trees of records", .timeLimit(.minutes(2)))
struct TreeVerbTests {
    private let query = """
        SELECT Name, Phone, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account \
        WHERE Id IN (SELECT AccountId FROM Contact) ORDER BY Name LIMIT 3
        """

    @Test("a file of one org is created in another, children below their parents")
    func file() async throws {
        let (source, target) = (try await OrgSession(), try await OrgSession())
        let file = source.folder.path("tree.json")
        #expect(try await source.run("tree", "export", query, "-o", file).status == 0)
        let printed = try await source.run("tree", "export", query)
        #expect(printed.output == source.folder.text(of: "tree.json"))
        let before = try await target.values("SELECT LastName FROM Contact").count
        let run = try await target.run("tree", "import", file)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines[0] == "reference,id" && lines[1].hasPrefix("AccountRef1,001"))
        #expect(lines.contains { $0.hasPrefix("ContactRef1,003") })
        let contacts = lines.count { $0.hasPrefix("ContactRef") }
        #expect(contacts > 0)
        #expect(try await target.values("SELECT LastName FROM Contact").count == before + contacts)
        await source.org.stop()
        await target.org.stop()
    }

    @Test("a plan names parents by references; --dry-run prints its calls")
    func plan() async throws {
        let (source, target) = (try await OrgSession(), try await OrgSession())
        let query = "SELECT Id, Name, (SELECT Id, LastName FROM Contacts) FROM Account WHERE Name LIKE 'A%'"
        let folder = source.folder.path
        let run = try await source.run("tree", "export", query, "--plan", "--prefix", "x", "-o", folder)
        #expect(run.status == 0 && source.folder.names == ["x-Account.json", "x-Contact.json", "x-plan.json"])
        let dry = try await target.run("tree", "import", source.folder.path("x-plan.json"), "--dry-run")
        #expect(
            dry.output.hasPrefix("POST /services/data/v66.0/composite/tree/Account\n{\"records\":[{\"attributes\":"))
        #expect(dry.output.contains("\"AccountId\":\"@AccountRef1\"") && target.writes.isEmpty)
        let made = try await target.run("tree", "import", source.folder.path("x-plan.json"))
        #expect(made.status == 0)
        let accounts = try await target.values(
            "SELECT Account.Name, LastName FROM Contact ORDER BY CreatedDate", "LastName")
        #expect(!accounts.isEmpty)
        await source.org.stop()
        await target.org.stop()
    }

    @Test("a call that is refused leaves those before it, and exit code 4; a bad file sends nothing")
    func partly() async throws {
        let session = try await OrgSession()
        func record(_ number: Int, _ name: String) -> String {
            #"{"attributes":{"type":"Account","referenceId":"r\#(number)"},"Name":\#(name)}"#
        }
        let records = (1...200).map { record($0, "\"tree \($0)\"") } + [record(201, "null")]
        try session.folder.write(#"{"records":[\#(records.joined(separator: ","))]}"#, to: "tree.json")
        let run = try await session.run("tree", "import", session.folder.path("tree.json"))
        #expect(run.status == 4 && run.errors.contains("200 records created before a call failed"))
        #expect(run.errors.contains("r201: REQUIRED_FIELD_MISSING"))
        #expect(run.output.split(separator: "\n").count == 201)
        let writes = session.writes.count
        for text in [
            "", "{", #"{"records":[{}]}"#, #"[{"sobject":"Account"}]"#, #"[{"sobject":"A","files":["../x"]}]"#,
        ] {
            try session.folder.write(text, to: "bad.json")
            let bad = try await session.run("tree", "import", session.folder.path("bad.json"))
            #expect(bad.status == 1 && bad.errors.contains("bad.json"), "\(text): \(bad)")
        }
        #expect(session.writes.count == writes)
        await session.org.stop()
    }
}
