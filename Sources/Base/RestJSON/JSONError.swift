// SPDX-License-Identifier: Apache-2.0

/// Why some bytes are not a JSON text, and where.
public struct JSONError: Error, Sendable, Hashable {
    /// The kind of fault, an open set: new kinds may come, so switch with a default.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, fit for metrics.
        public let description: String

        /// There is no value at all: nothing, or only white space.
        public static let emptyInput = Reason(description: "empty-input")
        /// The text ends inside a value.
        public static let unexpectedEnd = Reason(description: "unexpected-end")
        /// A byte that the grammar does not allow at this place.
        public static let unexpectedByte = Reason(description: "unexpected-byte")
        /// A number that breaks the grammar of RFC 8259 6.
        public static let invalidNumber = Reason(description: "invalid-number")
        /// A control character below U+0020 that is not escaped (RFC 8259 7).
        public static let controlCharacter = Reason(description: "control-character")
        /// A backslash followed by something that is no escape.
        public static let invalidEscape = Reason(description: "invalid-escape")
        /// A `\u` escape that names half of a surrogate pair.
        public static let loneSurrogate = Reason(description: "lone-surrogate")
        /// Bytes that are not well-formed UTF-8 (RFC 3629).
        public static let invalidUTF8 = Reason(description: "invalid-utf8")
        /// A byte-order mark before the text (RFC 8259 8.1).
        public static let byteOrderMark = Reason(description: "byte-order-mark")
        /// More bytes after the end of the value.
        public static let trailingBytes = Reason(description: "trailing-bytes")
        /// More containers inside one another than the limit allows.
        public static let tooDeep = Reason(description: "too-deep")
        /// More bytes than the limit allows, or one string or number of 256 MiB.
        public static let tooLarge = Reason(description: "too-large")
        /// A number that JSON cannot write: NaN or an infinity.
        public static let nonFiniteNumber = Reason(description: "non-finite-number")
    }

    /// The kind of fault.
    public let reason: Reason
    /// The offset of the offending byte, from 0; the length of the text when the text ends too early.
    public let offset: Int
    /// The line of the offending byte, from 1; lines end with a line feed.
    public let line: Int
    /// The column of the offending byte in its line, from 1, counted in bytes.
    public let column: Int
    /// What the grammar would have allowed there, in words.
    public let expected: String

    /// Makes an error at a place.
    public init(reason: Reason, offset: Int = 0, line: Int = 1, column: Int = 1, expected: String) {
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
        self.expected = expected
    }
}

extension JSONError: CustomStringConvertible {
    /// One sentence with the fault, the place and what was expected; never contains bytes of the text.
    public var description: String {
        "\(reason) at line \(line), column \(column) (byte \(offset)): expected \(expected)"
    }
}

/// A fault as the hot loops throw it: two words, no allocation.
///
/// The place in lines is worked out afterwards.
struct JSONFailure: Error {
    let code: JSONFailureCode
    let offset: Int
}

/// The faults of the grammar, each with its public reason and the words for what was expected.
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
        case .controlCharacter: "control characters to be escaped"
        case .escape: "one of \" \\ / b f n r t u after the backslash"
        case .hexDigit: "four hexadecimal digits"
        case .loneSurrogate: "a pair of surrogates, high then low"
        case .utf8: "well-formed UTF-8"
        case .byteOrderMark: "no byte-order mark"
        case .trailing: "the end of the text"
        case .tooDeep: "fewer containers inside one another"
        case .tooLong: "a string or number below 256 MiB"
        }
    }
}

extension JSONError {
    /// Turns a fault of the hot loop into an error with its place; `bytes` is the whole text.
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
    /// Whether this fault at the end of the text means that the text is cut short.
    fileprivate var canMeanEnd: Bool {
        switch self {
        case .tooDeep, .tooLong, .byteOrderMark, .trailing, .leadingZero, .loneSurrogate: false
        default: true
        }
    }
}

extension JSONDocument {
    /// What a parser accepts before it gives up: bounds on the resources one document may take.
    public struct Limits: Sendable, Hashable {
        /// Containers that may be open inside one another (RFC 8259 9 lets a parser set this), from 1 to
        /// ``hardMaximumDepth``.
        public var maximumDepth: Int {
            get { depth }
            set { depth = min(max(1, newValue), JSONDocument.Limits.hardMaximumDepth) }
        }

        /// The longest document in bytes; values above `hardMaximumBytes` mean `hardMaximumBytes`.
        public var maximumBytes: Int

        /// The longest document the tape can address: 4 GiB − 1, or 2 GiB − 1 if `Int` has 32 bits.
        public static let hardMaximumBytes = Int(clamping: UInt32.max)

        /// The deepest nesting that can be allowed.
        ///
        /// Comparing, hashing and decoding recurse into containers. A value of this depth takes up to 2 MiB of stack
        /// without optimization and 1 MiB with it. The default depth also fits into the 512 KiB stack of Apple's
        /// secondary threads, with optimization.
        public static let hardMaximumDepth = 1_024

        /// For texts of this module's own making, which are as deep as the values in memory that they were made of.
        static let unlimitedDepth: JSONDocument.Limits = {
            var limits = JSONDocument.Limits()
            limits.depth = .max
            return limits
        }()

        private var depth: Int

        /// A depth of 512 and the longest document the tape can address.
        public static let `default` = JSONDocument.Limits()

        /// Makes limits; a depth below 1 still allows one container, and both are cut to the hard maxima.
        public init(maximumDepth: Int = 512, maximumBytes: Int = JSONDocument.Limits.hardMaximumBytes) {
            depth = min(max(1, maximumDepth), JSONDocument.Limits.hardMaximumDepth)
            self.maximumBytes = max(0, min(maximumBytes, JSONDocument.Limits.hardMaximumBytes))
        }
    }
}
