// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
#if canImport(FoundationEssentials)
import RestBase
import FoundationEssentials
#else
import Foundation
#endif

/// A certificate authority for one test, created with the `openssl` command line in a temporary directory.
package final class TestAuthority: Sendable {
    package struct Identity: Sendable {
        package let certificateFile: String
        package let keyFile: String
        /// Certificates to send in addition, between the certificate and the CA's.
        package var chainFile: String?
    }

    /// The properties of a certificate, which is valid by default.
    package struct Wishes: Sendable {
        package var host = "IP:127.0.0.1,IP:::1"
        /// The number of days until it expires, negative for an expired certificate.
        package var days = 2
        /// The extended key usage.
        package var purpose = "serverAuth"
        package var digest = "sha256"
        package var isSelfSigned = false

        package init() {}
    }

    package static let program = "/usr/bin/openssl"
    package static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

    package var certificateFile: String { root.certificateFile }
    package let root: Identity
    private let folder: TemporaryDirectory

    package static func make() async throws -> TestAuthority {
        try await elsewhere { try TestAuthority() }
    }

    private init() throws {
        folder = try TemporaryDirectory()
        root = Identity(certificateFile: folder.path("authority.pem"), keyFile: folder.path("authority.key"))
        try folder.write(Self.configuration, to: "config")
        try makeAuthority(root)
    }

    /// Creates a certificate signed by this CA, or by an identity that must not sign.
    package func identity(_ wishes: Wishes = Wishes(), signedBy issuer: Identity? = nil) async throws -> Identity {
        try await elsewhere { [self] in try make(wishes, issuer) }
    }

    /// Creates a certificate signed by another CA.
    package func strangersIdentity(_ wishes: Wishes = Wishes()) async throws -> Identity {
        try await elsewhere { [self] in
            let stranger = Identity(
                certificateFile: folder.path("stranger.pem"), keyFile: folder.path("stranger.key"))
            try makeAuthority(stranger)
            return try make(wishes, stranger)
        }
    }

    /// The SHA-256 digest of an identity's public key in base 64, for pinning.
    package func keyDigest(of identity: Identity) async throws -> String {
        try await elsewhere { [self] in
            let name = folder.path(UUID().uuidString)
            try openssl(["x509", "-in", identity.certificateFile, "-pubkey", "-noout", "-out", name])
            try openssl(["pkey", "-pubin", "-in", name, "-outform", "der", "-out", name + ".der"])
            return Data(try openssl(["dgst", "-sha256", "-binary", name + ".der"])).base64EncodedString()
        }
    }

    private func makeAuthority(_ root: Identity) throws {
        let name = "/CN=" + UUID().uuidString
        try openssl(
            ["req", "-x509", "-subj", name, "-days", "2", "-keyout", root.keyFile, "-out", root.certificateFile]
                + newKey)
    }

    private func make(_ wishes: Wishes, _ issuer: Identity?) throws -> Identity {
        let name = folder.path(UUID().uuidString)
        let identity = Identity(
            certificateFile: name + ".pem", keyFile: name + ".key", chainFile: issuer?.certificateFile)
        let extensions =
            "subjectAltName=\(wishes.host)\nbasicConstraints=CA:FALSE\nextendedKeyUsage=\(wishes.purpose)\n"
        try extensions.write(toFile: name + ".ext", atomically: false, encoding: .utf8)
        try openssl(
            ["req", "-new", "-subj", "/CN=rest-test", "-keyout", identity.keyFile, "-out", name + ".csr"] + newKey)
        let signing =
            wishes.isSelfSigned
            ? ["-signkey", identity.keyFile]
            : ["-CA", (issuer ?? root).certificateFile, "-CAkey", (issuer ?? root).keyFile, "-CAcreateserial"]
        try openssl(
            ["x509", "-req", "-in", name + ".csr", "-extfile", name + ".ext", "-out", identity.certificateFile]
                + ["-days", String(wishes.days), "-" + wishes.digest] + signing)
        return identity
    }

    private var newKey: [String] {
        ["-config", folder.path("config"), "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    }

    @discardableResult
    private func openssl(_ arguments: [String]) throws -> [UInt8] {
        try PeerProcess.output(of: Self.program, arguments)
    }

    private static let configuration = """
        [req]
        distinguished_name = name
        x509_extensions = authority
        [name]
        [authority]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign,cRLSign
        subjectKeyIdentifier = hash
        """
}

/// Runs blocking work on a separate thread.
package func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let isStarted = WorkerThread.start { continuation.resume(with: Result { try body() }) }
        if !isStarted { continuation.resume(throwing: Socket.Failure(call: "pthread_create", code: 0)) }
    }
}
#endif
