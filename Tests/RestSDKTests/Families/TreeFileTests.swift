// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Files of records with records below them")
struct TreeFileTests {
    private static let text = #"""
        {"records":[{"attributes":{"type":"Account","referenceId":"AccountRef1"},"Name":"File account","Contacts":{"records":[
        {"attributes":{"type":"Contact","referenceId":"ContactRef1"},"LastName":"File contact"}]}}]}
        """#

    private static func folder() throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("trees-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    @Test("a file is read, created, and written as it was")
    func roundTrip() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withClient { client, _ in
            let file = try RecordTree.File(parsing: Array(Self.text.utf8))
            let ids = try await client.importTree(file).get()
            #expect(Set(ids.keys) == ["AccountRef1", "ContactRef1"])
            let contact = try await client.send(.retrieve("Contact", id: ids["ContactRef1"] ?? ""))
            #expect(contact.payload["AccountId"]?.string == ids["AccountRef1"])
            try file.write(to: "\(folder)/file.json")
            #expect(try RecordTree.File(contentsOf: "\(folder)/file.json") == file)
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/file.json")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test("a long file goes in several calls, and one that fails tells what was created before")
    func long() async throws {
        try await withClient { client, org in
            var records = (0..<450).map { RecordTree("Account", as: "a\($0)", ["Name": "Long \($0)"]) }
            let whole = try await client.importTree(RecordTree.File(records)).get()
            #expect(whole.count == 450)
            #expect(org.journal.entries.filter { $0.target.contains("/composite/tree") }.count == 3)
            records[300].fields = ["Colour": "x"]
            let part = try await client.importTree(RecordTree.File(records))
            #expect(part.ids.count == 200)
            #expect(part.failure?.faults.first?.reference == "a300")
            #expect(part.failure?.outcome == .notApplied)
            #expect(throws: RestError.self) { try part.get() }
        }
    }

    @Test("a plan is written, read, and its references become ids")
    func plan() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withClient { client, _ in
            let accounts = RecordTree.File([RecordTree("Account", as: "AccountRef1", ["Name": "Planned"])])
            let contacts = RecordTree.File([
                RecordTree("Contact", as: "ContactRef1", ["LastName": "Planned", "AccountId": "@AccountRef1"])
            ])
            let plan = RecordTree.Plan([
                .init("Account", resolvesReferences: false, files: [accounts]), .init("Contact", files: [contacts]),
            ])
            let path = try plan.write(to: folder, prefix: "sample")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                    == ["sample-Account.json", "sample-Contact.json", "sample-plan.json"])
            let read = try RecordTree.Plan(contentsOf: path)
            #expect(read == plan)
            let ids = try await client.importTrees(read).get()
            let contact = try await client.send(.retrieve("Contact", id: ids["ContactRef1"] ?? ""))
            #expect(contact.payload["AccountId"]?.string == ids["AccountRef1"])
        }
    }

    @Test("records leave one org as a file or a plan and come into another one, linked as they were")
    func export() async throws {
        try await withClient { client, _ in
            let account = try await client.create([RecordDraft("Account", ["Name": "Moved", "Industry": "Energy"])])
                .get()[0]
            let contacts = (0..<2).map {
                RecordDraft("Contact", ["LastName": JSONValue("Moved \($0)"), "AccountId": JSONValue(account)])
            }
            _ = try await client.create(contacts).get()
            let file = try await client.exportTree(
                "SELECT Id, Name, Industry, Site, (SELECT LastName FROM Contacts) FROM Account WHERE Id = \(account)")
            #expect(file.records.map(\.fields) == [["Name": "Moved", "Industry": "Energy"]])
            #expect(file.records[0].children.map(\.relationship) == ["Contacts"])
            let ids = try await client.importTree(file).get()
            #expect(ids.count == 3)
            let plan = try await client.exportTrees([
                "SELECT Id, Name, (SELECT Id, LastName FROM Contacts) FROM Account WHERE Id = \(account)",
                "SELECT LastName, AccountId FROM Contact WHERE AccountId = \(account) LIMIT 1",
            ])
            #expect(plan.steps.map(\.type) == ["Account", "Contact"])
            #expect(
                plan.steps[1].files[0].records.map { $0.fields["AccountId"] } == [
                    "@AccountRef1", "@AccountRef1", "@AccountRef1",
                ])
            let again = try await client.importTrees(plan).get()
            let read = try await client.send(.retrieve("Contact", id: again["ContactRef1"] ?? ""))
            #expect(read.payload["AccountId"]?.string == again["AccountRef1"])
            let parent = await #expect(throws: RestError.self) {
                try await client.exportTree("SELECT Id, Owner.Name FROM Account LIMIT 1")
            }
            #expect(parent?.code == .invalidRequest)
        }
    }

    @Test("references that are used twice are refused, and nothing is sent")
    func twice() async throws {
        let stub = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
        let file = RecordTree.File((0..<2).map { _ in RecordTree("Account", as: "same", [:]) })
        let error = await #expect(throws: RestError.self) { try await client.importTree(file) }
        #expect(error?.code == .invalidRequest)
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "files of another form are errors with their place",
        arguments: [
            ("", "is not JSON"), ("[]", "must be an object with a list"),
            (#"{"records":[{}]}"#, "records[0]: must have"),
            (#"{"records":[{"attributes":{"type":"A"}}]}"#, "records[0]: must have"),
            (
                #"{"records":[{"attributes":{"type":"A","referenceId":"a"},"Kids":{"records":[1]}}]}"#,
                "records[0].Kids[0]: must have"
            ),
        ])
    func badFiles(text: String, reason: String) throws {
        let error = #expect(throws: RestError.self) { try RecordTree.File(parsing: Array(text.utf8)) }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("a plan names files beside it only; one that is not there is a file error")
    func badPlans() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cases: [(String, RestError.Code)] = [
            (#"[{"sobject":"A","files":["../x.json"]}]"#, .decoding),
            (#"[{"sobject":"A","files":["/etc/passwd"]}]"#, .decoding),
            (#"[{"sobject":"A","files":["none.json"]}]"#, .file), (#"[{"files":[]}]"#, .decoding), ("{}", .decoding),
            (#"[{"sobject":"A","files":[1]}]"#, .decoding),
        ]
        for (text, code) in cases {
            try text.write(toFile: "\(folder)/plan.json", atomically: true, encoding: .utf8)
            let error = #expect(throws: RestError.self) { try RecordTree.Plan(contentsOf: "\(folder)/plan.json") }
            #expect(error?.code == code, "\(text)")
        }
        let error = #expect(throws: RestError.self) { try RecordTree.Plan(contentsOf: "\(folder)/none.json") }
        #expect(error?.code == .file)
    }
}
