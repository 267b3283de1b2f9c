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
        var bracket: Unicode.Scalar { isObject ? "}" : "]" }
    }

    private let document: JSONDocument
    /// What is to be copied of the text.
    private var from = 0, to = 0
    /// What has to stand between the last token and the next one: up to eight bytes, the first in the lowest bits.
    private var punctuation: UInt64 = 0
    private var punctuationCount = 0
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
                    if open[last].isEmpty { open[last].isEmpty = false } else { punctuate(",", &output) }
                    if open[last].isObject {
                        put(document.tape[at], text, &output)
                        punctuate(":", &output)
                        at &+= 1
                    }
                }
                let entry = document.tape[at]
                if entry.isContainer {
                    let isObject = entry.has(.object)
                    punctuate(isObject ? "{" : "[", &output)
                    open.append(Container(end: entry.position, isObject: isObject))
                } else {
                    put(entry, text, &output)
                }
                at &+= 1
                while let container = open.last, container.end == at {
                    punctuate(container.bracket, &output)
                    open.removeLast()
                }
            }
            flush(&output)
        }
    }

    /// Copies a token: a string with its quotes, a number or a literal.
    @inline(__always)
    private mutating func put(_ entry: TapeEntry, _ text: JSONSource, _ output: inout [UInt8]) {
        let isString = entry.has(.string) || entry.has(.escapedString)
        let start = isString ? entry.position &- 1 : entry.position
        let length = entry.length &+ (isString ? 2 : 0)
        let next = to &+ punctuationCount
        // The entry of a name may be that of an earlier object, with the same bytes.
        if to > from, stands(text), start == next || text.repeats(start, at: next, length: length) {
            to = next &+ length
            (punctuation, punctuationCount) = (0, 0)
        } else {
            flush(&output)
            (from, to) = (start, start &+ length)
        }
    }

    /// Adds a byte of punctuation.
    @inline(__always)
    private mutating func punctuate(_ byte: Unicode.Scalar, _ output: inout [UInt8]) {
        if punctuationCount == 8 { flush(&output) }
        punctuation |= UInt64(byte.value) &<< UInt64(truncatingIfNeeded: 8 &* punctuationCount)
        punctuationCount &+= 1
    }

    /// Whether the text goes on with the punctuation.
    @inline(__always)
    private func stands(_ text: JSONSource) -> Bool {
        // Past the end of the text there is NUL, which is no punctuation.
        let others = UInt64(truncatingIfNeeded: 64 &- 8 &* punctuationCount)
        return punctuationCount == 0 || (text.word(to) ^ punctuation) &<< others == 0
    }

    /// Copies what was put off, and the punctuation behind it.
    private mutating func flush(_ output: inout [UInt8]) {
        if to > from { output.append(contentsOf: document.bytes[from..<to]) }
        for _ in 0..<punctuationCount {
            output.append(UInt8(truncatingIfNeeded: punctuation))
            punctuation &>>= 8
        }
        (from, to, punctuationCount) = (0, 0, 0)
    }
}
