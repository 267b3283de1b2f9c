// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck
import SOQLSyntax

/// A query whose parameters have their values, and the way back from a place in it to the text as it was written.
struct BoundQuery: Sendable {
    /// A part of the bound text, by where it begins there and in the text as written, in UTF-8 bytes.
    private struct Piece {
        let start: Int, source: Int
        let isValue: Bool
    }

    let soql: SOQL
    private let written: String
    private let pieces: [Piece]

    /// Binds the values of a text.
    ///
    /// - Throws: ``UsageError`` for a name without a value, and for a value that cannot stand where its name stands.
    init(_ text: String, _ parameters: QueryParameters) throws(UsageError) {
        written = text
        let variables = try Self.variables(of: text, parameters)
        let bytes = Array(text.utf8)
        var (interpolation, end) = (SOQL.StringInterpolation(literalCapacity: bytes.count, interpolationCount: 0), 0)
        var pieces = [Piece(start: 0, source: 0, isValue: false)]
        func begin(_ source: Int, isValue: Bool) {
            let length = SOQL(stringInterpolation: interpolation).text.utf8.count
            pieces.append(Piece(start: length, source: source, isValue: isValue))
        }
        func piece(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        for variable in variables {
            interpolation.appendLiteral(piece(end..<variable.range.lowerBound))
            begin(variable.range.lowerBound, isValue: true)
            guard let value = parameters.values[variable.name] else { throw Self.missing(variable, parameters) }
            switch value {
            case .one(let literal): interpolation.appendInterpolation(Bound(soqlLiteral: literal))
            case .list(let literals): interpolation.appendInterpolation(literals.map(Bound.init))
            }
            end = variable.range.upperBound
            begin(end, isValue: false)
        }
        interpolation.appendLiteral(piece(end..<bytes.count))
        (soql, self.pieces) = (SOQL(stringInterpolation: interpolation), pieces)
        if let (number, reason) = soql.refused { throw Self.refused(variables[number - 1], reason) }
    }

    /// The place in the text as written of a place in the bound one; `nil` when there is none.
    func place(line: Int, column: Int) -> (line: Int, column: Int)? {
        guard let offset = soql.text.offset(line: line, column: column),
            let piece = pieces.last(where: { $0.start <= offset })
        else { return nil }
        return written.place(ofOffset: piece.isValue ? piece.source : piece.source + offset - piece.start)
    }

    private struct Bound: SOQL.Bindable {
        let soqlLiteral: SOQLLiteral?
    }

    /// The variables of a text; a text that is no query has none, so that the server tells what is wrong with it.
    private static func variables(
        of text: String, _ parameters: QueryParameters
    ) throws(UsageError) -> [SOQLVariable] {
        do throws(SOQLSyntaxError) {
            return try SOQLVariable.all(in: text)
        } catch {
            guard !parameters.values.isEmpty else { return [] }
            throw UsageError("the parameters cannot be found in the query: \(error.description)")
        }
    }

    private static func missing(_ variable: SOQLVariable, _ parameters: QueryParameters) -> UsageError {
        let name = variable.name
        guard !name.hasBytes(".") else { return UsageError("':\(name)' has a full stop; a parameter's name has none") }
        return UsageError(
            "':\(name)' has no value; give --param \(name)=VALUE", near: name, parameters.names)
    }

    private static func refused(_ variable: SOQLVariable, _ reason: SOQLRefusal) -> UsageError {
        let advice =
            switch reason {
            case .wantsList: "IN, INCLUDES and EXCLUDES take a list, such as --param \(variable.name):list=a,b"
            case .strayList: "it is a list, which stands only behind IN, INCLUDES and EXCLUDES"
            case .wantsCount: "a whole number of 0 or more is needed here; write \(variable.name):number=N"
            case .wantsText: "LIKE takes a text"
            case .crowded: "a value stands alone; put a blank before and behind it"
            case .name, .quoted, .comment: "a value cannot stand in the place of a name or a keyword"
            case .strayPattern, .strayPrefix, .emptyList, .unwritable, .nothingToFind: reason.advice
            }
        let place = "line \(variable.position.line), column \(variable.position.column)"
        return UsageError("':\(variable.name)' at \(place) cannot be bound: \(advice)")
    }
}
