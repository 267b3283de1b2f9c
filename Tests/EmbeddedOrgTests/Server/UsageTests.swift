// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import Testing

@Suite("The daily limit of calls")
struct UsageTests {
    @Test("calls beyond the limit are refused until the day is over; logins are not counted")
    func limit() async throws {
        let clock = ManualClock()
        var configuration = LocalOrgConfiguration(accessTokenLifetime: .seconds(1_000_000))
        configuration.dailyRequestLimit = 3
        configuration.clock = clock
        let client = try await OrgClient.start(configuration)
        for used in 1...3 {
            #expect(try client.get("/sobjects").field("Sforce-Limit-Info") == "api-usage=\(used)/3")
        }
        let refused = try client.get("/sobjects")
        #expect(refused.status == 403)
        #expect(refused.errorCode == "REQUEST_LIMIT_EXCEEDED")
        #expect(refused.field("Sforce-Limit-Info") == "api-usage=3/3")
        #expect(try client.send("GET", "/services/data", token: .some(nil)).status == 200)
        let login = try client.form([
            ("grant_type", "client_credentials"), ("client_id", client.org.clientID),
            ("client_secret", client.org.clientSecret),
        ])
        #expect(login.status == 200)
        clock.advance(by: .seconds(22 * 3_600))
        #expect(try client.get("/sobjects").status == 403)
        clock.advance(by: .seconds(3 * 3_600))
        #expect(try client.get("/sobjects").field("Sforce-Limit-Info") == "api-usage=1/3")
        await client.org.stop()
    }

    @Test("a call without a session is not counted")
    func withoutSession() async throws {
        let client = try await OrgClient.start()
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: "none").status == 401)
        #expect(try client.get("/limits").field("Sforce-Limit-Info") == "api-usage=1/15000")
        await client.org.stop()
    }
}
