// SPDX-License-Identifier: Apache-2.0

/// The error thrown when bytes are not valid JSON text.
public struct JSONError: Error, Sendable, Hashable {
    /// The kind of error.
    ///
    /// New kinds may be added, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// The text is empty or contains only white space.
        public static let emptyInput = Reason(description: "empty-input")
        /// The text ends inside a value.
        public static let unexpectedEnd = Reason(description: "unexpected-end")
        /// The grammar does not allow the byte at this position.
        public static let unexpectedByte = Reason(description: "unexpected-byte")
        /// The number violates the grammar of RFC 8259, section 6.
        public static let invalidNumber = Reason(description: "invalid-number")
        /// A string contains an unescaped control character below U+0020 (RFC 8259, section 7).
        public static let controlCharacter = Reason(description: "control-character")
        /// A backslash is not followed by a valid escape.
        public static let invalidEscape = Reason(description: "invalid-escape")
        /// A `\u` escape represents one half of a surrogate pair.
        public static let loneSurrogate = Reason(description: "lone-surrogate")
        /// The bytes are not well-formed UTF-8 (RFC 3629).
        public static let invalidUTF8 = Reason(description: "invalid-utf8")
        /// A byte-order mark precedes the text (RFC 8259, section 8.1).
        public static let byteOrderMark = Reason(description: "byte-order-mark")
        /// Bytes other than white space follow the value.
        public static let trailingBytes = Reason(description: "trailing-bytes")
        /// The nesting of containers exceeds the limit.
        public static let tooDeep = Reason(description: "too-deep")
        /// The text exceeds the limit, or one string or number has 256 MiB or more.
        public static let tooLarge = Reason(description: "too-large")
        /// JSON cannot represent the number, because it is NaN or an infinity.
        public static let nonFiniteNumber = Reason(description: "non-finite-number")
    }

    /// The kind of error.
    public let reason: Reason
    /// The offset of the invalid byte, from 0, or the length of the text if the text ends too early.
    public let offset: Int
    /// The line of the invalid byte, from 1.
    ///
    /// Lines end with a line feed.
    public let line: Int
    /// The column of the invalid byte in its line, from 1, counted in bytes.
    public let column: Int
    /// A description of the input that the grammar allows at this position.
    public let expected: String

    /// Creates an error at a position.
    public init(reason: Reason, offset: Int = 0, line: Int = 1, column: Int = 1, expected: String) {
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
        self.expected = expected
    }
}

extension JSONError: CustomStringConvertible {
    /// One sentence with the error, the position and the expected input, without bytes of the text.
    public var description: String {
        "\(reason) at line \(line), column \(column) (byte \(offset)): expected \(expected)"
    }
}

/// A parser error in two words without line and column, thrown by the hot loops without allocating.
struct JSONFailure: Error {
    let code: JSONFailureCode
    let offset: Int
}

/// The grammar errors, each with its public reason and the description of the expected input.
enum JSONFailureCode: UInt8 {
    case value, commaOrBracket, commaOrBrace, colon, keyOrBrace, key
    case digit, leadingZero, literal
    case controlCharacter, escape, hexDigit, loneSurrogate, utf8
    case byteOrderMark, trailing, tooDeep, tooLong

    var reason: JSONError.Reason {
        switch self {
        case .value, .commaOrBracket, .commaOrBrace, .colon, .keyOrBrace, .key, .literal: .unexpectedByte
        case .digit, .leadingZero: .invalidNumber
        case .controlCharacter: .controlCharacter
        case .escape, .hexDigit: .invalidEscape
        case .loneSurrogate: .loneSurrogate
        case .utf8: .invalidUTF8
        case .byteOrderMark: .byteOrderMark
        case .trailing: .trailingBytes
        case .tooDeep: .tooDeep
        case .tooLong: .tooLarge
        }
    }

    var expected: String {
        switch self {
        case .value: "a value"
        case .commaOrBracket: "',' or ']'"
        case .commaOrBrace: "',' or '}'"
        case .colon: "':'"
        case .keyOrBrace: "a name in quotes or '}'"
        case .key: "a name in quotes"
        case .digit: "a digit"
        case .leadingZero: "no digit after a leading zero"
        case .literal: "true, false or null"
        case .controlCharacter: "escaped control characters"
        case .escape: "one of \" \\ / b f n r t u after the backslash"
        case .hexDigit: "four hexadecimal digits"
        case .loneSurrogate: "a pair of surrogates, high then low"
        case .utf8: "well-formed UTF-8"
        case .byteOrderMark: "no byte-order mark"
        case .trailing: "the end of the text"
        case .tooDeep: "fewer nested arrays and objects"
        case .tooLong: "a string or number below 256 MiB"
        }
    }
}

extension JSONError {
    /// Converts an error of the hot loop to an error with its position in the whole text.
    init(_ failure: JSONFailure, in bytes: [UInt8]) {
        let place = JSONError.place(of: failure.offset, in: bytes)
        let ended = failure.offset >= bytes.count && failure.code.canMeanEnd
        let empty = ended && failure.code == .value && !bytes.contains { $0 > 0x20 }
        self.init(
            reason: empty ? .emptyInput : ended ? .unexpectedEnd : failure.code.reason,
            offset: failure.offset, line: place.line, column: place.column,
            expected: ended && failure.code == .controlCharacter ? "a closing quote" : failure.code.expected)
    }

    /// The line and column of a byte, both from 1.
    static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var lineStart = 0
        for (index, byte) in bytes.prefix(offset).enumerated() where byte == 0x0A {
            line += 1
            lineStart = index + 1
        }
        return (line, offset - lineStart + 1)
    }
}

extension JSONFailureCode {
    /// Whether this error at the end of the text means that the text is truncated.
    fileprivate var canMeanEnd: Bool {
        switch self {
        case .tooDeep, .tooLong, .byteOrderMark, .trailing, .leadingZero, .loneSurrogate: false
        default: true
        }
    }
}

extension JSONDocument {
    /// Limits on the size and nesting of a document.
    public struct Limits: Sendable, Hashable {
        /// The maximum nesting of containers, from 1 to ``hardMaximumDepth``.
        ///
        /// RFC 8259, section 9, allows a parser to limit it.
        public var maximumDepth: Int {
            get { depth }
            set { depth = min(max(1, newValue), JSONDocument.Limits.hardMaximumDepth) }
        }

        /// The maximum length of a document in bytes, at most `hardMaximumBytes`.
        public var maximumBytes: Int

        /// The maximum document length that the tape can address: 4 GiB − 1, or 2 GiB − 1 if `Int` has 32 bits.
        public static let hardMaximumBytes = Int(clamping: UInt32.max)

        /// The largest value of ``maximumDepth``.
        ///
        /// Comparing, hashing and decoding recurse into containers. A value of this depth takes up to 2 MiB of stack
        /// without optimization and 1 MiB with it. With optimization, the default depth also fits into the 512 KiB
        /// stack of secondary threads on Apple platforms.
        public static let hardMaximumDepth = 1_024

        /// Limits for texts written by this module, which are as deep as the values in memory that they represent.
        static let unlimitedDepth: JSONDocument.Limits = {
            var limits = JSONDocument.Limits()
            limits.depth = .max
            return limits
        }()

        private var depth: Int

        /// A depth of 512 and the maximum length that the tape can address.
        public static let `default` = JSONDocument.Limits()

        /// Creates limits.
        ///
        /// The depth is clamped to 1 or more, and both limits to their hard maxima.
        public init(maximumDepth: Int = 512, maximumBytes: Int = JSONDocument.Limits.hardMaximumBytes) {
            depth = min(max(1, maximumDepth), JSONDocument.Limits.hardMaximumDepth)
            self.maximumBytes = max(0, min(maximumBytes, JSONDocument.Limits.hardMaximumBytes))
        }
    }
}
