// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("JWT bearer grant")
struct JWTBearerGrantTests {
    private let openssl: OpenSSL
    private let login = Origin(scheme: .https, host: "login.salesforce.com")

    init() throws { openssl = try OpenSSL() }

    private func rsaKey(_ bits: Int = 2_048) throws -> String {
        try openssl.key("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:\(bits)")
    }

    private func grant(
        _ pem: String, lifetime: Duration = .seconds(120), seconds: Int64 = 1_700_000_000
    ) throws -> JWTBearerGrant {
        JWTBearerGrant(
            clientID: "id", username: "u@example.com", key: try JWTBearerGrant.PrivateKey(pem: Secret(pem)),
            audience: JWTBearerGrant.audience(of: login), lifetime: lifetime, clock: WallClock { seconds * 1_000 })
    }

    private func assertion(_ grant: JWTBearerGrant) throws -> [String] {
        let fields = try grant.parameters
        #expect(fields[0].value == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        return fields[1].value.reveal().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private func claims(_ grant: JWTBearerGrant) throws -> JSONValue {
        try JSONValue(parsing: #require(Base64.decodeForURL(assertion(grant)[1])))
    }

    private func rejection(_ pem: String) -> OAuthError? {
        #expect(throws: OAuthError.self) { try JWTBearerGrant.PrivateKey(pem: Secret(pem)) }
    }

    @Test("openssl verifies the signatures of keys in PKCS #8 and PKCS #1 format")
    func signature() throws {
        let pkcs8 = try rsaKey()
        let pkcs1 = try openssl.key("rsa -in key.pem -traditional", "pkcs1.pem")
        #expect(pkcs8.contains("BEGIN PRIVATE KEY") && pkcs1.contains("BEGIN RSA PRIVATE KEY"))
        try openssl.run("pkey -in key.pem -pubout -out public.pem")
        for pem in [pkcs8, pkcs1, "remark\r\n" + pkcs8.replacing("\n", with: "\r\n")] {
            let parts = try assertion(grant(pem))
            try openssl.folder.write(Array("\(parts[0]).\(parts[1])".utf8), "signed")
            try openssl.folder.write(#require(Base64.decodeForURL(parts[2])), "signature")
            #expect(try openssl.run("dgst -sha256 -verify public.pem -signature signature signed") == 0)
            #expect(try JSONValue(parsing: #require(Base64.decodeForURL(parts[0])))["alg"]?.string == "RS256")
        }
        try openssl.folder.write(Array("other".utf8), "signed")
        #expect(try openssl.run("dgst -sha256 -verify public.pem -signature signature signed") != 0)
    }

    @Test("A61: the audience is one string, times are in seconds, and an assertion is valid for at most 180 seconds")
    func claims() throws {
        let key = try rsaKey()
        let claims = try claims(grant(key))
        #expect(claims["iss"]?.string == "id" && claims["sub"]?.string == "u@example.com")
        #expect(claims["aud"]?.string == "https://login.salesforce.com")
        #expect(claims["exp"]?.int == 1_700_000_120)
        #expect(try claims["jti"]?.string?.count == 22 && claims["jti"] != self.claims(grant(key))["jti"])
        for (asked, given) in [(Duration.seconds(3_600), 180), (.zero, 1), (.seconds(-9), 1), (.seconds(1e18), 180)] {
            #expect(try self.claims(grant(key, lifetime: asked))["exp"]?.int == 1_700_000_000 + given)
        }
    }

    @Test("A61: a clock that is five minutes off results in one request and the server's error message")
    func skew() async throws {
        let transport = StubTransport()
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"expired assertion"}"#)
        let client = OAuthClient(login: login, clientID: "id", clientSecret: nil, transport: transport)
        let grant = try grant(rsaKey(), seconds: WallClock.system.seconds - 300)
        let error = await expect(OAuthError.self, .invalidGrant) {
            try await client.token(for: grant, deadline: .now + .seconds(9))
        }
        #expect(error?.message == "expired assertion")
        #expect(transport.requests.count == 1)
    }

    @Test("A61: keys that are of other types, short, encrypted or damaged are rejected, and never shown")
    func badKeys() throws {
        let elliptic = try openssl.key("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256")
        let edwards = try openssl.key("genpkey -algorithm ED25519")
        let short = try rsaKey(1_024)
        let good = try rsaKey()
        let locked = try openssl.key("pkey -in key.pem -aes256 -passout pass:x", "locked.pem")
        let lockedOld = try openssl.key("rsa -in key.pem -traditional -aes256 -passout pass:x", "locked1.pem")
        let lines = good.split(separator: "\n")
        let cut = (lines.prefix(5) + [lines[lines.count - 1]]).joined(separator: "\n")
        let publicKey = try openssl.key("pkey -in key.pem -pubout", "public.pem")
        for pem in [elliptic, edwards, short, locked, lockedOld, cut, publicKey, "", "-----BEGIN PRIVATE KEY-----"] {
            let error = rejection(pem)
            #expect(error?.code == .unusableKey)
            for line in pem.split(separator: "\n") where !line.hasPrefix("-----") {
                #expect(error?.message.contains(line) == false)
            }
        }
        #expect(rejection(elliptic)?.message.contains("RSA") == true)
        #expect(rejection(locked)?.message.contains("encrypted") == true)
    }

    @Test("a damaged key is rejected or still usable, and never ends the process")
    func damaged() throws {
        let der = try PrivateKeyPEM(rsaKey()).pkcs1
        for index in 0..<40 {
            var bytes = der
            bytes[index] ^= 0xFF
            let pem = "-----BEGIN RSA PRIVATE KEY-----\n\(Base64.encode(bytes))\n-----END RSA PRIVATE KEY-----"
            _ = try? JWTBearerGrant.PrivateKey(pem: Secret(pem)).signature(of: [1])
        }
        for end in stride(from: 0, to: der.count, by: 7) {
            let pem =
                "-----BEGIN RSA PRIVATE KEY-----\n\(Base64.encode(Array(der[..<end])))\n-----END RSA PRIVATE KEY-----"
            #expect(rejection(pem)?.code == .unusableKey)
        }
    }

    @Test("A61: no form of printing shows the key")
    func redaction() throws {
        let pem = try rsaKey()
        let grant = try grant(pem)
        var dumped = ""
        dump(grant, to: &dumped)
        let fields = try grant.parameters
        let shown = [dumped, "\(grant)", String(reflecting: grant), "\(fields)"].joined()
        for line in pem.split(separator: "\n") where !line.hasPrefix("-----") { #expect(!shown.contains(line)) }
        #expect(!shown.contains(fields[1].value.reveal()))
    }

    @Test(
        "A62: a key file that other users can read is rejected, or used with one warning",
        arguments: [0o644, 0o640, 0o602])
    func sharedFile(mode: Int) throws {
        _ = try rsaKey()
        try openssl.folder.setMode(mode, "key.pem")
        let path = openssl.folder.path(of: "key.pem")
        let error = expect(OAuthError.self, .sharedKeyFile) { try JWTBearerGrant.PrivateKey(contentsOfFile: path) }
        #expect(error?.message.contains("chmod 600") == true)
        let warnings = Mutex<[String]>([])
        _ = try JWTBearerGrant.PrivateKey(
            contentsOfFile: path, ifShared: .warn { text in warnings.withLock { $0.append(text) } })
        #expect(warnings.withLock { $0.count } == 1)
    }

    @Test(
        "A62: a private key file is used without a warning, and a path without a file is rejected",
        arguments: [0o600, 0o400])
    func privateFile(mode: Int) throws {
        _ = try rsaKey()
        try openssl.folder.setMode(mode, "key.pem")
        _ = try JWTBearerGrant.PrivateKey(
            contentsOfFile: openssl.folder.path(of: "key.pem"), ifShared: .warn { Issue.record("warned: \($0)") })
        for path in [openssl.folder.path, openssl.folder.path(of: "none"), "/dev/zero"] {
            expect(OAuthError.self, .unusableKey) { try JWTBearerGrant.PrivateKey(contentsOfFile: path) }
        }
    }

    @Test(
        "the audience of an org is the login host of its kind, and that of another server its own origin",
        arguments: [
            ("https://login.salesforce.com", "https://login.salesforce.com"),
            ("https://test.salesforce.com", "https://test.salesforce.com"),
            ("https://example.my.salesforce.com", "https://login.salesforce.com"),
            ("https://example-dev-ed.develop.my.salesforce.com", "https://login.salesforce.com"),
            ("https://example--dev.sandbox.my.salesforce.com", "https://test.salesforce.com"),
            ("https://example--dev.my.salesforce.com", "https://test.salesforce.com"),
            ("https://x.scratch.my.salesforce.com", "https://test.salesforce.com"),
            ("https://example.com", "https://example.com"), ("http://127.0.0.1:4000", "http://127.0.0.1:4000"),
            ("https://evil-my.salesforce.com.evil.com", "https://evil-my.salesforce.com.evil.com"),
        ])
    func audiences(login: String, audience: String) throws {
        let origin = try HTTPURL(parsing: login).origin
        #expect(JWTBearerGrant.audience(of: origin) == audience)
        let key = try JWTBearerGrant.PrivateKey(pem: Secret(rsaKey()))
        #expect(JWTBearerGrant(clientID: "i", username: "u", key: key, login: origin, audience: "x").audience == "x")
    }
}

/// A token exchange (RFC 8693) as a user of the library writes it, with public API only.
private struct TokenExchangeGrant: OAuthGrant {
    let subjectToken: Secret

    var parameters: [(name: String, value: Secret)] {
        get throws(OAuthError) {
            guard !subjectToken.isEmpty else { throw OAuthError(.invalidRequest, "there is no token to exchange") }
            return [
                ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", subjectToken),
                ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ]
        }
    }
}

@Suite("Custom grants")
struct OwnGrantTests {
    private let transport = StubTransport()
    private let login = Origin(scheme: .https, host: "example.my.salesforce.com")

    private var client: OAuthClient {
        OAuthClient(login: login, clientID: "id", clientSecret: nil, transport: transport)
    }

    @Test("a token exchange is used and renewed like the library's grants")
    func exchange() async throws {
        transport.enqueue(#"{"access_token":"a1","token_type":"Bearer"}"#)
        let renewal = TokenManager.Renewal(client: client, grant: TokenExchangeGrant(subjectToken: "s1"))
        let tokens = TokenManager(credential: nil, renewal: renewal)
        let issued = try await tokens.credential(deadline: .now + .seconds(9))
        #expect(issued.credential.accessToken == "a1")
        guard case .bytes(let body) = transport.requests[0].body else { return }
        let form = try PercentEncoding.formPairs(String(decoding: body, as: UTF8.self))
        #expect(form.map(\.name) == ["grant_type", "subject_token", "subject_token_type", "client_id"])
        #expect(form[1].value == "s1")
    }

    @Test("a grant that cannot be created sends nothing")
    func refused() async {
        await expect(OAuthError.self, .invalidRequest) {
            try await client.token(for: TokenExchangeGrant(subjectToken: ""), deadline: .now + .seconds(9))
        }
        #expect(transport.requests.isEmpty)
    }
}
