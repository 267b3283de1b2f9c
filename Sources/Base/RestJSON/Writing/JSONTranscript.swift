// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Appends the original text of the value without white space between its tokens.
    ///
    /// Escapes, the form of numbers and repeated names are preserved. A value created in memory is written as by
    /// ``bytes(pretty:sortedKeys:)``.
    package func appendAsSent(to output: inout [UInt8]) {
        guard case .view(let document, let index) = storage else { return output.append(contentsOf: bytes()) }
        var transcript = JSONTranscript(document)
        transcript.write(valueAt: Int(index), to: &output)
    }
}

/// Copies values of a document token by token, or ranges of tokens together where the source has no white space.
private struct JSONTranscript {
    /// A container whose end has not been reached.
    private struct Container {
        /// The tape index after the container.
        let end: Int
        let isObject: Bool
        var isEmpty = true
        var bracket: Unicode.Scalar { isObject ? "}" : "]" }
    }

    private let document: JSONDocument
    /// The pending range of the text.
    private var from = 0, to = 0
    /// The punctuation after the pending range: up to eight bytes, the first in the lowest bits.
    private var punctuation: UInt64 = 0
    private var punctuationCount = 0
    private var open: [Container] = []

    init(_ document: JSONDocument) { self.document = document }

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
        // The entry of a name may belong to an earlier object, with the same bytes.
        if to > from, stands(text), start == next || text.repeats(start, at: next, length: length) {
            to = next &+ length
            (punctuation, punctuationCount) = (0, 0)
        } else {
            flush(&output)
            (from, to) = (start, start &+ length)
        }
    }

    @inline(__always)
    private mutating func punctuate(_ byte: Unicode.Scalar, _ output: inout [UInt8]) {
        if punctuationCount == 8 { flush(&output) }
        punctuation |= UInt64(byte.value) &<< UInt64(truncatingIfNeeded: 8 &* punctuationCount)
        punctuationCount &+= 1
    }

    @inline(__always)
    private func stands(_ text: JSONSource) -> Bool {
        // Past the end of the text there is NUL, which is not punctuation.
        let others = UInt64(truncatingIfNeeded: 64 &- 8 &* punctuationCount)
        return punctuationCount == 0 || (text.word(to) ^ punctuation) &<< others == 0
    }

    /// Writes the pending range and the punctuation after it.
    private mutating func flush(_ output: inout [UInt8]) {
        if to > from { output.append(contentsOf: document.bytes[from..<to]) }
        for _ in 0..<punctuationCount {
            output.append(UInt8(truncatingIfNeeded: punctuation))
            punctuation &>>= 8
        }
        (from, to, punctuationCount) = (0, 0, 0)
    }
}
