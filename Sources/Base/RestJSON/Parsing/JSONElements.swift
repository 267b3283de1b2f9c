// SPDX-License-Identifier: Apache-2.0

/// As many elements of an array as some bytes hold whole, for a text that arrives in chunks.
struct JSONElements {
    /// What has to come next.
    enum Next {
        /// An element, as there was a comma.
        case element
        /// A comma or the closing bracket.
        case delimiter
        /// Nothing: the array has ended.
        case nothing
    }

    /// The point up to which everything is complete.
    struct Checkpoint {
        /// The byte offset after the last complete element, and after its comma if that is there.
        var position: Int
        /// The entries of the tape that belong to complete elements.
        var entries = 1
        /// The number of complete elements.
        var count = 0
        var next = Next.element
    }

    /// The elements, as an array at tape index 0.
    let tape: [TapeEntry]
    let checkpoint: Checkpoint
    /// Why the parser stopped there: a fault, which may be only that the bytes end; nil when they ended in between.
    let failure: JSONFailure?

    /// Parses elements from an offset, the first of which is due there, and stops at the end of the array or the bytes.
    init(of bytes: [UInt8], from start: Int, maximumDepth: Int) {
        (tape, checkpoint, failure) = JSONParser.of(bytes, maximumDepth: maximumDepth) { parser in
            parser.position = parser.source.skipWhitespace(start)
            parser.checkpoint = Checkpoint(position: start)
            // Faults end the run and are kept by the parser, so nothing is thrown.
            var tape: [TapeEntry] = []
            try? parser.fill(&tape)
            return (tape, parser.checkpoint ?? Checkpoint(position: start), parser.elementFailure)
        }
    }

    /// Whether the failure can be no more than the end of the bytes.
    ///
    /// The parser looks ahead of a fault by two `\u` escapes at most, which is twelve bytes.
    func isMaybeCutShort(count: Int) -> Bool {
        failure.map { $0.offset > count - 13 && $0.code != .tooDeep && $0.code != .tooLong } ?? true
    }
}

extension JSONParser {
    /// Runs over elements until the bytes or the array end; a fault ends the run as well, after the last whole element.
    mutating func runElements(on tape: JSONTapeBuffer, used: inout Int) -> Bool {
        do throws(JSONFailure) {
            guard try run(on: tape, used: &used) else { return false }
        } catch {
            elementFailure = error
        }
        guard let checkpoint else { return true }
        let count = min(checkpoint.count, TapeEntry.maximumLength)
        tape.write(TapeEntry(.array, length: count, position: checkpoint.entries), at: 0)
        used = checkpoint.entries
        return true
    }

    /// Moves the checkpoint after an element, and decides whether the run is over.
    mutating func finishesAfterElement(
        _ at: inout Int, _ count: Int, on tape: JSONTapeBuffer, next: Int
    ) throws(JSONFailure) -> Bool {
        guard at < source.count else {
            // More digits may follow a number.
            if let first = checkpoint?.entries, !tape.read(first).isNumber {
                checkpoint = .init(position: at, entries: next, count: count, next: .delimiter)
            }
            return true
        }
        switch source.byte(at) {
        case UInt8(ascii: ","):
            at = source.skipWhitespace(at &+ 1)
            checkpoint = .init(position: at, entries: next, count: count, next: .element)
            return at >= source.count
        case UInt8(ascii: "]"):
            checkpoint = .init(position: at &+ 1, entries: next, count: count, next: .nothing)
            return true
        default:
            throw JSONFailure(code: .commaOrBracket, offset: at)
        }
    }
}
