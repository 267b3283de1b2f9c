// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension JWTBearerGrant {
    /// A private RSA key that signs in the name of a client (RFC 7523), read from PEM text in PKCS #1 or PKCS #8 form.
    ///
    /// Its numbers stay inside the platform's cryptography; printing, dumping or reflecting it shows a placeholder.
    public struct PrivateKey: Sendable {
        private let key: SigningKey

        /// What to do with a key file that others on the machine can read.
        public enum SharedFileRule: Sendable {
            /// Refuse it, as ssh does.
            case refuse
            /// Use it and tell this function so, once for each time the file is read.
            case warn(@Sendable (String) -> Void)
        }

        /// Reads a key from PEM text.
        ///
        /// - Throws: ``OAuthError`` with `.unusableKey` for a key that is encrypted, damaged, shorter than 2048 bits or
        ///   not of RSA.
        public init(pem: Secret) throws(OAuthError) {
            guard let key = SigningKey(pkcs1: try PrivateKeyPEM(pem.reveal()).pkcs1) else {
                throw OAuthError(.unusableKey, "the private key cannot be used: its numbers do not fit together")
            }
            self.key = key
        }

        /// Reads a key from a PEM file.
        ///
        /// - Parameters:
        ///   - path: the file, which should belong to the user and be readable by the user alone (mode 600 or 400).
        ///   - rule: what to do when the group or everybody can read or write it.
        /// - Throws: ``OAuthError``; `.sharedKeyFile` by the rule, `.unusableKey` for what ``init(pem:)`` refuses and
        ///   for a file that cannot be read.
        public init(contentsOfFile path: String, ifShared rule: SharedFileRule = .refuse) throws(OAuthError) {
            let file = try KeyFile(path: path)
            if file.isShared {
                let fault = "the key file \(path) can be read by others; run: chmod 600 '\(path)'"
                switch rule {
                case .refuse: throw OAuthError(.sharedKeyFile, fault)
                case .warn(let tell): tell(fault)
                }
            }
            try self.init(pem: file.content)
        }

        /// RSASSA-PKCS1-v1_5 with SHA-256: `RS256` of RFC 7518 §3.3.
        func signature(of bytes: [UInt8]) throws(OAuthError) -> [UInt8] {
            guard let signature = key.signature(of: bytes) else {
                throw OAuthError(.unusableKey, "the private key cannot be used: the system did not sign with it")
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
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A key file's text and who can read it, both taken from one open file.
struct KeyFile {
    let content: Secret
    /// Whether the group or everybody may read or write it, or it belongs to another user than root.
    let isShared: Bool

    /// Far beyond any key.
    private static let greatestSize = 65_536

    /// Reads the file.
    ///
    /// - Throws: ``OAuthError`` with `.unusableKey`.
    init(path: String) throws(OAuthError) {
        // Not blocking, so that a pipe in the key's place does not stop the program.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Self.unreadable(path, errno) }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw Self.unreadable(path, errno) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.greatestSize else {
            throw OAuthError(.unusableKey, "\(path) is no key file")
        }
        isShared = facts.st_mode & 0o077 != 0 || (facts.st_uid != geteuid() && facts.st_uid != 0)
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.greatestSize) { buffer, count in
            while count < buffer.count {
                let read = unsafe read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { code = errno }
                guard read > 0 else { break }
                count += read
            }
        }
        guard code == 0 else { throw Self.unreadable(path, code) }
        content = Secret(String(decoding: bytes, as: UTF8.self))
    }

    private static func unreadable(_ path: String, _ code: Int32) -> OAuthError {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return OAuthError(.unusableKey, "the key file \(path) cannot be read: \(reason)")
    }
}
