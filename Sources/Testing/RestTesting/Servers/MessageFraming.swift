// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Finds the end of an HTTP/1.1 message while its bytes arrive (RFC 9112 §6), for test servers that trust their peers.
package struct MessageFraming {
    private enum Part {
        case header
        /// The remaining bytes of a body.
        case body(left: Int)
        case chunkSize
        /// The remaining bytes of a chunk and the line end after it.
        case chunk(left: Int)
        /// Lines after the last chunk up to the empty line.
        case trailer
        /// All bytes until the connection ends.
        case untilClose
        case complete
    }

    private let isResponse: Bool
    private let hasBody: Bool
    private var part = Part.header
    private var line: [UInt8] = []
    private var lines: [String] = []

    private init(isResponse: Bool, hasBody: Bool) {
        self.isResponse = isResponse
        self.hasBody = hasBody
    }

    package static var request: MessageFraming { MessageFraming(isResponse: false, hasBody: true) }

    /// The framing of the response to a request with this method.
    package static func respond(to method: String) -> MessageFraming {
        MessageFraming(isResponse: true, hasBody: method != "HEAD")
    }

    package var isComplete: Bool { if case .complete = part { true } else { false } }

    /// Whether the empty line after the head has arrived, or after the final head of a response.
    package var isHeaderComplete: Bool { if case .header = part { false } else { true } }

    /// The first line of the head, after it has arrived.
    package var firstLine: String { lines.first ?? "" }

    package var method: String { String(firstLine.prefix(before: " ")) }

    /// The status of a response, or zero for a request or a malformed response.
    package var status: Int { isResponse ? Int(firstLine.split(byte: " ").dropFirst().first ?? "") ?? 0 : 0 }

    /// Consumes bytes that have arrived, and returns the number of bytes that belong to this message.
    package mutating func consume(_ bytes: ArraySlice<UInt8>, onlyHeader: Bool = false) -> Int {
        var rest = bytes
        while !rest.isEmpty, !isComplete, !(onlyHeader && isHeaderComplete) {
            switch part {
            case .header, .chunkSize, .trailer: takeLine(from: &rest)
            case .body(let left): part = take(left, from: &rest).map(Part.body) ?? .complete
            case .chunk(let left): part = take(left, from: &rest).map(Part.chunk) ?? .chunkSize
            case .untilClose: rest = []
            case .complete: break
            }
        }
        return bytes.count - rest.count
    }

    /// Handles the end of the connection, which completes a message without a length.
    package mutating func end() {
        if case .untilClose = part { part = .complete }
    }

    /// Takes up to `left` bytes, and returns the number of missing bytes, or `nil` if none are missing.
    private func take(_ left: Int, from rest: inout ArraySlice<UInt8>) -> Int? {
        let count = min(left, rest.count)
        rest = rest.dropFirst(count)
        return count < left ? left - count : nil
    }

    private mutating func takeLine(from rest: inout ArraySlice<UInt8>) {
        guard let end = rest.firstIndex(of: 0x0A) else {
            line += rest
            rest = []
            return
        }
        line += rest[..<end]
        rest = rest[(end + 1)...]
        if line.last == 0x0D { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        endLine(text)
    }

    private mutating func endLine(_ text: String) {
        switch part {
        case .header where text.isEmpty: endHeader()
        case .header: lines.append(text)
        case .chunkSize:
            // A size that overflows needs no special case, because its bytes never arrive completely.
            let digits = String(Substring(text.utf8.prefix { ASCII.hexValue($0) != nil }))
            let size = Int(digits, radix: 16) ?? (digits.isEmpty ? 0 : .max)
            part = size == 0 ? .trailer : .chunk(left: min(size, .max - 2) + 2)
        case .trailer where text.isEmpty: part = .complete
        case .trailer, .body, .chunk, .untilClose, .complete: break
        }
    }

    private mutating func endHeader() {
        if isResponse, (100..<200).contains(status), status != 101 {
            lines = []
            return
        }
        guard hasBody, status != 204, status != 304 else { return part = .complete }
        if values(of: "transfer-encoding").contains(where: { $0.hasBytes("chunked") }) {
            part = .chunkSize
        } else if let length = values(of: "content-length").first.flatMap({ Int($0) }), length >= 0 {
            part = length == 0 ? .complete : .body(left: length)
        } else {
            part = isResponse ? .untilClose : .complete
        }
    }

    private func values(of name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            let parts = line.lowercased().split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == name else { return nil }
            return parts[1].without(" \t")
        }
    }
}
