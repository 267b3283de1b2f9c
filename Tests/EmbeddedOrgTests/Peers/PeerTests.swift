// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Third-party clients")
struct SimpleSalesforceTests {
    private func numbers(_ value: JSONValue?) -> [Int] { value?.array?.compactMap(\.int) ?? [] }

    @Test("simple-salesforce logs in, pages, searches, writes, moves records in bulk and gets typed errors")
    func simpleSalesforce() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 5_000))
        org.apex.handle("/echo/*") { request in ApexResponse(body: request.body) }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "simple_salesforce_check.py")
        let environment = [
            "CLIENT_ID": org.clientID, "CLIENT_SECRET": org.clientSecret, "USERNAME_": org.username,
            "PASSWORD": org.password,
        ]
        let output = try Python.run([script.path, String(org.port)], environment: environment)
        let seen = try JSONValue(parsing: Array(output.utf8))
        #expect(seen["passwordLogin"]?.int == 3)
        #expect(seen["total"]?.int == 5_060)
        #expect(seen["records"]?.int == 5_060)
        #expect(seen["iterated"]?.int == 5_060)
        #expect(seen["children"]?.int ?? 0 >= 2)
        #expect(seen["count"]?.int ?? 0 >= 10)
        #expect(seen["created"]?.bool == true)
        #expect(seen["upserted"]?.int == 200 && seen["inserted"]?.int == 201)
        #expect(seen["updated"]?.int == 204 && seen["deleted"]?.int == 204)
        #expect(seen["read"]?.string == "Peer & Söhne")
        #expect(seen["byExternalId"]?.string == "Main")
        #expect(seen["describe"]?.string == "Account")
        #expect(seen["versions"]?.int == 15_000 && seen["usage"]?.int == 15_000)
        #expect(seen["updatedIds"]?.int == 1 && seen["deletedIds"]?.array?.compactMap(\.bool) == [true])
        #expect(seen["sandbox"]?.bool == false && seen["search"] == ["Ada Adler"])
        #expect(numbers(seen["composite"]) == [200, 404])
        #expect(seen["apex"]?["a"]?.int == 1 && numbers(seen["file"]) == [0x68, 0, 0x69])
        #expect(numbers(seen["bulkInserted"]) == [450, 0] && numbers(seen["bulkResults"]) == [450, 0, 0])
        #expect(seen["bulkUpserted"]?.int == 0 && numbers(seen["bulkUpdated"]) == [451, 1])
        #expect(seen["bulkDeleted"]?.int == 50 && numbers(seen["bulkPages"]) == [150, 150, 100])
        #expect(seen["bulkAll"]?.int == 450)
        let codes = seen["errors"]?.array?.compactMap(\.string)
        #expect(
            codes == [
                "ENTITY_IS_DELETED", "REQUIRED_FIELD_MISSING", "INVALID_FIELD", "INVALID_FIELD", "MALFORMED_QUERY",
                "INVALID_QUERY_LOCATOR", "invalid_client",
            ])
        let pages = org.journal.entries.filter { $0.target.contains("/query/0r8") && $0.status == 200 }
        #expect(pages.count == 4)
    }
}

@Suite("aiosfstream-ng", .timeLimit(.minutes(2)))
struct StreamingPeerTests {
    @Test("aiosfstream-ng gets published and changed records, replays, and survives a client that the org forgot")
    func listens() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.schema = try OrgSchema(
            describe: Array(#"{"name":"Paid__e","fields":[{"name":"Sum__c","type":"double"}]}"#.utf8))
        let org = try await LocalOrg.start(configuration)
        let client = OrgClient(org)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "aiosfstream_check.py")
        let program = try RunningProgram(
            Python.interpreter, [script.path, String(org.port)],
            environment: Process.toolEnvironment(adding: ["TOKEN": client.token]), input: nil)
        _ = try program.outputLines(through: "forget")
        org.events.forgetClients()
        try program.send(Array("go\n".utf8))
        let outcome = await program.finish()
        try #require(outcome.status == 0, "\(outcome.errors)")
        let seen = try JSONValue(parsing: Array(outcome.output.utf8))
        #expect(numbers(seen["published"]) == [0, 1, 2, 3, 4])
        #expect(seen["changes"] == ["CREATE", "UPDATE", "DELETE"] && seen["phones"] == ["1", "2", .null])
        #expect(numbers(seen["replayed"]) == [0, 1, 2, 3, 4] && numbers(seen["resumed"]) == [3, 4])
        #expect(numbers(seen["afterwards"]) == [77])
        #expect(seen["fallback"]?.int == 6)
    }

    private func numbers(_ value: JSONValue?) -> [Int] { value?.array?.compactMap { $0.double.map { Int($0) } } ?? [] }
}

#if canImport(Glibc) || canImport(Musl)
@Suite("grpcio and fastavro", .timeLimit(.minutes(2)))
struct PubSubPeerTests {
    @Test(
        "grpcio publishes, subscribes with few credits, resumes, and reads change events and errors",
        arguments: [false, true])
    func listens(isSecure: Bool) async throws {
        let certificate = FileManager.default.temporaryDirectory.appending(path: "org-\(UUID()).pem").path
        defer { try? FileManager.default.removeItem(atPath: certificate) }
        let security = isSecure ? OrgSecurity(certificateFile: certificate) : nil
        let client = try await PubSubClient.start(security: security) { $0.changedObjects = ["Account"] }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let messages = folder.appending(path: "../../EventWireTests/Peers/pubsub.proto").standardizedFileURL
        let program = try RunningProgram(
            Python.interpreter,
            [folder.appending(path: "pubsub_check.py").path, String(client.org.port), messages.path]
                + (isSecure ? [certificate] : []),
            environment: Process.toolEnvironment(
                adding: ["TOKEN": client.client.token, "TENANT": client.org.organizationID]), input: nil)
        let outcome = await program.finish()
        try #require(outcome.status == 0, "\(outcome.errors)")
        let seen = try JSONValue(parsing: Array(outcome.output.utf8))
        #expect(seen["topic"] == ["/event/Paid__e", true, true])
        #expect(seen["published"] == 200 && seen["sums"] == true)
        #expect(seen["streamed"]?.array?.compactMap(\.int) == Array(repeating: 1, count: 20))
        #expect(seen["resumed"] == [217, 218, 219] && seen["live"] == [999])
        #expect(seen["changes"] == ["CREATE", "UPDATE", "DELETE"] && seen["phones"] == ["1", "2", nil])
        #expect(seen["changed"] == ["Phone", "LastModifiedDate"] || seen["changed"] == ["LastModifiedDate", "Phone"])
        let prefix = "sfdc.platform.eventbus.grpc."
        #expect(
            seen["errors"] == [
                ["UNAUTHENTICATED", JSONValue(prefix + "service.auth.headers.invalid"), true],
                ["NOT_FOUND", JSONValue(prefix + "topic.not.found"), true],
            ])
    }
}
#endif
