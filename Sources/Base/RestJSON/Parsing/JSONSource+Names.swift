// SPDX-License-Identifier: Apache-2.0

/// The scanner of names, which are mostly those of the object before.
///
/// A name that was scanned once is recognized by its bytes, quotes included: where the same bytes stand again, there is
/// the same name. Its entry of the tape is written again as it is, so equal entries are equal names.
extension JSONSource {
    /// A name with its colon; gives the offset of the value.
    ///
    /// The same name is expected so far back on the tape as `lag` says; zero is for nowhere.
    @inline(__always)
    func scanName(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, lag: inout Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        if lag > 0 {
            let model = tape.read(index &- lag)
            if let end = end(ofName: model, at: start) {
                tape.write(model, at: index)
                return skipWhitespace(end)
            }
        }
        return try scanOtherName(start, into: tape, at: index, lag: &lag, &stops)
    }

    /// The offset behind a name and its colon, if the bytes of a name that was scanned before stand there.
    @inline(__always)
    private func end(ofName model: TapeEntry, at start: Int) -> Int? {
        let length = model.length &+ 2
        guard model.has(.string), repeats(model.position &- 1, at: start, length: length),
            byte(start &+ length) == UInt8(ascii: ":")
        else { return nil }
        return start &+ length &+ 1
    }

    /// A name that is not where it was expected.
    ///
    /// Where a member has no value, the object before may have had one of several entries: behind it the names are the
    /// same again.
    @inline(never)
    private func scanOtherName(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, lag: inout Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        let skipped = tape.read(index &- lag &- 1)
        if lag > 0, skipped.isContainer, !tape.read(index &- 1).isContainer {
            lag = index &- skipped.position
            if lag > 0, case let model = tape.read(skipped.position), let end = end(ofName: model, at: start) {
                tape.write(model, at: index)
                return skipWhitespace(end)
            }
        }
        return try scanNewName(start, into: tape, at: index, &stops)
    }

    /// A name that was not expected.
    private func scanNewName(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        guard byte(start) == UInt8(ascii: "\"") else {
            throw JSONFailure(code: byte(start &- 1) == UInt8(ascii: "{") ? .keyOrBrace : .key, offset: start)
        }
        let end = skipWhitespace(try scanString(start, into: tape, at: index, &stops))
        guard byte(end) == UInt8(ascii: ":") else { throw JSONFailure(code: .colon, offset: end) }
        return skipWhitespace(end &+ 1)
    }
}
