// SPDX-License-Identifier: Apache-2.0

import RestTesting
package import RestTransport

/// An answer as a server writes it, byte by byte, and how a client must treat it.
///
/// It carries the number of the call it answers, so that a test notices an answer that reaches another call.
package struct RawAnswer: Sendable, CustomStringConvertible {
    /// What the standards require of a client.
    package enum Verdict: Sendable {
        /// It must be refused as an error of the server.
        case refused
        /// It must be read.
        case accepted
        /// It may be read or refused.
        case either
    }

    /// What is odd about it.
    package let name: String
    package let verdict: Verdict
    /// The method of the request that it answers.
    package var method = HTTPMethod.get
    /// Whether the server closes the connection after it.
    ///
    /// It does so only where a client knows, because another client could send its next request at the same moment.
    package var closes = false
    /// What the body must be; `nil` if only the field with the number shows whose answer it is.
    fileprivate var body: [Part]? = [.number]
    fileprivate let parts: [Part]

    /// Makes an answer.
    ///
    /// Each character of the text below 256 is one byte. `{n}` is replaced by the number, `{a}` and `{b}` by its
    /// halves, and `{g}` by the number as gzip data. At `‖` the server pauses, so that what follows arrives separately.
    init(_ name: String, _ verdict: Verdict, _ text: String) {
        self.name = name
        self.verdict = verdict
        parts = Part.all(in: text)
    }

    /// What is odd about it.
    package var description: String { name }

    /// The same answer to another method, with another body, or with the end of its connection.
    func with(method: HTTPMethod = .get, body: String? = "{n}", closes: Bool = false) -> RawAnswer {
        var answer = self
        answer.method = method
        answer.body = body.map(Part.all)
        answer.closes = closes
        return answer
    }
}

extension RawAnswer {
    /// The field that carries the number of the call.
    package static let numberField = "X-Number"

    /// A number as all answers have it: eight digits.
    package static func digits(of number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// What is sent to the call of that number, piece by piece with a pause between them.
    func pieces(for number: Int) -> [[UInt8]] {
        let digits = Array(Self.digits(of: number).utf8)
        return parts.split(separator: .pause, omittingEmptySubsequences: false).map { piece in
            piece.flatMap { $0.bytes(digits) }
        }
    }

    /// The body that the call of that number must get; `nil` when it does not matter.
    package func expectedBody(for number: Int) -> [UInt8]? {
        let digits = Array(Self.digits(of: number).utf8)
        return body.map { $0.flatMap { $0.bytes(digits) } }
    }

    /// A part of an answer.
    fileprivate enum Part: Hashable {
        case bytes([UInt8])
        case number
        case firstHalf
        case secondHalf
        case packed
        case pause

        private static let placeholders: [Unicode.Scalar: Part] = [
            "n": .number, "a": .firstHalf, "b": .secondHalf, "g": .packed,
        ]

        /// The parts of a text.
        static func all(in text: String) -> [Part] {
            let scalars = Array(text.unicodeScalars)
            var parts: [Part] = []
            var bytes: [UInt8] = []
            var index = 0
            while index < scalars.count {
                var part = scalars[index] == "‖" ? Part.pause : nil
                if scalars[index] == "{", index + 2 < scalars.count, scalars[index + 2] == "}" {
                    part = placeholders[scalars[index + 1]]
                    if part != nil { index += 2 }
                }
                if let part {
                    parts += [.bytes(bytes), part]
                    bytes = []
                } else {
                    bytes.append(UInt8(truncatingIfNeeded: scalars[index].value))
                }
                index += 1
            }
            return parts + [.bytes(bytes)]
        }

        func bytes(_ digits: [UInt8]) -> [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .number: digits
            case .firstHalf: Array(digits.prefix(4))
            case .secondHalf: Array(digits.suffix(4))
            case .packed: GzipSamples.stored(digits)
            case .pause: []
            }
        }
    }
}

extension GzipSamples {
    /// The bytes as gzip data that is not compressed (RFC 1951 3.2.4, RFC 1952).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(truncatingIfNeeded: bytes.count)
        let block: [UInt8] = [1] + little(count) + little(~count) + bytes
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + block + little(checksum(bytes)) + little(UInt32(count))
    }

    private static func little(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
