// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport
import Testing

@testable import RestAuth

/// Records with whole envelopes whose content somebody made up.
@Suite("Fields of a record")
struct CredentialRecordTests {
    private static let fields = [
        "version", "account", "generation", "accessToken", "refreshToken", "instance", "identityURL", "userID",
        "userClaim",
        "issuedAtMilliseconds", "lifetimeSeconds", "scopes", "login", "mark", "renewal", "unknown",
    ]
    private static let values = [
        "0", "-0", "-1", "1", "1.5", "1e400", "-1e400", "1e-400", "9007199254740993", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "170141183460469231731687303715884105728",
        #""""#, #""text""#, #""\u0000\n""#, #""http://example.com""#, #""https://example.com:99999""#, "null", "true",
        "[]", "[[[[]]]]", "{}", #"{"server":1,"clientID":[]}"#, #"{"server":"","clientID":""}"#, #"{"notes":{"a":1}}"#,
    ]

    /// A good record with one field changed, or without it.
    private func record(_ field: String, _ value: String?) throws -> [UInt8] {
        var credential = Credential.user(1)
        credential.lifetime = .seconds(60)
        let stored = Credential.Stored(credential: credential, version: 7)
        let bytes = try CredentialRecord(account: "alice", stored: stored, keeping: nil).sealed()
        let content = try #require(RecordEnvelope.open(bytes))
        var object = try #require(try JSONValue(parsing: content).object)
        object[field] = try value.map { try JSONValue(parsing: Array($0.utf8)) }
        return try #require(RecordEnvelope.seal(JSONValue(object).bytes()))
    }

    /// Does with a login all that is computed with it.
    private func use(_ stored: Credential.Stored) throws {
        let now = ContinuousClock.now
        var state = TokenState(credential: stored.credential, at: now)
        _ = state.ask(waiter: 1, rejecting: nil, at: now)
        _ = state.ask(waiter: 2, rejecting: 1, at: now)
        _ = state.finish(.failure(OAuthError(.unreachable, "")), of: 1, at: now)
        var known = KnownLogin(server: nil)
        known.take(stored)
        #expect(known.find(stored, of: 0, previous: nil) == .newest(stored.credential))
        _ = LinkedAccount(of: stored.credential)
        let next = Credential.Stored(
            credential: stored.credential, version: CredentialRecord.generation(after: stored.version))
        let again = try CredentialRecord(account: "alice", stored: next, keeping: nil).sealed()
        #expect(try Credential.Stored(record: again, account: "alice") == next)
    }

    @Test("whatever a field says, it is a login that can be used and kept, or a typed error", arguments: fields)
    func oddValues(field: String) throws {
        for value in Self.values.map(Optional.some) + [nil] {
            let bytes = try record(field, value)
            let stored: Credential.Stored
            do {
                stored = try Credential.Stored(record: bytes, account: "alice")
            } catch {
                #expect(error.code == .corrupt || error.code == .newerVersion)
                continue
            }
            try use(stored)
        }
    }

    @Test(
        "numbers that nobody meant say nothing",
        arguments: ["-1", "10000000001", "9223372036854775807", "-9223372036854775808", "1.5", "1e400"])
    func numbers(value: String) throws {
        let lifetime = try Credential.Stored(record: record("lifetimeSeconds", value), account: "alice")
        #expect(lifetime.credential.lifetime == nil)
        let issued = try Credential.Stored(record: record("issuedAtMilliseconds", value), account: "alice")
        #expect(issued.credential.issuedAtMilliseconds == (value == "10000000001" ? 10_000_000_001 : nil))
    }

    @Test("no token goes where plain text does", arguments: ["http://example.com", "http://10.0.0.1:80", "", "x"])
    func plainText(server: String) throws {
        let error = #expect(throws: CredentialStoreError.self) {
            try Credential.Stored(record: record("instance", #""\#(server)""#), account: "alice")
        }
        #expect(error?.code == .corrupt)
        let login = #"{"server":"\#(server)","clientID":"id","clientSecret":"s"}"#
        #expect(try Credential.Stored(record: record("login", login), account: "alice").credential.login == nil)
    }

    @Test("what could not be read back is not written")
    func unreadable() {
        let plain = Credential(accessToken: "a", instance: Origin(scheme: .http, host: "example.com"))
        let large = Credential(
            accessToken: Secret(String(repeating: "a", count: 1 << 20)), instance: Credential.usualInstance)
        for credential in [plain, large] {
            let stored = Credential.Stored(credential: credential, version: 1)
            let error = #expect(throws: CredentialStoreError.self) {
                try CredentialRecord(account: "alice", stored: stored, keeping: nil).sealed()
            }
            #expect(error?.code == .notWritable)
        }
    }

    @Test("a record of another account, and bytes without an envelope, are damage")
    func otherAccount() throws {
        let bytes = try record("unknown", nil)
        #expect(try Credential.Stored(record: bytes, account: "alice").version == 7)
        for (bytes, account) in [(bytes, "bob"), ([], "alice"), (bytes.dropLast(), "alice")] as [([UInt8], String)] {
            let error = #expect(throws: CredentialStoreError.self) {
                try Credential.Stored(record: bytes, account: account)
            }
            #expect(error?.code == .corrupt)
        }
    }
}
