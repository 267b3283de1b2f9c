// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The header of a request to the browser's way back, read strictly (RFC 9112): nothing is repaired.
struct CallbackRequest: Equatable {
    let method: String
    /// Path and query as they were sent.
    let target: String
    /// Every `Host` field.
    let hosts: [String]

    /// What bytes amount to.
    enum Reading: Equatable {
        /// The header is not complete.
        case incomplete
        /// A request.
        case request(CallbackRequest)
        /// No request that will be answered otherwise than with this status.
        case refused(Int)
    }

    static let requestLineLimit = 8_192
    static let headerLimit = 65_536
    static let fieldLimit = 100

    /// Reads the header that the bytes begin with.
    ///
    /// Its end is looked for from `start` on; what lies before was looked at already.
    static func read(_ bytes: [UInt8], lookingFrom start: Int) -> Reading {
        let lineEnd = bytes.prefix(requestLineLimit + 2).firstIndex(of: UInt8(ascii: "\n"))
        guard lineEnd != nil || bytes.count <= requestLineLimit else { return .refused(414) }
        guard let end = headerEnd(bytes, from: start) else {
            return bytes.count > headerLimit ? .refused(431) : .incomplete
        }
        guard end <= headerLimit else { return .refused(431) }
        return parse(bytes[..<(end - 4)])
    }

    /// The offset behind the blank line.
    private static func headerEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        var index = max(0, start - 3)
        while index + 4 <= bytes.count {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
                return index + 4
            }
            index += 1
        }
        return nil
    }

    private static func parse(_ header: ArraySlice<UInt8>) -> Reading {
        guard let lines = lines(of: header), let first = lines.first else { return .refused(400) }
        let parts = first.split(byte: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(ASCII.isTokenCharacter),
            parts[1].hasBytes(prefix: "/"), parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return .refused(400) }
        guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else { return .refused(505) }
        guard lines.count <= fieldLimit + 1 else { return .refused(431) }
        var hosts: [String] = []
        for line in lines.dropFirst() {
            let sides = line.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty, sides[0].utf8.allSatisfy(ASCII.isTokenCharacter) else {
                return .refused(400)
            }
            guard String(sides[0]).isEqualIgnoringASCIICase(to: "host") else { continue }
            hosts.append(sides[1].drop(anyOf: " \t").lowercased())
        }
        return .request(CallbackRequest(method: String(parts[0]), target: String(parts[1]), hosts: hosts))
    }

    /// The lines, if they are separated by CR LF and have no other control characters but tabs.
    private static func lines(of header: ArraySlice<UInt8>) -> [String]? {
        var lines: [String] = []
        var rest = header
        while true {
            let line = rest.prefix { $0 != 0x0D }
            guard line.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
            lines.append(String(decoding: line, as: UTF8.self))
            rest = rest.dropFirst(line.count)
            guard !rest.isEmpty else { return lines }
            guard rest.dropFirst().first == 0x0A else { return nil }
            rest = rest.dropFirst(2)
        }
    }
}
