// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import LocalServer
import RestJSON
import RestTesting
import Testing

@Suite("Files of earlier releases")
struct EarlierFileTests {
    @Test("a file without the fields that came later gets them, and keeps what it has")
    func fields() async throws {
        try await withTemporaryFolder { folder in
            let configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            await (try LocalOrg.start(configuration)).stop()
            try SQLiteConnection(path: folder + "/org.db").execute(
                "ALTER TABLE \"Account\" DROP COLUMN \"BillingLatitude\"")
            let client = OrgClient(try await LocalOrg.start(configuration))
            let rows = try client.query("SELECT COUNT(Name) names, COUNT(BillingLatitude) places FROM Account").json
            #expect(rows["records"]?[0]?["names"]?.int == 60)
            #expect(rows["records"]?[0]?["places"]?.int == 0)
            let id = try client.create(
                "Account", #"{"Name":"Placed","BillingLatitude":37.5,"BillingLongitude":-122.0}"#)
            let near = try client.query(
                "SELECT Id FROM Account WHERE DISTANCE(BillingAddress, GEOLOCATION(37.5, -122), 'km') < 1")
            #expect(near.json["records"]?[0]?["Id"]?.string == id)
            await client.org.stop()
        }
    }
}
