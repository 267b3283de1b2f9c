// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("Logins of devices")
struct DeviceLoginTests {
    private let clock = ManualClock()

    private func start() async throws -> OrgClient {
        return try await OrgClient.start { $0.clock = clock }
    }

    /// Starts a login as RFC 8628 describes it.
    private func begin(_ client: OrgClient) throws -> JSONValue {
        try client.form(
            [("client_id", LocalOrg.publicClientID), ("scope", "api refresh_token")], to: "device_authorization"
        ).json
    }

    private func poll(_ client: OrgClient, _ codes: JSONValue, isPlatform: Bool = false) throws -> RawClient.Response {
        let code = codes["device_code"]?.string ?? ""
        let grant =
            isPlatform
            ? [("grant_type", "device"), ("code", code)]
            : [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)]
        return try client.form(grant + [("client_id", LocalOrg.publicClientID)])
    }

    @Test("the user enters the code, logs in and allows access, and the waiting device gets its tokens once")
    func walk() async throws {
        let client = try await start()
        let codes = try begin(client)
        let userCode = try #require(codes["user_code"]?.string)
        #expect(codes["expires_in"]?.int == 600 && codes["interval"]?.int == 5)
        #expect(codes["verification_uri"]?.string == client.org.instanceURL + "/setup/connect")
        #expect(try poll(client, codes).oauthError == "authorization_pending")
        let browser = Browser(client)
        #expect(try browser.open("/setup/connect").text.contains("Enter the code"))
        let shown = userCode.lowercased()
        let login = try browser.open("/setup/connect?user_code=\(shown.prefix(4))+-\(shown.suffix(4))")
        #expect(login.text.contains("<h1>Log in</h1>"))
        let consent = try browser.logIn()
        #expect(consent.text.contains("\(userCode.prefix(4))-\(userCode.suffix(4))"))
        #expect(try browser.submit(pressing: "allow").text.contains("Device connected"))
        clock.advance(by: .seconds(5))
        let tokens = try poll(client, codes)
        #expect(tokens.status == 200 && tokens.json["refresh_token"]?.string != nil)
        let token = tokens.json["access_token"]?.string
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: token).status == 200)
        #expect(try poll(client, codes).oauthError == "invalid_grant")
        #expect(try browser.open("/setup/connect?user_code=\(userCode)").status == 400)
        let journal = String(describing: client.org.journal.entries)
        #expect(!journal.contains(userCode) && !journal.contains(codes["device_code"]?.string ?? "?"))
    }

    @Test("in Salesforce's older form, a login starts at the token endpoint and polls with the grant type device")
    func platform() async throws {
        let client = try await start()
        let codes = try client.form([("response_type", "device_code"), ("client_id", LocalOrg.publicClientID)]).json
        #expect(codes["user_code"]?.string?.count == 8 && codes["interval"]?.int == 5)
        #expect(try poll(client, codes, isPlatform: true).oauthError == "authorization_pending")
        #expect(client.org.answerDevice(userCode: codes["user_code"]?.string ?? "", isAllowed: true))
        clock.advance(by: .seconds(5))
        #expect(try poll(client, codes, isPlatform: true).status == 200)
    }

    @Test("a device that polls too fast is slowed down by five seconds each time")
    func slowDown() async throws {
        let client = try await start()
        let codes = try begin(client)
        #expect(try poll(client, codes).oauthError == "authorization_pending")
        clock.advance(by: .seconds(4))
        #expect(try poll(client, codes).oauthError == "slow_down")
        clock.advance(by: .seconds(9))
        #expect(try poll(client, codes).oauthError == "slow_down")
        clock.advance(by: .seconds(15))
        #expect(try poll(client, codes).oauthError == "authorization_pending")
        #expect(client.org.answerDevice(userCode: codes["user_code"]?.string ?? "", isAllowed: true))
        #expect(try poll(client, codes).oauthError == "slow_down")
        clock.advance(by: .seconds(20))
        #expect(try poll(client, codes).status == 200)
    }

    @Test("denied and expired logins have different errors, and another client's device code is rejected")
    func ends() async throws {
        let client = try await start()
        let (denied, expired) = (try begin(client), try begin(client))
        let browser = Browser(client)
        try browser.open("/setup/connect?user_code=\(denied["user_code"]?.string ?? "")")
        try browser.logIn()
        #expect(try browser.submit(pressing: "deny").text.contains("Access denied"))
        for _ in 0..<2 {
            #expect(try poll(client, denied).oauthError == "access_denied")
            clock.advance(by: .seconds(5))
        }
        let stolen = try client.grant("device", [("code", expired["device_code"]?.string ?? "")])
        #expect(stolen.oauthError == "invalid_grant")
        clock.advance(by: .seconds(600))
        #expect(try poll(client, expired).oauthError == "expired_token")
        #expect(!client.org.answerDevice(userCode: expired["user_code"]?.string ?? "", isAllowed: true))
    }

    @Test("a login that was started in the browser cannot be finished after the device's code has expired")
    func expiredInBetween() async throws {
        let client = try await start()
        let codes = try begin(client)
        clock.advance(by: .seconds(590))
        let browser = Browser(client)
        try browser.open("/setup/connect?user_code=\(codes["user_code"]?.string ?? "")")
        try browser.logIn()
        clock.advance(by: .seconds(20))
        #expect(try browser.submit(pressing: "allow").status == 400)
    }

    @Test("at most a thousand devices can wait")
    func crowd() async throws {
        let client = try await start()
        for _ in 0..<1_000 { #expect(try begin(client)["device_code"] != nil) }
        #expect(try begin(client)["error"]?.string == "rate_limit_exceeded")
        clock.advance(by: .seconds(1_300))
        #expect(try begin(client)["device_code"] != nil)
    }
}
