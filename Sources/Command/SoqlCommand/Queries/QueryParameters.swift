// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck
import SOQLSyntax

/// The values of `:name` in queries, which are bound and never pasted into the text.
///
/// A value is `name=text` or `name:kind=value` (``ParameterValue/Kind``). The kind is never guessed from the value, so
/// `name=$ANYTHING` in a script is always a string.
struct QueryParameters: Sendable {
    private(set) var values: [String: ParameterValue] = [:]

    init() {}

    /// Parses the values of `--param`, whose names must be different.
    init(_ words: [String]) throws(UsageError) {
        for word in words {
            let parts = word.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0].prefix(before: ":"))
            guard values[name] == nil else { throw UsageError("parameter '\(name)' is given twice") }
            guard parts.count == 2 || word == "\(name):null" else {
                throw UsageError("'\(word)' is not a parameter; use name=value or name:kind=value")
            }
            try set(String(parts[0]), to: parts.count == 2 ? String(parts[1]) : "")
        }
    }

    var names: [String] { values.keys.sorted() }

    /// Sets or changes a parameter by its name or by `name:kind`, where `@FILE` is a list with a value on each line.
    mutating func set(_ target: String, to text: String) throws(UsageError) {
        let parts = target.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard SOQLVariable.all(in: ":\(name)").map(\.name) == [name], !name.hasBytes(".")
        else { throw UsageError("invalid parameter name '\(name)'; use a letter, then letters, digits and _") }
        let word = parts.count == 2 ? parts[1] : ParameterValue.Kind.text.rawValue
        guard let kind = ParameterValue.Kind(rawValue: word) else {
            let known = ParameterValue.Kind.allCases.map(\.rawValue)
            let kinds = known.joined(separator: ", ")
            throw UsageError("unknown kind of parameter '\(word)'; use \(kinds)", near: word, known)
        }
        values[name] = try ParameterValue(text, as: kind, of: name)
    }

    /// Removes a parameter, and returns whether it existed.
    @discardableResult
    mutating func remove(_ name: String) -> Bool { values.removeValue(forKey: name) != nil }

    /// Rejects parameters that no query uses, because they are probably typing errors.
    func checkUse(in texts: [String]) throws(UsageError) {
        guard !values.isEmpty else { return }
        let used = Set(texts.flatMap { SOQLVariable.all(in: $0).map(\.name) })
        guard let unused = names.first(where: { !used.contains($0) }) else { return }
        throw UsageError("no query uses parameter '\(unused)'", near: unused, used.subtracting(names).sorted())
    }
}

/// The value of a parameter: a SOQL literal, or a list of literals.
enum ParameterValue: Equatable, Sendable {
    case one(SOQLLiteral)
    case list([SOQLLiteral])

    /// The kind of a value, written after the parameter's name: `--param since:date=2026-01-31`.
    enum Kind: String, CaseIterable {
        case text, number, boolean, date, datetime, time, null
        /// Lists of strings and of other values.
        case list, numbers, dates, datetimes

        /// The kind of each value of a list, or `nil` if the kind is not a list.
        fileprivate var element: Kind? {
            switch self {
            case .list: .text
            case .numbers: .number
            case .dates: .date
            case .datetimes: .datetime
            default: nil
            }
        }

        fileprivate var example: String {
            switch self {
            case .text, .list: "a string"
            case .number, .numbers: "a number such as 12.5"
            case .boolean: "true or false"
            case .date, .dates: "a day such as 2026-01-31, or a date formula such as LAST_N_DAYS:30"
            case .datetime, .datetimes: "a date and time such as 2026-01-31T12:00:00Z"
            case .time: "a time such as 12:30:00Z"
            case .null: "no value after the ="
            }
        }
    }

    /// Parses the value of the parameter `name`, where a list is separated by commas or read from a file given as
    /// `@FILE`.
    init(_ text: String, as kind: Kind, of name: String) throws(UsageError) {
        guard let element = kind.element else {
            self = .one(try Self.literal(text, kind, name))
            return
        }
        let texts =
            if let file = text.removing(prefix: "@") { try Self.lines(of: String(file)) } else { Self.items(text) }
        guard !texts.isEmpty else { throw UsageError("the list of parameter '\(name)' is empty") }
        self = .list(try texts.map { text throws(UsageError) in try Self.literal(text, element, name) })
    }

    private static func literal(_ text: String, _ kind: Kind, _ name: String) throws(UsageError) -> SOQLLiteral {
        if kind == .text { return .string(text) }
        if kind == .null, text.isEmpty { return .null }
        guard let literal = SOQLLiteral(parsing: text), kind.takes(literal) else {
            throw UsageError("parameter '\(name)' takes \(kind.example), not '\(text)'")
        }
        return literal
    }

    private static func items(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(byte: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func lines(of file: String) throws(UsageError) -> [String] {
        let text = try StandardInput.read(file: file, most: 16 << 20)
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        return scalars.split { $0 == "\n" || $0 == "\r" }.map { String(String.UnicodeScalarView($0)) }
    }
}

extension ParameterValue.Kind {
    fileprivate func takes(_ literal: SOQLLiteral) -> Bool {
        switch (self, literal) {
        case (.number, .number), (.boolean, .boolean), (.date, .date), (.date, .formula), (.datetime, .dateTime),
            (.time, .time):
            true
        default: false
        }
    }
}

/// A query with bound parameters, which can convert positions back to the text as written.
struct BoundQuery: Sendable {
    /// A part of the bound text, with its start there and in the text as written, in UTF-8 bytes.
    private struct Chunk {
        let start: Int, source: Int
        let isValue: Bool
    }

    let soql: SOQL
    private let written: String
    private let chunks: [Chunk]

    /// Binds the values in a text, or throws if a name has no value or the value is not allowed at its position.
    init(_ text: String, _ parameters: QueryParameters) throws(UsageError) {
        written = text
        let variables = SOQLVariable.all(in: text)
        let bytes = Array(text.utf8)
        var (interpolation, end) = (SOQL.StringInterpolation(literalCapacity: bytes.count, interpolationCount: 0), 0)
        var chunks = [Chunk(start: 0, source: 0, isValue: false)]
        func begin(_ source: Int, isValue: Bool) {
            let length = SOQL(stringInterpolation: interpolation).text.utf8.count
            chunks.append(Chunk(start: length, source: source, isValue: isValue))
        }
        func chunk(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        for variable in variables {
            interpolation.appendLiteral(chunk(end..<variable.range.lowerBound))
            begin(variable.range.lowerBound, isValue: true)
            guard let value = parameters.values[variable.name] else { throw Self.missing(variable, parameters) }
            switch value {
            case .one(let literal): interpolation.appendInterpolation(Bound(soqlLiteral: literal))
            case .list(let literals): interpolation.appendInterpolation(literals.map(Bound.init))
            }
            end = variable.range.upperBound
            begin(end, isValue: false)
        }
        interpolation.appendLiteral(chunk(end..<bytes.count))
        (soql, self.chunks) = (SOQL(stringInterpolation: interpolation), chunks)
        if let (number, reason) = soql.refused { throw Self.refused(variables[number - 1], reason) }
    }

    /// Converts a position in the bound text to the position in the text as written, or returns `nil` if it does not
    /// exist.
    func place(line: Int, column: Int) -> (line: Int, column: Int)? {
        guard let offset = soql.text.offset(line: line, column: column),
            let chunk = chunks.last(where: { $0.start <= offset })
        else { return nil }
        return written.place(ofOffset: chunk.isValue ? chunk.source : chunk.source + offset - chunk.start)
    }

    private struct Bound: SOQL.Bindable {
        let soqlLiteral: SOQLLiteral?
    }

    private static func missing(_ variable: SOQLVariable, _ parameters: QueryParameters) -> UsageError {
        let name = variable.name
        guard !name.hasBytes(".") else { return UsageError("invalid parameter ':\(name)'; names cannot contain '.'") }
        return UsageError("':\(name)' has no value; give --param \(name)=VALUE", near: name, parameters.names)
    }

    private static func refused(_ variable: SOQLVariable, _ reason: SOQLRejection) -> UsageError {
        let advice =
            switch reason {
            case .wantsList: "IN, INCLUDES and EXCLUDES take a list, such as --param \(variable.name):list=a,b"
            case .strayList: "a list is valid only after IN, INCLUDES and EXCLUDES"
            case .wantsCount: "it must be a whole number of 0 or more; use \(variable.name):number=N"
            case .wantsText: "LIKE takes a string"
            case .crowded: "it is next to other text; add a space before and after it"
            case .name, .quoted, .comment: "a value cannot replace a name or a keyword"
            case .strayPattern, .strayPrefix, .emptyList, .unwritable, .nothingToFind: reason.advice
            }
        let place = "line \(variable.position.line), column \(variable.position.column)"
        return UsageError("':\(variable.name)' at \(place) cannot be bound: \(advice)")
    }
}
