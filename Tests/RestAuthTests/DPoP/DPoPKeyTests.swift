// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import LocalServer
@testable import RestAuth

@Suite("Keys, proofs and nonces of DPoP")
struct DPoPKeyTests {
    /// The proofs of RFC 9449 §4.1 and §7.1, which have the same key.
    private static let proofs = [
        """
        eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi\
        aWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
        """,
        """
        eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0\
        ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.\
        2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA
        """,
    ].map { proof in
        """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs\
        cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2\
        In19.\(proof)
        """
    }
    private static let token: Secret = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

    private func claims(_ proof: String) throws -> JSONValue { try #require(JSONWebToken(proof)?.claims) }

    private func url(_ text: String) throws -> HTTPURL { try HTTPURL(parsing: text) }

    private func request(_ method: String, _ target: String, _ host: String, _ proof: String) -> ServerRequest {
        ServerRequest(method: method, target: target, fields: ["Host": host, "DPoP": proof])
    }

    @Test("the proofs of RFC 9449 are accepted for their requests at their time, and for nothing else")
    func vectors() throws {
        let asked = request("POST", "/token", "server.example.com", Self.proofs[0])
        let proof = try DPoPProof(asked)
        #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")  // RFC 9449 §6.1
        try proof.check(asked, scheme: "https", accessToken: nil, now: 1_562_262_616)
        let resource = request("GET", "/protectedresource?a=b", "resource.example.org", Self.proofs[1])
        let bound = try DPoPProof(resource)
        try bound.check(resource, scheme: "https", accessToken: Self.token.reveal(), now: 1_562_262_618)
        for (method, target, top, token, delay) in [
            ("POST", "/protectedresource", "org", Self.token, 0), ("GET", "/other", "org", Self.token, 0),
            ("GET", "/protectedresource", "com", Self.token, 0), ("GET", "/protectedresource", "org", "another", 0),
            ("GET", "/protectedresource", "org", Self.token, 61), ("GET", "/protectedresource", "org", Self.token, -61),
        ] as [(String, String, String, Secret, Int64)] {
            #expect(throws: OAuthRejection.self, "\(method) \(target) \(top) \(delay)") {
                let other = request(method, target, "resource.example.\(top)", Self.proofs[1])
                try bound.check(
                    other, scheme: "https", accessToken: token.reveal(), now: 1_562_262_618 + delay)
            }
        }
    }

    @Test("every changed character of a proof is noticed")
    func changed() throws {
        let letters = Array(Self.proofs[0].utf8)
        // The last letter has two bits that the signature does not contain.
        for index in letters.indices.dropLast() where letters[index] != UInt8(ascii: ".") {
            var changed = letters
            changed[index] = letters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: OAuthRejection.self, "letter \(index)") {
                try DPoPProof(request("POST", "/token", "h", String(decoding: changed, as: UTF8.self)))
            }
        }
    }

    @Test("a proof has the claims of RFC 9449, and a new identifier each time")
    func claims() throws {
        let key = try Credential.DPoPKey()
        let target = try url("https://Server.Example.com:443/a/./b/../%7euser%2fx?token=1")
        let clock = WallClock { 1_562_262_616_999 }
        let proofs = try (0..<2).map { _ in
            try key.proof(
                for: .post, target, accessToken: Self.token, nonce: "n\"1", random: .system, clock: clock)
        }
        let claims = try claims(proofs[0])
        #expect(claims["htm"]?.string == "POST")
        #expect(claims["htu"]?.string == "https://server.example.com/a/~user%2Fx")
        #expect(claims["iat"]?.integer(as: Int.self) == 1_562_262_616)
        #expect(claims["ath"]?.string == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(claims["nonce"]?.string == "n\"1")
        #expect(try claims["jti"] != self.claims(proofs[1])["jti"])
        let plain = try self.claims(key.proof(for: .get, target))
        #expect(plain["ath"] == nil && plain["nonce"] == nil)
        let checked = try DPoPProof(request("POST", "/", "h", proofs[1]))
        #expect(checked.thumbprint == key.thumbprint && key.thumbprint.utf8.count == 43)
    }

    @Test("a key survives the store, and a damaged key makes the record unusable instead of a bearer token")
    func stored() async throws {
        let folder = try TemporaryStore()
        let store = FileCredentialStore(directory: folder.path)
        var credential = Credential.numbered(1)
        let key = try Credential.DPoPKey()
        credential.dpopKey = key
        _ = try await store.save(credential, for: "a", replacing: nil, renewal: .settled)
        let loaded = try #require(try await store.load("a")?.credential)
        #expect(loaded == credential && loaded.authorization == "DPoP a1")
        let proof = try #require(try loaded.dpopKey?.proof(for: .get, url("https://h/")))
        #expect(try DPoPProof(request("GET", "/", "h", proof)).thumbprint == key.thumbprint)

        let name = try #require(try folder.names(ofRecords: ()).first)
        let record = try #require(RecordEnvelope.open(try folder.bytes(name)))
        // An older version must not read the record and send the token as Bearer.
        #expect(try JSONValue(parsing: record)["version"]?.integer(as: Int.self) == 2)
        let text = String(decoding: record, as: UTF8.self)
        let damaged = text.replacing(#""dpopKey":"M"#, with: #""dpopKey":"A"#)
        #expect(damaged != text)
        try folder.write(try #require(RecordEnvelope.seal(Array(damaged.utf8))), name)
        await expect(Credential.StoreError.self, .corrupt) { try await store.load("a") }
        #expect(Credential.numbered(1).authorization == "Bearer a1")
    }

    @Test("a key on another curve of 256 bits, and a key of another kind, are not read")
    func curves() throws {
        let openssl = try OpenSSL()
        for (curve, isRead) in [("prime256v1", true), ("secp256k1", false), ("brainpoolP256r1", false)] {
            try openssl.run("ecparam -name \(curve) -genkey -noout -outform DER -out \(curve)")
            let stored = Secret(Base64.encode(try openssl.folder.bytes(curve)))
            #expect((Credential.DPoPKey(stored: stored) != nil) == isRead, "\(curve)")
        }
        try openssl.run("genpkey -algorithm ED25519 -outform DER -out ed25519")
        #expect(Credential.DPoPKey(stored: Secret(Base64.encode(try openssl.folder.bytes("ed25519")))) == nil)
    }

    @Test("a key is not printed, and a pending login keeps it over a restart")
    func secrets() throws {
        let key = try Credential.DPoPKey()
        var dumped = "\(key) \(String(reflecting: key))"
        dump(key, to: &dumped)
        #expect(dumped.contains("private key") && !dumped.contains(key.thumbprint))
        var client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: StubTransport())
        client.bindsTokens = true
        let login = try client.beginLogin(redirectURI: "http://127.0.0.1/callback")
        let thumbprint = try #require(login.dpopKey?.thumbprint)
        #expect(login.url.query?.contains("dpop_jkt=\(thumbprint)") == true)
        let decoded = try JSONDecoder().decode(PendingLogin.self, from: JSONEncoder().encode(login))
        #expect(decoded == login && decoded.dpopKey?.thumbprint == thumbprint)
    }

    @Test("nonces are kept per origin, and unusable ones are ignored")
    func nonces() throws {
        var nonces = NewestNonces()
        let origins = (0...NewestNonces.capacity).map { Origin(scheme: .https, host: "h\($0)") }
        nonces.learn("n1", of: origins[0])
        for bad in [
            "", "a b", "a\r\nX: y", "a\"b", "a\\b", "ü", "a\u{7F}", String(repeating: "n", count: 1_025),
            String(repeating: "n", count: 1 << 20),
        ] {
            nonces.learn(bad, of: origins[0])
        }
        #expect(nonces[origins[0]] == "n1" && nonces[origins[1]] == nil)
        nonces.learn("n2", of: origins[0])
        #expect(nonces[origins[0]] == "n2")
        for origin in origins.dropFirst() { nonces.learn("o", of: origin) }
        #expect(nonces[origins[0]] == nil && nonces[origins[1]] == "o" && nonces[origins.last!] == "o")
    }

    @Test("a server's nonces rotate after half of their lifetime, and are valid for the whole of it")
    func serverNonces() {
        var nonces = ServerNonces()
        let start = ContinuousClock.now
        let first = nonces.newest(.seconds(10), at: start)
        #expect(nonces.newest(.seconds(10), at: start + .seconds(4)) == first)
        let second = nonces.newest(.seconds(10), at: start + .seconds(5))
        #expect(second != first && nonces.accept(first, at: start + .seconds(9)))
        #expect(!nonces.accept(first, at: start + .seconds(10)) && nonces.accept(second, at: start + .seconds(10)))
        #expect(!nonces.accept(nil, at: start) && !nonces.accept("", at: start))
    }
}
