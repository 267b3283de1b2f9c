// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Reads a private RSA key in PEM form (RFC 7468) and converts it to PKCS #1 (RFC 8017 A.1.2).
///
/// PKCS #8 is unwrapped here because Security on Apple platforms does not support it. The numbers in the key are left
/// to the system's cryptography.
struct PrivateKeyPEM {
    /// The key in DER, `RSAPrivateKey` of PKCS #1.
    let pkcs1: [UInt8]

    /// The minimum size of the modulus in bytes, as Salesforce and NIST SP 800-131A require.
    static let leastModulusBytes = 256

    /// Extracts the first private key from a text that may also contain certificates and remarks.
    ///
    /// - Throws: ``OAuthError`` with `.unusableKey`, whose message contains nothing of the key.
    init(_ text: String) throws(OAuthError) {
        let (label, body) = try Self.block(in: text)
        guard let der = Base64.decode(body) else { throw Self.fault("its base64 is invalid") }
        switch label {
        case "RSA PRIVATE KEY": pkcs1 = der
        case "PRIVATE KEY": pkcs1 = try Self.unwrapped(der)
        default: throw Self.fault("a key of the kind \(label) cannot sign RS256; use an RSA key of 2048 bits or more")
        }
        guard let modulus = Self.modulus(of: pkcs1) else { throw Self.fault("it is truncated or damaged") }
        guard modulus.count >= Self.leastModulusBytes else {
            throw Self.fault("it has only \(modulus.count * 8) bits; use an RSA key of 2048 bits or more")
        }
    }

    /// The label and the base 64 of the first block whose label ends with `PRIVATE KEY`.
    private static func block(in text: String) throws(OAuthError) -> (label: String, body: String) {
        let lines = text.lines.map(\.trimmingBlanks)
        let labels = lines.lazy.enumerated().compactMap { line in
            line.element.removing(prefix: "-----BEGIN ")?.removing(suffix: "-----").map { (line.offset, $0) }
        }
        guard let (begin, label) = labels.first(where: { $0.1.hasBytes(suffix: "PRIVATE KEY") }) else {
            throw fault("it contains no private key in PEM form")
        }
        guard let end = lines[begin...].firstIndex(of: "-----END \(label)-----") else {
            throw fault("its last line is missing")
        }
        let body = lines[(begin + 1)..<end]
        guard label != "ENCRYPTED PRIVATE KEY", !body.contains(where: { $0.hasBytes("ENCRYPTED") }) else {
            throw fault("it is encrypted; decrypt it first (openssl pkey -in KEY -out PLAIN) and protect the file")
        }
        return (String(label), body.joined())
    }

    /// The PKCS #1 key inside a PKCS #8 key (RFC 5958 §2).
    private static func unwrapped(_ der: [UInt8]) throws(OAuthError) -> [UInt8] {
        var outer = DERReader(der[...])
        guard var info = outer.reader(of: .sequence), info.value(of: .integer) != nil,
            var algorithm = info.reader(of: .sequence), let identifier = algorithm.value(of: .objectIdentifier)
        else { throw fault("it is truncated or damaged") }
        guard identifier.elementsEqual(rsaEncryption) else {
            throw fault("it is not an RSA key, which RS256 needs; use an RSA key of 2048 bits or more")
        }
        guard let key = info.value(of: .octetString) else { throw fault("it is truncated or damaged") }
        return Array(key)
    }

    /// 1.2.840.113549.1.1.1 (RFC 8017 A.1).
    private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// The modulus without its leading zero, or `nil` unless the key has the nine numbers of a two-prime key.
    private static func modulus(of pkcs1: [UInt8]) -> ArraySlice<UInt8>? {
        var outer = DERReader(pkcs1[...])
        guard var key = outer.reader(of: .sequence), key.value(of: .integer) != nil,
            let modulus = key.value(of: .integer)
        else { return nil }
        for _ in 0..<7 where key.value(of: .integer) == nil { return nil }
        return modulus.drop { $0 == 0 }
    }

    private static func fault(_ reason: String) -> OAuthError {
        OAuthError(.unusableKey, "the private key cannot be used: \(reason)")
    }
}

extension JWTBearerGrant {
    /// A private RSA key that signs for a client (RFC 7523), read from PEM in PKCS #1 or PKCS #8 form.
    ///
    /// Its numbers stay inside the system's cryptography. Printing, dumping or reflecting it shows a placeholder.
    public struct PrivateKey: Sendable {
        private let key: SigningKey
        private static let greatestFile = 65_536

        /// The handling of a key file that other users can read.
        public enum SharedFileRule: Sendable {
            /// Reject it, as ssh does.
            case refuse
            /// Use it, and call this function with a warning each time the file is read.
            case warn(@Sendable (String) -> Void)
        }

        /// Reads a key from PEM text.
        ///
        /// - Throws: ``OAuthError`` with `.unusableKey` if the key is encrypted, damaged, shorter than 2048 bits or not
        ///   an RSA key.
        public init(pem: Secret) throws(OAuthError) {
            guard let key = SigningKey(pkcs1: try PrivateKeyPEM(pem.reveal()).pkcs1) else {
                throw OAuthError(.unusableKey, "the private key is invalid: its numbers are inconsistent")
            }
            self.key = key
        }

        /// Reads a key from a PEM file.
        ///
        /// - Parameters:
        ///   - path: the path of the file, which should belong to the user and have mode 600 or 400.
        ///   - rule: the handling of a file that the group or all users can read or write.
        /// - Throws: ``OAuthError``: `.sharedKeyFile` by the rule, `.unusableKey` if ``init(pem:)`` rejects the key or
        ///   the file cannot be read.
        public init(contentsOfFile path: String, ifShared rule: SharedFileRule = .refuse) throws(OAuthError) {
            let file: PlainFile
            do throws(PlainFile.Failure) {
                file = try PlainFile(path: path, limit: Self.greatestFile)
            } catch {
                throw OAuthError(.unusableKey, "the key file \(path) cannot be used: \(error.reason)")
            }
            if file.isShared {
                let fault = "the key file \(path) can be read by others; run: chmod 600 \(path.shellQuoted)"
                switch rule {
                case .refuse: throw OAuthError(.sharedKeyFile, fault)
                case .warn(let tell): tell(fault)
                }
            }
            try self.init(pem: Secret(String(decoding: file.bytes, as: UTF8.self)))
        }

        /// The RSASSA-PKCS1-v1_5 signature with SHA-256: `RS256` of RFC 7518 §3.3.
        func signature(of bytes: [UInt8]) throws(OAuthError) -> [UInt8] {
            guard let signature = key.signature(of: bytes) else {
                throw OAuthError(.unusableKey, "the private key cannot be used: the system cannot sign with it")
            }
            return signature
        }
    }
}

extension JWTBearerGrant.PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder.
    public var description: String { "«private key»" }
    /// The placeholder, as in `description`.
    public var debugDescription: String { description }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
