// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestAuth

/// The directory of a user of `sf`, with tokens that other code encrypted (AES-256-GCM of Python's `cryptography`).
private struct CLIHome {
    let folder: TemporaryStore

    static let accessToken = "00Dxx0000001gPL!access"

    /// The key of each version, and the encrypted access token, refresh token and secret.
    struct Seal: Sendable {
        let key: String
        let texts: [String]
    }
    static let seals = [
        Seal(
            key: "0123456789abcdef0123456789abcdef",
            texts: [
                "a1b2c3d4e5f6170cab6c44883014b0ac854dd6b4bdf176cacbf50306:5941718167f09129e222f3f2475fd8eb",
                "a1b2c3d4e5f6127d8a64048e3156e5fac719c28c:1dd5cf38593fab1bf5cfa66e132e5ab7",
                "a1b2c3d4e5f6540f8c660fcc:70cdd67a1c72f9a35899b447e9337220",
            ]),
        Seal(
            key: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
            texts: [
                "000102030405060708090a0b2628f14e3879fd86f90b5fcd5685280e0f56c41b8877:70193f6124a00333abc16131cdf85844",
                "000102030405060708090a0b2359d046787ffcc4ac5d1d9942bd:6aed378af9e372d6033ecf26bb41d105",
                "000102030405060708090a0b652bd644733d:3904b21d4a749a869beda0db331f6e29",
            ]),
    ]

    init() throws {
        folder = try TemporaryStore()
        for name in [".sfdx", ".sf"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(of: name), withIntermediateDirectories: false)
        }
    }

    func write(_ text: String, _ name: String) throws { try folder.write(Array(text.utf8), name) }

    func writeLogin(_ seal: Seal, of user: String = "ada@example.com", adding members: String = "") throws {
        try write(
            """
            {"username": "\(user)", "orgId": "00Dxx0000001gPL", "accessToken": "\(seal.texts[0])",
             "refreshToken": "\(seal.texts[1])", "clientSecret": "\(seal.texts[2])", "clientId": "PlatformCLI",
             "instanceUrl": "https://example.my.salesforce.com", "loginUrl": "https://login.salesforce.com"\(members)}
            """, ".sfdx/\(user).json")
    }

    func writeKey(_ key: String) throws {
        try write(#"{"service":"sfdx","account":"local","key":"\#(key)"}"#, ".sfdx/key.json")
    }

    /// Returns the command line's logins in this directory, with a keyring that contains `key`.
    func cli(ring key: String? = nil, project: String? = nil) -> SalesforceCLI {
        let system = SalesforceCLIKeys.system(folder: folder.path(of: ".sfdx"))
        return SalesforceCLI(
            home: folder.path, project: project, keys: SalesforceCLIKeys(inFile: system.inFile, inRing: { key }))
    }
}

@Suite("The logins of sf")
struct SalesforceCLITests {
    private let home: CLIHome

    init() throws { home = try CLIHome() }

    @Test(
        "both versions of the encryption are decrypted, with the key from the file or from the keyring",
        arguments: [0, 1], [true, false])
    func session(version: Int, isInFile: Bool) async throws {
        let seal = CLIHome.seals[version]
        try home.writeLogin(seal)
        if isInFile { try home.writeKey(seal.key) }
        let session = try await home.cli(ring: isInFile ? nil : seal.key).session(of: "ada@example.com")
        #expect(session.credential.accessToken == Secret(CLIHome.accessToken))
        #expect(session.credential.refreshToken == "5Aep861refresh")
        #expect(session.credential.login?.clientSecret == "s3cr3t" && session.grant == nil)
        #expect(session.credential.login?.server.host == "login.salesforce.com")
        #expect(session.login.instance.host == "example.my.salesforce.com")
    }

    @Test("an outdated key file does not hide the keyring's key, and without a matching key the error says so")
    func wrongKeys() async throws {
        try home.writeLogin(CLIHome.seals[0])
        try home.writeKey(CLIHome.seals[1].key)
        #expect(
            try await home.cli(ring: CLIHome.seals[0].key).session(of: "ada@example.com").credential.accessToken
                == Secret(CLIHome.accessToken))
        for ring in [nil, "", "short", String(repeating: "g", count: 64), CLIHome.seals[1].key] {
            await expect(OAuthError.self, .unusableLogin) {
                try await home.cli(ring: ring).session(of: "ada@example.com")
            }
        }
    }

    @Test("a key file that other users can read is rejected")
    func sharedKey() async throws {
        try home.writeLogin(CLIHome.seals[0])
        try home.writeKey(CLIHome.seals[0].key)
        try home.folder.setMode(0o644, ".sfdx/key.json")
        await expect(OAuthError.self, .sharedKeyFile) { try await home.cli().session(of: "ada@example.com") }
    }

    @Test("users, aliases and the default org are found under the file names of old and new versions")
    func names() async throws {
        let cli = home.cli(ring: CLIHome.seals[0].key)
        #expect(cli.logins.isEmpty)
        try home.writeLogin(CLIHome.seals[0])
        try home.writeLogin(CLIHome.seals[0], of: "bob@example.com")
        try home.write(#"{"orgs":{"work":"ada@example.com","w":"ada@example.com","old":5}}"#, ".sfdx/alias.json")
        try home.write(#"{"defaultusername":"bob@example.com"}"#, ".sfdx/sfdx-config.json")
        #expect(cli.logins.map(\.username) == ["ada@example.com", "bob@example.com"])
        #expect(cli.logins.map(\.aliases) == [["w", "work"], []])
        #expect(cli.logins.map(\.isDefault) == [false, true])
        #expect(try await cli.session().login.username == "bob@example.com")
        try home.write(#"{"target-org":"work"}"#, ".sf/config.json")
        #expect(cli.logins.map(\.isDefault) == [true, false])
        #expect(try await cli.session().login.username == "ada@example.com")
        #expect(try await cli.session(of: "work").login.organizationID == "00Dxx0000001gPL")
        let project = try CLIHome()
        try project.write(#"{"target-org":"bob@example.com"}"#, ".sf/config.json")
        let inProject = home.cli(ring: CLIHome.seals[0].key, project: project.folder.path)
        #expect(try await inProject.session().login.username == "bob@example.com")
    }

    @Test(
        "an invalid login is omitted from the list, and rejected if it is requested",
        arguments: [
            "", "{", "[]", "{}", #"{"username":5}"#, #"{"username":"x","instanceUrl":"http://evil.example"}"#,
            #"{"username":"x","instanceUrl":"https://a.com"}"#,
            #"{"username":"x","instanceUrl":"https://a.com","accessToken":"00:0123456789abcdef0123456789abcdef"}"#,
        ])
    func damage(text: String) async throws {
        try home.writeLogin(CLIHome.seals[0])
        try home.write(text, ".sfdx/x.json")
        let cli = home.cli(ring: CLIHome.seals[0].key)
        #expect(cli.logins.contains { $0.username == "ada@example.com" })
        await expect(OAuthError.self, .unusableLogin) { try await cli.session(of: "x") }
    }

    @Test(
        "a name cannot lead out of the directory, and the error contains an unknown name",
        arguments: ["../x", "/etc/passwd", "none\u{1B}[2J"])
    func unknown(name: String) async throws {
        try home.write(#"{"username":"x","instanceUrl":"https://a.com","accessToken":"plain"}"#, "x.json")
        let error = await expect(OAuthError.self, .unusableLogin) { try await home.cli().session(of: name) }
        #expect(error?.message.contains("\u{1B}") == false)
    }

    @Test("a login with a private key has the grant that logs in again")
    func privateKey() async throws {
        let key = try OpenSSL().key("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048")
        try home.folder.write(Array(key.utf8), "server.key")
        try home.writeLogin(CLIHome.seals[0], adding: #", "privateKey": "\#(home.folder.path(of: "server.key"))""#)
        let session = try await home.cli(ring: CLIHome.seals[0].key).session(of: "ada@example.com")
        #expect(session.grant?.username == "ada@example.com" && session.grant?.clientID == "PlatformCLI")
    }

    @Test("reading the logins of sf writes nothing")
    func reading() async throws {
        try home.writeLogin(CLIHome.seals[0])
        try home.writeKey(CLIHome.seals[0].key)
        let before = try home.folder.names(in: ".sfdx")
        let content = try home.folder.bytes(".sfdx/ada@example.com.json")
        _ = try await home.cli().session(of: "ada@example.com")
        #expect(try home.folder.names(in: ".sfdx") == before)
        #expect(try home.folder.bytes(".sfdx/ada@example.com.json") == content)
    }

    #if os(Linux)
    @Test("the key is read from a real keyring, with the attributes that sf uses")
    func keyRing() async throws {
        let session = try KeyringSession(home: home.folder.path, password: "pw")
        try RunningProgram.run(
            URL(fileURLWithPath: "/usr/bin/secret-tool"),
            ["store", "--label=salesforce.com", "user", "local", "domain", "sfdx"], environment: session.environment,
            input: CLIHome.seals[0].key + "\n")
        let keys = SalesforceCLIKeys.system(folder: home.folder.path(of: ".sfdx"), environment: session.environment)
        #expect(await keys.inRing() == CLIHome.seals[0].key)
        withExtendedLifetime(session) {}
    }
    #endif
}

@Suite("SFDX auth URLs")
struct SFDXAuthURLTests {
    @Test("client, secret, token and host are parsed, and surrounding whitespace is ignored")
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
        "an invalid URL is rejected, and the error does not quote it",
        arguments: [
            "", "force://", "https://PlatformCLI::SECRET@a.com", "force://PlatformCLI:SECRET@a.com",
            "force://::SECRET@a.com",
            "force://a:b:@SECRET.com", "force://a:b:SECRET", "force://a:b:SECRET@", "force://a:b:SECRET@a.com/path",
            "force://a:b:SECRET@a.com?q=1", "force://a:b:SECRET @a.com", "force://a:b:SECRET@evil.com@a.com:x",
            "force://a:b:SEC\u{0}RET@a.com", "force://a:b:c:SECRET@a.com", "force://a:b:SECRÉT@a.com",
        ])
    func rejection(text: String) {
        let error = expect(OAuthError.self, .unusableLogin) { try SalesforceCLI.AuthURL(Secret(text)) }
        #expect(error?.message.contains("SECRET@") == false && error?.message.contains("evil") == false)
    }

    @Test("a file contains the URL or the output of sf, and a file that other users can read is rejected")
    func files() throws {
        let folder = try TemporaryStore()
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
        expect(OAuthError.self, .sharedKeyFile) { try SalesforceCLI.AuthURL(contentsOfFile: folder.path(of: "login")) }
        expect(OAuthError.self, .unusableLogin) { try SalesforceCLI.AuthURL(contentsOfFile: folder.path(of: "none")) }
    }

    @Test("a login from an SFDX auth URL opens the org and can be renewed")
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
        _ = try await rest.send(.plainLimits)
        org.faults.expireAccessTokens()
        _ = try await rest.send(.plainLimits)

        #expect(org.journal.entries.suffix(3).map(\.status) == [401, 200, 200])
        await org.stop()
    }
}
