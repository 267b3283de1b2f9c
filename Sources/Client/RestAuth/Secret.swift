// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(Security)
import Security
#endif

/// A string that must not leak, such as a token, a password or a client secret.
///
/// Printing, interpolating, dumping or reflecting a `Secret` shows a placeholder. Only ``reveal()`` returns the string,
/// so a search for one word finds every use of it.
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Wraps a string.
    public init(_ text: String) { self.text = text }

    /// Returns the string, which should only be passed to the request that needs it.
    public func reveal() -> String { text }

    /// Whether the string is empty.
    public var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder.
    public var description: String { "«redacted»" }
    /// The placeholder, as in `description`.
    public var debugDescription: String { "«redacted»" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret: ExpressibleByStringLiteral {
    /// Wraps a literal, for tests and samples.
    public init(stringLiteral value: String) { self.init(value) }
}

/// The bytes and the permissions of a small file, read from the same open file.
struct PlainFile {
    let bytes: [UInt8]
    /// Whether the group or all users may read or write it, or it belongs to another user (except root).
    let isShared: Bool

    enum Failure: Error {
        case absent
        /// It is not a plain file, or exceeds the size limit.
        case unfit
        /// The system's error number.
        case system(Int32)

        var reason: String {
            switch self {
            case .absent: "it does not exist"
            case .unfit: "it is not a regular file of the expected size"
            case .system(let code): unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            }
        }
    }

    /// Reads a file of at most `limit` bytes.
    init(path: String, limit: Int) throws(Failure) {
        // Non-blocking, so that a pipe at this path does not block the program.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw errno == ENOENT ? .absent : .system(errno) }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw .system(errno) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit else { throw .unfit }
        isShared = facts.st_mode & 0o077 != 0 || (facts.st_uid != geteuid() && facts.st_uid != 0)
        guard let bytes = FileBytes.read(file, from: 0, count: limit) else { throw .system(errno) }
        self.bytes = bytes
    }
}

/// The secret values of a request, which a server may quote in an error message.
struct SentSecrets: Sendable {
    /// The minimum length, in bytes, of a fragment of a secret that is hidden.
    private static let tellingLength = 12
    /// The minimum length of a secret that is hidden inside words; shorter ones are hidden only as whole words.
    private static let wordLength = 8

    /// Form fields with public values; unknown fields are secret.
    private static let publicNames: Set<String> = [
        "grant_type", "response_type", "client_id", "scope", "redirect_uri", "username", "audience", "resource",
        "token_type_hint", "subject_token_type", "actor_token_type", "requested_token_type", "client_assertion_type",
    ]

    private let secrets: [Secret]

    init(_ secrets: [Secret]) { self.secrets = secrets }

    /// Whether the value of a form field is public.
    static func isPublic(_ name: String) -> Bool { publicNames.contains(name) }

    /// The server's text as one line for people, without control characters, secrets and fragments of secrets.
    func line(_ text: String, limit: Int = 300) -> String {
        // Cutting first would leave the beginning of a secret that is too short to be recognized.
        let start = String(text.unicodeScalars.prefix(limit * 8))
        return PlainText.line(redacted(start), limit: limit)
    }

    private func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var isHidden = [Bool](repeating: false, count: bytes.count)
        for spelling in spellings { Self.hide(spelling, in: bytes, &isHidden) }
        guard isHidden.contains(true) else { return text }
        var output: [UInt8] = []
        for index in bytes.indices {
            if !isHidden[index] {
                output.append(bytes[index])
            } else if index == 0 || !isHidden[index - 1] {
                output += Array("«redacted»".utf8)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The secrets as they are, and as they appear in forms and URLs.
    private var spellings: Set<[UInt8]> {
        let texts = secrets.map { $0.reveal() }
        return Set((texts + texts.map(PercentEncoding.queryComponent)).filter { !$0.isEmpty }.map { Array($0.utf8) })
    }

    private static func hide(_ secret: [UInt8], in bytes: [UInt8], _ isHidden: inout [Bool]) {
        let width = min(secret.count, tellingLength)
        guard bytes.count >= width else { return }
        let chunks = Set((0...(secret.count - width)).map { secret[$0..<($0 + width)] })
        for start in 0...(bytes.count - width) {
            let place = start..<(start + width)
            guard chunks.contains(bytes[place]), width >= wordLength || isWord(place, of: bytes) else { continue }
            for index in place { isHidden[index] = true }
        }
    }

    private static func isWord(_ place: Range<Int>, of bytes: [UInt8]) -> Bool {
        let before = place.lowerBound > 0 && ASCII.isAlphanumeric(bytes[place.lowerBound - 1])
        let behind = place.upperBound < bytes.count && ASCII.isAlphanumeric(bytes[place.upperBound])
        return !before && !behind
    }
}

enum PlainText {
    /// The string as one line of at most `limit` characters that cannot control a terminal.
    static func line(_ text: String, limit: Int = 300) -> String {
        // prose: a line for people
        let visible = text.unicodeScalars.prefix(limit + 1).map { isControl($0) ? " " : Character($0) }
        return visible.count > limit ? String(visible.prefix(limit)) + "…" : String(visible)
    }

    /// Whether the string contains characters that control a terminal or change the direction of the text after them.
    static func steersTerminal(_ text: String) -> Bool { text.unicodeScalars.contains(where: isControl) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// A source of unpredictable bytes, as a value so that its failure can be tested.
///
/// If it fails, the operation fails, because there is no weaker fallback.
package struct RandomSource: Sendable {
    private let make: @Sendable (Int) -> [UInt8]?

    /// Creates a source.
    ///
    /// - Parameter make: returns the given number of bytes, or `nil` if it fails.
    package init(_ make: @escaping @Sendable (Int) -> [UInt8]?) { self.make = make }

    /// Returns `count` random bytes.
    ///
    /// - Throws: ``OAuthError`` with `.cryptographyUnavailable`.
    package func bytes(_ count: Int) throws(OAuthError) -> [UInt8] {
        guard let bytes = make(count), bytes.count == count else {
            throw OAuthError(.cryptographyUnavailable, "the system provides no random numbers; nothing was sent")
        }
        return bytes
    }

    /// The generator of the system's cryptography: libcrypto or Security.
    package static let system = RandomSource { count in
        Libcrypto.prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        #if canImport(COpenSSL)
        return unsafe RAND_bytes(&bytes, CInt(clamping: count)) == 1 ? bytes : nil
        #elseif canImport(Security)
        return unsafe SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess ? bytes : nil
        #endif
    }
}

/// The time of day, which can be changed and so is never used to measure durations.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Creates a clock from a function that returns milliseconds since the beginning of 1970 in UTC.
    package init(milliseconds read: @escaping @Sendable () -> Int64) { self.read = read }

    /// Milliseconds since the beginning of 1970 in UTC.
    package var milliseconds: Int64 { read() }
    /// Whole seconds since the beginning of 1970 in UTC.
    package var seconds: Int64 { read() / 1_000 }

    package static let system = WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
