// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Finds where an HTTP/1.1 message ends while its bytes arrive (RFC 9112 6); for test servers that trust their peers.
package struct MessageFraming {
    private enum Part {
        /// Lines up to the blank one.
        case header
        /// So many bytes of a body.
        case body(left: Int)
        /// The line with the size of the next chunk.
        case chunkSize
        /// So many bytes of a chunk and the line end behind it.
        case chunk(left: Int)
        /// Lines behind the last chunk up to the blank one.
        case trailer
        /// All that comes until the connection ends.
        case untilClose
        /// The message is over.
        case complete
    }

    private let isAnswer: Bool
    private let hasBody: Bool
    private var part = Part.header
    private var line: [UInt8] = []
    private var lines: [String] = []

    private init(isAnswer: Bool, hasBody: Bool) {
        self.isAnswer = isAnswer
        self.hasBody = hasBody
    }

    /// The framing of a request.
    package static var request: MessageFraming { MessageFraming(isAnswer: false, hasBody: true) }

    /// The framing of the answer to a request with that method.
    package static func answer(to method: String) -> MessageFraming {
        MessageFraming(isAnswer: true, hasBody: method != "HEAD")
    }

    /// Whether the message is over.
    package var isComplete: Bool { if case .complete = part { true } else { false } }

    /// Whether the blank line behind the header, the final one of an answer, has come.
    package var isHeaderComplete: Bool { if case .header = part { false } else { true } }

    /// The first line of the header, once it is complete.
    package var firstLine: String { lines.first ?? "" }

    /// The first word of a request.
    package var method: String { String(firstLine.prefix(before: " ")) }

    /// The status of an answer; zero in a request and in what is no answer.
    package var status: Int { isAnswer ? Int(firstLine.split(byte: " ").dropFirst().first ?? "") ?? 0 : 0 }

    /// Takes bytes that have arrived.
    ///
    /// - Parameters:
    ///   - bytes: the bytes, of this message and perhaps of the next one.
    ///   - onlyHeader: whether to stop after the header.
    /// - Returns: how many of the bytes belong to this message.
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

    /// The connection has ended; that completes a message without a length.
    package mutating func end() {
        if case .untilClose = part { part = .complete }
    }

    /// Takes up to that many bytes; gives how many are missing, or `nil` when none are.
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
            // A size that no number holds is not worth an end of its own: its bytes never all come.
            let digits = String(Substring(text.utf8.prefix { ASCII.hexValue($0) != nil }))
            let size = Int(digits, radix: 16) ?? (digits.isEmpty ? 0 : .max)
            part = size == 0 ? .trailer : .chunk(left: min(size, .max - 2) + 2)
        case .trailer where text.isEmpty: part = .complete
        case .trailer, .body, .chunk, .untilClose, .complete: break
        }
    }

    private mutating func endHeader() {
        if isAnswer, (100..<200).contains(status), status != 101 {
            lines = []
            return
        }
        guard hasBody, status != 204, status != 304 else { return part = .complete }
        if values(of: "transfer-encoding").contains(where: { $0.hasBytes("chunked") }) {
            part = .chunkSize
        } else if let length = values(of: "content-length").first.flatMap({ Int($0) }), length >= 0 {
            part = length == 0 ? .complete : .body(left: length)
        } else {
            part = isAnswer ? .untilClose : .complete
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
