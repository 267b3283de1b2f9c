// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("Records for a new org")
struct TreeLoadingTests {
    private static let invoices = """
        {"records":[{"attributes":{"type":"Invoice__c","referenceId":"i1"},"Total__c":1,"Text__c":"Blue",
        "Customer__c":"@a1","About__c":"@c1","Lines__r":{"records":[
        {"attributes":{"type":"Line__c","referenceId":"l1"},"Name":"One","Amount__c":2},
        {"attributes":{"type":"Line__c"},"Name":"@no reference"}]}}]}
        """
    private static let accounts = """
        {"records":[{"attributes":{"type":"Account","referenceId":"a1"},"Name":"Child","ParentId":"@a2","Contacts":
        {"records":[{"attributes":{"type":"Contact","referenceId":"c1"},"LastName":"Berg"}]}},
        {"attributes":{"type":"Account","referenceId":"a2"},"Name":"Parent"}]}
        """

    private func configuration(
        _ trees: [String], file: String? = nil
    ) throws(LocalOrgError) -> LocalOrgConfiguration {
        var configuration = try InvoiceSchema.configuration(file: file)
        for (number, tree) in trees.enumerated() {
            configuration.initialRecords.append(try InitialRecords(json: Array(tree.utf8), name: "tree \(number)"))
        }
        return configuration
    }

    @Test("children and references, also to what comes later and in another tree, are written")
    func trees() async throws {
        let client = try await OrgClient.start(try configuration([Self.invoices, Self.accounts]))
        let soql = """
            SELECT Customer__r.Name, Customer__r.Parent.Name, About__r.Name, OwnerId, (SELECT Name FROM Lines__r ORDER BY Name)
            FROM Invoice__c
            """
        let record = try client.query(soql).json["records"]?[0]
        #expect(record?["Customer__r"]?["Name"] == "Child" && record?["Customer__r"]?["Parent"]?["Name"] == "Parent")
        #expect(record?["About__r"]?["Name"] == "Berg" && record?["OwnerId"]?.string == client.org.userID)
        let lines = record?["Lines__r"]?["records"]?.array?.compactMap { $0["Name"]?.string }
        #expect(lines == ["@no reference", "One"])
        let contact = try client.query("SELECT Account.Name FROM Contact WHERE LastName = 'Berg'").json["records"]?[0]
        #expect(contact?["Account"]?["Name"] == "Child")
        await client.org.stop()
    }

    @Test(
        "a record that is refused is named, and the org is not made",
        arguments: [
            (#"{"records":[1]}"#, "needs 'attributes' with its 'type' (at $.records[0])"),
            (#"{"records":[{"attributes":{"type":"No__c"}}]}"#, "there is no object No__c"),
            (#"{"records":[{"attributes":{"type":"Account"}}]}"#, "REQUIRED_FIELD_MISSING"),
            (#"{"records":[{"attributes":{"type":"Account"},"Name":"A","ParentId":"@x"}]}"#, "the referenceId x"),
            (
                #"{"records":[{"attributes":{"type":"Account"},"Name":"A","Pets":{"records":[]}}]}"#,
                "no child relationship Pets"
            ),
            (
                #"{"records":[{"attributes":{"type":"Account","referenceId":"r"},"Name":"A","Contacts":{"records":["#
                    + #"{"attributes":{"type":"Contact","referenceId":"r"},"LastName":"B"}]}}]}"#,
                "the referenceId r is used twice (at $.records[0].Contacts.records[0])"
            ),
        ])
    func refused(tree: String, expected: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/org.db"
            let bad = try configuration([Self.accounts, tree], file: file)
            let error = await #expect(throws: LocalOrgError.self) { try await LocalOrg.start(bad) }
            #expect(
                error?.code == .invalidRecords && error?.message.contains(expected) == true, "\(error?.message ?? "")")
            #expect(error?.message.hasPrefix("tree 1") == true)
            // Nothing is half made: the same file takes the good trees, once.
            let good = try configuration([Self.accounts], file: file)
            for _ in 0..<2 {
                let client = try await OrgClient.start(good)
                let found = try client.query("SELECT Id FROM Account WHERE Name IN ('Child', 'Parent')")
                #expect(found.json["totalSize"]?.int == 2)
                await client.org.stop()
            }
        }
    }

    @Test("what is no tree is refused", arguments: ["", "[]", "{}", #"{"records":1}"#])
    func notATree(json: String) throws {
        let error = #expect(throws: LocalOrgError.self) { try InitialRecords(json: Array(json.utf8), name: "'x.json'") }
        #expect(error?.code == .invalidRecords && error?.message.hasPrefix("'x.json'") == true)
    }
}
