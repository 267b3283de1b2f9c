// SPDX-License-Identifier: Apache-2.0

/// One word of a query.
struct Token {
    enum Kind: Hashable {
        /// A name or a dotted path of names.
        case name
        /// `USD5000.50`; without a fraction it looks like a name and is one here.
        case currency
        case string, integer, decimal, date, time, dateTime
        case comma, leftParenthesis, rightParenthesis, colon, plus, minus
        case comparison(SOQLOperator)
        /// A character that begins no word of the language.
        case unknown
        case end
    }

    let kind: Kind
    /// Its bytes in the text.
    let range: Range<Int>
    let position: SOQLPosition
}

extension UInt8 {
    var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isASCIILetter: Bool {
        let lower = self | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    var isSOQLBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
