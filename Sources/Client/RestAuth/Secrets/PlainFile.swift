// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A small file's bytes and who can read them, both taken from one open file.
struct PlainFile {
    let bytes: [UInt8]
    /// Whether the group or everybody may read or write it, or it belongs to another user than root.
    let isShared: Bool

    /// Why a file cannot be read.
    enum Failure: Error {
        /// There is none.
        case absent
        /// It is no plain file, or larger than it may be.
        case unfit
        /// The system's error number.
        case system(Int32)

        /// For people.
        var reason: String {
            switch self {
            case .absent: "there is none"
            case .unfit: "it is no plain file of the usual size"
            case .system(let code): unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            }
        }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - limit: how many bytes it may have.
    /// - Throws: ``Failure``.
    init(path: String, limit: Int) throws(Failure) {
        // Not blocking, so that a pipe in the file's place does not stop the program.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw errno == ENOENT ? .absent : .system(errno) }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw .system(errno) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit else { throw .unfit }
        isShared = facts.st_mode & 0o077 != 0 || (facts.st_uid != geteuid() && facts.st_uid != 0)
        var code: Int32 = 0
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < buffer.count {
                let read = unsafe read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { code = errno }
                guard read > 0 else { break }
                count += read
            }
        }
        guard code == 0 else { throw .system(code) }
    }
}
