// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("SFDX auth URLs")
struct SFDXAuthURLTests {
    @Test("client, secret, token and host are read; blanks around the text do not count")
    func reading() throws {
        let url = try SalesforceCLI.AuthURL(" force://PlatformCLI::5Aep861_x.y==@example.my.salesforce.com\n")
        #expect(url.clientID == "PlatformCLI" && url.clientSecret == nil)
        #expect(url.refreshToken == "5Aep861_x.y==")
        #expect(url.server == Origin(scheme: .https, host: "example.my.salesforce.com"))
        let own = try SalesforceCLI.AuthURL("force://3MVG9:12345:token@127.0.0.1:8080")
        #expect(own.clientSecret == "12345" && own.server == Origin(scheme: .http, host: "127.0.0.1", port: 8080))
        #expect("\(url)" == "force://PlatformCLI@example.my.salesforce.com")
    }

    @Test(
        "anything else is refused, and nothing of it is quoted",
        arguments: [
            "", "force://", "https://PlatformCLI::SECRET@a.com", "force://PlatformCLI:SECRET@a.com",
            "force://::SECRET@a.com",
            "force://a:b:@SECRET.com", "force://a:b:SECRET", "force://a:b:SECRET@", "force://a:b:SECRET@a.com/path",
            "force://a:b:SECRET@a.com?q=1", "force://a:b:SECRET @a.com", "force://a:b:SECRET@evil.com@a.com:x",
            "force://a:b:SEC\u{0}RET@a.com", "force://a:b:c:SECRET@a.com", "force://a:b:SECRÉT@a.com",
        ])
    func refusal(text: String) {
        let error = #expect(throws: OAuthError.self) { try SalesforceCLI.AuthURL(Secret(text)) }
        #expect(error?.code == .unusableLogin)
        #expect(error?.message.contains("SECRET@") == false && error?.message.contains("evil") == false)
    }

    @Test("a file holds the text or what sf printed; one that others can read is refused")
    func files() throws {
        let folder = try StoreFolder()
        let text = "force://PlatformCLI::token@example.my.salesforce.com"
        for content in [
            text + "\n", #"{"status":0,"result":{"sfdxAuthUrl":"\#(text)"}}"#, #"{"sfdxAuthUrl":"\#(text)"}"#,
        ] {
            try folder.write(Array(content.utf8), "login")
            #expect(
                try SalesforceCLI.AuthURL(contentsOfFile: folder.path(of: "login"))
                    == SalesforceCLI.AuthURL(Secret(text)))
        }
        try folder.setMode(0o640, "login")
        let shared = #expect(throws: OAuthError.self) {
            try SalesforceCLI.AuthURL(contentsOfFile: folder.path(of: "login"))
        }
        #expect(shared?.code == .sharedKeyFile)
        let absent = #expect(throws: OAuthError.self) {
            try SalesforceCLI.AuthURL(contentsOfFile: folder.path(of: "none"))
        }
        #expect(absent?.code == .unusableLogin)
    }

    @Test("a login that is kept as such a text opens the org, and is renewed as it says")
    func login() async throws {
        let org = try await LocalOrg.start()
        let client = OAuthClient(
            login: try Origin(orgURL: org.instanceURL, argument: "org"), clientID: org.clientID,
            clientSecret: Secret(org.clientSecret), transport: PlatformTransport.shared)
        let first = try await client.token(
            for: PasswordGrant(
                username: org.username, password: Secret(org.password), scopes: ["api", "refresh_token"]),
            deadline: .now + .seconds(30))
        let token = try #require(first.refreshToken).reveal()
        let host = org.instanceURL.dropFirst("http://".count)
        let text = Secret("force://\(org.clientID):\(org.clientSecret):\(token)@\(host)")

        let credential = try await SalesforceCLI.AuthURL(text).login(
            transport: PlatformTransport.shared, deadline: .now + .seconds(30))
        let rest = RestClient(credential: credential)
        _ = try await rest.send(.limits)
        org.faults.expireAccessTokens()
        _ = try await rest.send(.limits)

        #expect(org.journal.entries.suffix(3).map(\.status) == [401, 200, 200])
        await org.stop()
    }
}
