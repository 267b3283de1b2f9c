// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// A query whose `:name` variables are replaced by literals that fit anywhere, and the way back to it.
struct StandIns: Sendable {
    /// What stands for one variable.
    struct StandIn: Sendable {
        let variable: SOQLVariable
        let place: VariablePlace
        /// Where it begins in the new text, in UTF-8 bytes.
        let start: Int
        /// How many scalars and bytes the variable is longer than what stands for it.
        fileprivate let scalars: Int, bytes: Int

        /// Where its literal begins in the new text, behind the parenthesis of a list.
        var literalStart: Int { place.isWholeList ? start + 1 : start }
        fileprivate var end: Int { start + place.standIn.utf8.count }
    }

    let text: String
    let all: [StandIn]

    /// - Throws: what is no word of the language.
    init(_ text: String) throws(SOQLSyntaxError) {
        let bytes = Array(text.utf8)
        var (result, end, all) = ([UInt8](), 0, [StandIn]())
        var reader = VariablePlace.Reader()
        for variable in try SOQLVariable.all(in: text) {
            let before = bytes[end..<variable.range.lowerBound]
            reader.pass(before)
            result += before
            let (place, start) = (reader.place, result.count)
            result += place.standIn.utf8
            reader.pass(place.standIn.utf8)
            let length = String(decoding: bytes[variable.range], as: UTF8.self).unicodeScalars.count
            all.append(
                StandIn(
                    variable: variable, place: place, start: start, scalars: length - place.standIn.utf8.count,
                    bytes: variable.range.count - place.standIn.utf8.count))
            end = variable.range.upperBound
        }
        self.text = String(decoding: result + bytes[end...], as: UTF8.self)
        self.all = all
    }

    /// A finding of the new text where it is in the text as written.
    func finding(_ finding: Finding) -> Finding {
        var position = finding.position
        for standIn in all where standIn.end <= finding.position.offset {
            position.offset += standIn.bytes
            if standIn.variable.position.line == position.line { position.column += standIn.scalars }
        }
        return Finding(
            rule: finding.rule, message: finding.message, position: position, length: finding.length,
            suggestions: finding.suggestions)
    }
}
