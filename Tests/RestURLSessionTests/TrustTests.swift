// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import BuiltPrograms
import Foundation
import RestTesting
import Testing

@testable import RestURLSession

@Suite("Pinned keys", .timeLimit(.minutes(5)))
struct TrustTests {
    @Test(
        "The public key found in a certificate is the key that openssl finds, for every kind of key",
        arguments: [
            ["-newkey", "rsa:2048"], ["-newkey", "rsa:3072", "-subj", "/CN=\(String(repeating: "x", count: 60))"],
            ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
            ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"],
            ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp521r1"], ["-newkey", "ed25519"],
        ])
    func key(options: [String]) throws {
        let openssl = try OpenSSL()
        let certificate = try openssl.certificate(options)
        let expected = try openssl.publicKey()
        let found = try #require(CertificateDER.publicKeyInfo(in: certificate))
        #expect([UInt8](found) == expected)
        let pin = try openssl.keyDigest()
        let other = Data(repeating: 0, count: 32).base64EncodedString()
        func accepts(_ digests: [String]) -> Bool {
            PublicKeyPins(digests).accept(certificate) { key in
                (try? openssl.sha256([UInt8](key))) ?? []
            }
        }
        #expect(accepts([pin]))
        #expect(accepts([other, pin]), "the second is the one in use")
        #expect(!accepts([other]))
        #expect(!accepts(["not base64", pin.lowercased()]))
        #expect(!accepts([]))
    }

    @Test("A truncated certificate has no key, and a damaged certificate does not trap")
    func damaged() throws {
        let certificate = try OpenSSL().certificate(["-newkey", "ed25519"])
        let key = try #require(CertificateDER.publicKeyInfo(in: certificate))
        for length in 0..<certificate.count {
            #expect(CertificateDER.publicKeyInfo(in: Array(certificate.prefix(length))) == nil)
        }
        for index in certificate.indices {
            var damaged = certificate
            damaged[index] ^= 0xFF
            // Damage before the key may hide or change it. Damage after the key does not matter. Nothing may trap.
            if index >= key.endIndex { #expect(CertificateDER.publicKeyInfo(in: damaged) == key) }
            _ = CertificateDER.publicKeyInfo(in: damaged)
        }
        #expect(CertificateDER.publicKeyInfo(in: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
        #expect(CertificateDER.publicKeyInfo(in: [0x30, 0x80, 0x00, 0x00]) == nil)
    }
}

/// The openssl command in its own directory.
private struct OpenSSL {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func path(_ name: String) -> String { folder.path(name) }

    /// Creates a self-signed certificate.
    ///
    /// - Returns: its DER form.
    func certificate(_ options: [String]) throws -> [UInt8] {
        let output = ["-keyout", path("key.pem"), "-outform", "der", "-out", path("cert")]
        let subject = options.contains("-subj") ? [] : ["-subj", "/CN=rest-test"]
        try run(["req", "-x509", "-nodes", "-days", "2"] + output + subject + options)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("cert"))))
    }

    func publicKey() throws -> [UInt8] {
        try run(["pkey", "-in", path("key.pem"), "-pubout", "-outform", "der", "-out", path("public")])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("public"))))
    }

    /// The pin of the certificate, in the format that RestCurl also accepts.
    func keyDigest() throws -> String { Data(try sha256(publicKey())).base64EncodedString() }

    func sha256(_ bytes: [UInt8]) throws -> [UInt8] {
        try Data(bytes).write(to: URL(fileURLWithPath: path("input")))
        try run(["dgst", "-sha256", "-binary", "-out", path("digest"), path("input")])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("digest"))))
    }

    private func run(_ arguments: [String]) throws {
        try #require(RunningProgram.tool(["openssl"] + arguments).status == 0, "\(arguments)")
    }
}
#endif
