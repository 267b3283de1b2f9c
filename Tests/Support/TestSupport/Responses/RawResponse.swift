// SPDX-License-Identifier: Apache-2.0

import RestTesting
package import RestTransport

/// A response as exact bytes, and the required behavior of a client.
///
/// It contains the number of its call, so that a test notices if another call receives it.
package struct RawResponse: Sendable, CustomStringConvertible {
    /// The behavior that the standards require of a client.
    package enum Verdict: Sendable {
        /// It must be rejected as an error of the server.
        case refused
        /// It must be accepted.
        case accepted
        /// It may be accepted or rejected.
        case either
    }

    /// The peculiarity of the response.
    package let name: String
    package let verdict: Verdict
    package var method = HTTPMethod.get
    /// Whether the server closes the connection after the response.
    ///
    /// It does so only if the client knows it. Otherwise, the client could send its next request at the same time.
    package var closes = false
    /// The expected body, or `nil` if only the header with the number identifies the call.
    fileprivate var body: [Part]? = [.number]
    fileprivate let parts: [Part]

    /// Creates a response.
    ///
    /// Each character below 256 is one byte. `{n}` is replaced by the number, `{a}` and `{b}` by its halves, and `{g}`
    /// by the number as gzip data. At `‖` the server pauses, so that the following bytes arrive separately.
    init(_ name: String, _ verdict: Verdict, _ text: String) {
        self.name = name
        self.verdict = verdict
        parts = Part.all(in: text)
    }

    package var description: String { name }

    /// Returns a copy with another method or body, or with the connection closed afterwards.
    func with(method: HTTPMethod = .get, body: String? = "{n}", closes: Bool = false) -> RawResponse {
        var response = self
        response.method = method
        response.body = body.map(Part.all)
        response.closes = closes
        return response
    }
}

extension RawResponse {
    /// The header with the number of the call.
    package static let numberField = "X-Number"

    /// Formats a number with eight digits.
    package static func digits(of number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The chunks for a call, which are sent with a pause between them.
    func chunks(for number: Int) -> [[UInt8]] {
        let digits = Array(Self.digits(of: number).utf8)
        return parts.split(separator: .pause, omittingEmptySubsequences: false).map { chunk in
            chunk.flatMap { $0.bytes(digits) }
        }
    }

    /// The body that a call must receive, or `nil` if the body does not matter.
    package func expectedBody(for number: Int) -> [UInt8]? {
        let digits = Array(Self.digits(of: number).utf8)
        return body.map { $0.flatMap { $0.bytes(digits) } }
    }

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
    /// Returns the bytes as gzip data without compression (RFC 1951 §3.2.4, RFC 1952).
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
