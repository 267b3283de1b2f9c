// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestTesting
import Testing

@testable public import RestSDK

// sample: docs/adding-a-request-family.md 1
extension RestRequest {
    /// Reads the record that has this external id.
    ///
    /// The platform: REST API Developer Guide, "sObject Rows by External ID".
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value.
    ///   - fields: the fields to read; all of them when empty.
    /// - Returns: the request.
    public static func retrieve(
        _ type: String, externalID field: String, _ value: String, fields: [String] = []
    ) -> RestRequest {
        var request = byExternalID("retrieveByExternalID", .get, type, field, value)
        if !fields.isEmpty { request.query = [QueryItem("fields", fields.joined(separator: ","))] }
        return request
    }

    /// Deletes the record that has this external id; the answer is empty.
    public static func delete(_ type: String, externalID field: String, _ value: String) -> RestRequest {
        byExternalID("deleteByExternalID", .delete, type, field, value)
    }

    private static func byExternalID(
        _ name: String, _ method: HTTPMethod, _ type: String, _ field: String, _ value: String
    ) -> RestRequest {
        RestRequest(name: name, method: method, resource: .data(["sobjects", type, field, value]))
            .requiring(type, "type").requiring(field, "externalID").requiring(value, "value")
    }
}
// end

// sample: docs/adding-a-request-family.md 2
@Suite("Records by external id")
struct ExternalIDTests {
    @Test("a record is read and deleted by its external id, whatever is in it")
    func life() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let value = "a/b ?&#%2F"
        _ = try await client.send(.upsert("Account", externalID: "ExternalId__c", value, ["Name": "Harbour"]))

        let record = try await client.send(
            .retrieve("Account", externalID: "ExternalId__c", value, fields: ["Name"]))
        _ = try await client.send(.delete("Account", externalID: "ExternalId__c", value))
        let second = await #expect(throws: RestError.self) {
            try await client.send(.retrieve("Account", externalID: "ExternalId__c", value))
        }

        #expect(record.payload["Name"]?.string == "Harbour")
        #expect(second?.code == .notFound)
        await org.stop()
    }

    @Test("a blank argument is refused before anything is sent")
    func blank() async throws {
        let transport = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))

        let error = await #expect(throws: RestError.self) {
            try await client.send(.delete("Account", externalID: "ExternalId__c", " "))
        }

        #expect(error?.code == .invalidRequest && error?.outcome == .notApplied)
        #expect(transport.requests.isEmpty)
    }
}
// end
