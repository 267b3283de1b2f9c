// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Adds the text of the value as it was sent, without the white space between its tokens.
    ///
    /// Escapes stay as they are, and so do numbers and repeated names. A value that was made in memory is written as
    /// ``bytes(pretty:sortedKeys:)`` writes it.
    package func appendAsSent(to output: inout [UInt8]) {
        guard case .view(let document, let index) = storage else { return output.append(contentsOf: bytes()) }
        var transcript = JSONTranscript(document)
        transcript.write(valueAt: Int(index), to: &output)
    }
}

/// Copies values of a document token by token; tokens that stand behind each other as they will in the copy are copied
/// at once, which for a text without white space is the whole value.
private struct JSONTranscript {
    /// A container whose end was not reached.
    private struct Container {
        /// The tape index behind it.
        let end: Int
        let isObject: Bool
        var isEmpty = true
        var bracket: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    }

    private let document: JSONDocument
    /// What is to be copied of the text.
    private var from = 0, to = 0
    /// What has to stand between the last token and the next one.
    private var punctuation: [UInt8] = []
    private var open: [Container] = []

    init(_ document: JSONDocument) {
        self.document = document
    }

    mutating func write(valueAt start: Int, to output: inout [UInt8]) {
        let end = document.index(after: start)
        document.withSource { text in
            var at = start
            while at < end {
                if let last = open.indices.last {
                    if open[last].isEmpty { open[last].isEmpty = false } else { punctuation.append(UInt8(ascii: ",")) }
                    if open[last].isObject {
                        put(document.tape[at], text, &output)
                        punctuation.append(UInt8(ascii: ":"))
                        at &+= 1
                    }
                }
                let entry = document.tape[at]
                if entry.isContainer {
                    let isObject = entry.has(.object)
                    punctuation.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                    open.append(Container(end: entry.position, isObject: isObject))
                } else {
                    put(entry, text, &output)
                }
                at &+= 1
                while let container = open.last, container.end == at {
                    punctuation.append(container.bracket)
                    open.removeLast()
                }
            }
            finish(text, &output)
        }
    }

    /// Copies a token: a string with its quotes, a number or a literal.
    @inline(__always)
    private mutating func put(_ entry: TapeEntry, _ text: JSONSource, _ output: inout [UInt8]) {
        let isString = entry.has(.string) || entry.has(.escapedString)
        let start = isString ? entry.position &- 1 : entry.position
        let end = entry.position &+ entry.length &+ (isString ? 1 : 0)
        if start &- to == punctuation.count, to > from, stands(text) {
            to = end
        } else {
            flush(&output)
            output += punctuation
            (from, to) = (start, end)
        }
        punctuation.removeAll(keepingCapacity: true)
    }

    /// Whether the text goes on with the punctuation.
    @inline(__always)
    private func stands(_ text: JSONSource) -> Bool {
        for offset in punctuation.indices where text.byte(to &+ offset) != punctuation[offset] { return false }
        return true
    }

    private mutating func flush(_ output: inout [UInt8]) {
        if to > from { output.append(contentsOf: document.bytes[from..<to]) }
        (from, to) = (0, 0)
    }

    private mutating func finish(_ text: JSONSource, _ output: inout [UInt8]) {
        if to > from, stands(text) {
            to &+= punctuation.count
            flush(&output)
        } else {
            flush(&output)
            output += punctuation
        }
    }
}
