// SPDX-License-Identifier: Apache-2.0

/// The place of a value in a query's text: `:name`, or the name behind a formula's colon, as in `LAST_N_DAYS:name`.
package struct SOQLVariable: Sendable, Hashable {
    /// The name, without its colon.
    package let name: String
    /// What the value replaces, in UTF-8 bytes of the text.
    package let range: Range<Int>
    /// Where it begins.
    package let position: SOQLPosition

    /// The variables of a text in their order; what stands in quotes, in a date or in a time is none.
    ///
    /// - Throws: ``SOQLSyntaxError`` when a part of the text is no word of the language.
    package static func all(in text: String) throws(SOQLSyntaxError) -> [SOQLVariable] {
        var lexer = Lexer(text)
        var variables: [SOQLVariable] = []
        var (colon, isCount): (Token?, Bool) = (nil, false)
        var isBehindFormula = false
        while case let token = try lexer.next(), token.kind != .end {
            if token.kind == .name, let colon, colon.range.upperBound == token.range.lowerBound {
                let start = isCount ? token : colon
                variables.append(
                    SOQLVariable(
                        name: lexer.text(token.range), range: start.range.lowerBound..<token.range.upperBound,
                        position: start.position))
            }
            (colon, isCount) = token.kind == .colon ? (token, isBehindFormula) : (nil, false)
            isBehindFormula =
                token.kind == .name && SOQLDateFormula.needsNumber(name: lexer.text(token.range)) == true
        }
        return variables
    }
}
