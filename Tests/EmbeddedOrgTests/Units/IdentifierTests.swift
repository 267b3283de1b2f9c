// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBase
import RestTransport
import Testing

@Suite("Ids, digests and base 64")
struct IdentifierTests {
    @Test(
        "the suffix of an id tells its capitals",
        arguments: [
            ("001A0000006Vm9r", "001A0000006Vm9rIAC"), ("005000000000000", "005000000000000AAA"),
            ("00DZZZZZZZZZZZZ", "00DZZZZZZZZZZZZ255"), ("001A0000006Vm9rIAC", "001A0000006Vm9rIAC"),
        ])
    func suffixes(id: String, expected: String) {
        #expect(RecordID.normalized(id) == expected)
    }

    @Test(
        "ids that are none",
        arguments: [
            "", "001", "001A0000006Vm9rIAB", "001A0000006Vm9rI", "001A0000006Vm9\u{0665}", "001A0000006Vm9'",
            "001A0000006Vm9rIACx",
        ])
    func malformed(id: String) {
        #expect(RecordID.normalized(id) == nil)
    }

    @Test("numbers make ids in their order")
    func order() {
        let ids = [1, 9, 10, 61, 62, 3_843, 3_844, 1_000_000].map { RecordID.make(prefix: "001", number: $0) }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { $0.utf8.count == 18 && RecordID.normalized($0) == $0 })
    }

    @Test("HMAC-SHA256 as in RFC 4231, case 2; SHA-256 as in FIPS 180-4")
    func digests() {
        let code = Digest.hmacSHA256(key: "Jefe", "what do ya want for nothing?")
        #expect(hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(hex(Digest.sha256("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Digest.areEqual("secret", "secret") && !Digest.areEqual("secret", "secreT") && !Digest.areEqual("", "x"))
    }

    @Test("base 64 of every length, as Foundation writes it")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64.encode(bytes) == bytes.base64)
            #expect(Base64.decode(bytes.base64) == bytes)
        }
        for text in ["a", "ab", "abc", "a===", "ab=c", "a b=", "====", "ab\u{E9}"] {
            #expect(Base64.decode(text) == nil)
        }
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
