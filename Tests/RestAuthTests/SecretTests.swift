// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Secrets")
struct SecretTests {
    private let canary = "00Dxx0000001gPL!AQcanary"

    @Test("A59: no form of printing shows the secret")
    func redaction() {
        let secret = Secret(canary)
        var dumped = ""
        dump(secret, to: &dumped)
        let shown = [
            "\(secret)", String(reflecting: secret), String(describing: Optional(secret)), dumped, "\([secret])",
        ]
        #expect(!shown.contains { $0.contains("canary") })
        #expect(secret.reveal() == canary)
    }

    @Test("A59: a credential shows none of its tokens")
    func credential() {
        let credential = Credential(
            accessToken: Secret(canary), refreshToken: Secret("5Aep861canary"),
            instance: Origin(scheme: .https, host: "example.my.salesforce.com"))
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains("canary"))
        #expect(!"\(credential)".contains("canary"))
    }

    /// Returns everything that printing, interpolating, dumping and reflecting show of a value.
    private func shown(_ value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }
        return ([dumped, "\(value)", String(reflecting: value), "\([value])"] + children).joined(separator: "\n")
    }

    @Test("A59: a login that waits for a browser or a device shows none of its codes")
    func logins() throws {
        let verifier = try PendingLogin.CodeVerifier("canary-0123456789-0123456789-0123456789-0123")
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: Secret(canary), transport: StubTransport())
        let login = try client.beginLogin(redirectURI: "com.example.app:/done", verifier: verifier)
        let redirect = PendingLogin.Redirect(of: login, url: "com.example.app:/done?code=canary")
        let response = #"""
            {"device_code":"canary1","user_code":"canary2","verification_uri":"https://example.com/device",
            "verification_uri_complete":"https://example.com/device?user_code=canary2"}
            """#
        let device = try DeviceLogin(OAuthMembers(JSONValue(parsing: response)), at: .now)
        #expect(device.page?.query == "user_code=canary2")
        for value in [verifier, client, login, redirect, device] as [Any] {
            #expect(!shown(value).contains("canary"))
            #expect(!shown(value).contains(login.state.reveal()))
        }
    }

    @Test("A59: grants and their results show none of their tokens")
    func grants() throws {
        let secret = Secret(canary)
        let details = Credential.Login(server: Credential.usualInstance, clientID: "id", clientSecret: secret)
        let credential = Credential(
            accessToken: secret, refreshToken: secret, instance: Credential.usualInstance, login: details)
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: secret, transport: StubTransport())
        let code = AuthorizationCodeGrant(
            code: secret, redirectURI: "a:/b", verifier: try PendingLogin.CodeVerifier(from: .system))
        let grants: [any OAuthGrant] = [
            code, DeviceCodeGrant(deviceCode: secret, isPlatform: true), RefreshTokenGrant(refreshToken: secret),
            PasswordGrant(username: "u", password: secret),
        ]
        let values: [Any] = [
            secret, details, credential, Credential.Stored(credential: credential, version: 1),
            AccountManager.PendingRevocation(client: client, login: credential, reason: nil),
            TokenManager(credential: credential, renewal: TokenManager.Renewal(client: client)),
        ]
        for value in values + (grants as [Any]) { #expect(!shown(value).contains("canary")) }
        for grant in grants { #expect(!shown(try grant.parameters).contains("canary")) }
    }

    @Test("A61: a private key shows none of its numbers")
    func privateKey() throws {
        let pem = try OpenSSL().key("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048")
        let key = try JWTBearerGrant.PrivateKey(pem: Secret(pem))
        #expect(Mirror(reflecting: key).children.isEmpty)
        #expect("\(key)" == "«private key»" && String(reflecting: key) == "«private key»")
        let text = shown(key)
        for line in pem.split(separator: "\n") where !line.hasPrefix("-----") { #expect(!text.contains(line)) }
    }
}
