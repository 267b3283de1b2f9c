// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
