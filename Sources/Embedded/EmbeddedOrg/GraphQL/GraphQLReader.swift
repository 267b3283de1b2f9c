// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// A field in a document after variables, fragments and directives are resolved.
struct GraphQLField {
    let key: String
    let name: String
    /// The arguments that are not null, with strings for the values of enums.
    let arguments: [String: JSONValue]
    /// The type conditions of the field, or empty for every type.
    let types: Set<String>
    /// The offset in the document, in bytes.
    let offset: Int
    var children: [GraphQLField] = []

    /// Returns an object with the values of the field's children.
    func object(_ value: (GraphQLField) -> JSONValue) -> JSONValue {
        JSONValue(JSONObject(members: children.map { ($0.key, value($0)) }))
    }
}

/// Reads a document of the query language GraphQL (October 2021) as the fields of one operation.
///
/// A fragment is read again wherever it is spread, and variables are replaced immediately. So there is no syntax tree.
struct GraphQLReader {
    private enum Token: Equatable {
        case name(String)
        /// One of `! $ & ( ) ... : = @ [ ] { | }`.
        case sign(String)
        /// A number or a string, with the syntax of JSON.
        case scalar(JSONValue)
        case end
    }

    private let bytes: [UInt8]
    private var token = Token.end
    /// The offsets of the token and of the text after it.
    private var (start, index) = (0, 0)
    private var fragments: [String: Int] = [:]
    private var openFragments: Set<String> = []
    private var variables: [String: JSONValue] = [:]
    private var (depth, count) = (0, 0)
    /// The number of bytes read so far, including a fragment each time it is spread.
    private var work = 0

    private static let words: [String: JSONValue] = ["true": true, "false": false, "null": .null]
    private static let maximumLength = 100_000
    /// The maximum depth of selections and values, including fragments.
    private static let maximumDepth = 50
    /// The maximum number of fields of an operation, including those of a fragment each time it is spread.
    private static let maximumFields = 5_000
    /// The maximum number of bytes that are read, including fragments within fragments.
    private static let maximumWork = 20 * maximumLength

    /// Returns the fields of the operation with this name, or of the only operation.
    static func fields(
        of document: String, operation name: String?, variables: JSONObject
    ) throws(GraphQLProblem) -> [GraphQLField] {
        var reader = GraphQLReader(bytes: Array(document.utf8))
        guard reader.bytes.count <= maximumLength else {
            throw .syntax("the document has more than \(maximumLength) bytes", 0)
        }
        let fitting = try reader.operations().filter { name == nil || $0.name == name }
        guard fitting.count == 1 else {
            throw .validation(
                fitting.isEmpty
                    ? "there is no such operation" : "the document has several operations; specify operationName", nil)
        }
        return try reader.operation(at: fitting[0].offset, variables)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func operations() throws(GraphQLProblem) -> [(name: String?, offset: Int)] {
        var operations: [(name: String?, offset: Int)] = []
        try advance()
        while token != .end {
            let (offset, isFragment) = (start, token == .name("fragment"))
            var name: String?
            if token != .sign("{") {
                _ = try self.name()
                if case .name(let given) = token { name = given }
            }
            if !isFragment {
                operations.append((name, offset))
            } else {
                guard let name, name != "on", fragments.updateValue(offset, forKey: name) == nil else {
                    throw .validation("a fragment must have a name that no other fragment has", offset)
                }
            }
            try skipDefinition()
        }
        return operations
    }

    /// Skips the rest of a definition up to the end of its selections.
    private mutating func skipDefinition() throws(GraphQLProblem) {
        var nesting = 0
        var isEnd = false
        while !isEnd {
            switch token {
            case .sign("("), .sign("["), .sign("{"): nesting += 1
            case .sign(")"), .sign("]"), .sign("}"): nesting -= 1
            case .end: throw unexpected
            default: break
            }
            isEnd = nesting <= 0 && token == .sign("}")
            try advance()
        }
    }

    private mutating func operation(
        at offset: Int, _ given: JSONObject
    ) throws(GraphQLProblem) -> [GraphQLField] {
        try move(to: offset)
        if token != .sign("{") {
            guard try takes(.name("query")) else { throw .validation("the embedded org supports only queries", offset) }
            if case .name = token { try advance() }
            if try takes("(") {
                while try !takes(")") { try variable(given) }
            }
            _ = try directives()
        }
        var fields: [GraphQLField] = []
        try selections(into: &fields, types: [])
        return fields
    }

    private mutating func variable(_ given: JSONObject) throws(GraphQLProblem) {
        let offset = start
        try expect("$")
        let name = try name()
        try expect(":")
        // Only the `!` at the end of the type matters.
        while try takes("[") {}
        _ = try self.name()
        var isRequired = false
        while token == .sign("!") || token == .sign("]") {
            isRequired = token == .sign("!")
            try advance()
        }
        var value = given[name]
        if try takes("=") {
            let initial = try self.value()
            value = value ?? initial
        }
        _ = try directives()
        guard !isRequired || value?.isNull == false else {
            throw .validation("the variable '\(name)' must have a value", offset)
        }
        variables[name] = value ?? .null
    }

    private mutating func selections(
        into fields: inout [GraphQLField], types: Set<String>
    ) throws(GraphQLProblem) {
        guard depth < Self.maximumDepth else { throw .syntax("nested too deeply", start) }
        depth += 1
        defer { depth -= 1 }
        try expect("{")
        repeat {
            if try takes("...") {
                try spread(into: &fields, types: types)
            } else {
                try field(into: &fields, types: types)
            }
        } while try !takes("}")
    }

    /// Reads a field, and merges its children if it exists already.
    private mutating func field(into fields: inout [GraphQLField], types: Set<String>) throws(GraphQLProblem) {
        count += 1
        guard count <= Self.maximumFields else {
            throw .validation("the operation has more than \(Self.maximumFields) fields", start)
        }
        let offset = start
        let key = try name()
        let name = try takes(":") ? try self.name() : key
        let arguments = try arguments()
        guard try directives() else {
            var ignored: [GraphQLField] = []
            if token == .sign("{") { try selections(into: &ignored, types: []) }
            return
        }
        let position = fields.firstIndex { $0.key == key && $0.types == types } ?? fields.count
        if position == fields.count {
            fields.append(GraphQLField(key: key, name: name, arguments: arguments, types: types, offset: offset))
        }
        guard fields[position].name == name, fields[position].arguments == arguments else {
            throw .validation("'\(key.prefix(60))' is used for two different fields", offset)
        }
        if token == .sign("{") { try selections(into: &fields[position].children, types: []) }
    }

    /// Reads a spread after `...`: the name of a fragment, or selections with or without a type.
    private mutating func spread(into fields: inout [GraphQLField], types: Set<String>) throws(GraphQLProblem) {
        let offset = start
        guard case .name(let fragment) = token, fragment != "on" else {
            let types = try takes(.name("on")) ? types.union([try name()]) : types
            guard try !directives() else { return try selections(into: &fields, types: types) }
            var ignored: [GraphQLField] = []
            return try selections(into: &ignored, types: types)
        }
        try advance()
        guard try directives() else { return }
        guard let begin = fragments[fragment], openFragments.insert(fragment).inserted else {
            throw .validation("the fragment '\(fragment.prefix(60))' is missing, or spreads itself", offset)
        }
        let end = start
        try move(to: begin)
        for _ in 0..<2 { try advance() }
        guard try takes(.name("on")) else { throw .syntax("'on' must follow a fragment's name", begin) }
        let type = try name()
        _ = try directives()
        try selections(into: &fields, types: types.union([type]))
        openFragments.remove(fragment)
        try move(to: end)
    }

    private mutating func arguments() throws(GraphQLProblem) -> [String: JSONValue] {
        var arguments: [String: JSONValue] = [:]
        guard try takes("(") else { return [:] }
        while try !takes(")") {
            let offset = start
            let name = try name()
            try expect(":")
            guard arguments.updateValue(try value(), forKey: name) == nil else {
                throw .validation("the argument '\(name.prefix(60))' is repeated", offset)
            }
        }
        return arguments.filter { !$0.value.isNull }
    }

    /// Whether `@include` and `@skip` include the selection.
    private mutating func directives() throws(GraphQLProblem) -> Bool {
        var isIncluded = true
        while try takes("@") {
            let offset = start
            let name = try name()
            guard ["include", "skip"].contains(name), let condition = try arguments()["if"]?.bool else {
                throw .validation("'@\(name.prefix(60))' is unknown, or its 'if' is not a boolean", offset)
            }
            if condition != (name == "include") { isIncluded = false }
        }
        return isIncluded
    }

    private mutating func value() throws(GraphQLProblem) -> JSONValue {
        guard depth < Self.maximumDepth else { throw .syntax("nested too deeply", start) }
        depth += 1
        defer { depth -= 1 }
        switch token {
        case .scalar(let value):
            try advance()
            return value
        case .name(let name):
            try advance()
            return Self.words[name] ?? JSONValue(name)
        default: break
        }
        if try takes("$") {
            let offset = start
            let name = try name()
            guard let value = variables[name] else {
                throw .validation("the variable '\(name.prefix(60))' is not declared", offset)
            }
            return value
        }
        if try takes("[") {
            var list: [JSONValue] = []
            while try !takes("]") { list.append(try value()) }
            return JSONValue(JSONArray(list))
        }
        try expect("{")
        var members: [JSONObject.Element] = []
        while try !takes("}") {
            let name = try name()
            try expect(":")
            members.append((name, try value()))
        }
        return JSONValue(JSONObject(members: members))
    }

    private var unexpected: GraphQLProblem {
        let text = String(decoding: bytes[start..<min(index, start + 40)], as: UTF8.self)
        return .syntax("offending token '\(text.isEmpty ? "<EOF>" : text)'", start)
    }

    private mutating func takes(_ wanted: Token) throws(GraphQLProblem) -> Bool {
        guard token == wanted else { return false }
        try advance()
        return true
    }

    private mutating func takes(_ sign: String) throws(GraphQLProblem) -> Bool { try takes(.sign(sign)) }

    private mutating func expect(_ sign: String) throws(GraphQLProblem) {
        guard try takes(sign) else { throw unexpected }
    }

    private mutating func name() throws(GraphQLProblem) -> String {
        guard case .name(let name) = token else { throw unexpected }
        try advance()
        return name
    }

    private mutating func move(to offset: Int) throws(GraphQLProblem) {
        index = offset
        try advance()
    }

    private mutating func advance() throws(GraphQLProblem) {
        let begin = index
        defer { work += index - begin }
        guard work <= Self.maximumWork else {
            throw .validation("the operation is too long with its fragments", begin)
        }
        skipIgnored()
        start = index
        guard index < bytes.count else { return token = .end }
        switch bytes[index] {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "\""): token = .scalar(try scalar())
        case let byte where Self.isNameByte(byte):
            take(while: Self.isNameByte)
            token = .name(text)
        default:
            index += bytes[index...].starts(with: "...".utf8) ? 3 : 1
            guard text == "..." || "!$&():=@[]{|}".utf8.contains(bytes[start]) else { throw unexpected }
            token = .sign(text)
        }
    }

    private var text: String { String(decoding: bytes[start..<index], as: UTF8.self) }

    private mutating func scalar() throws(GraphQLProblem) -> JSONValue {
        if bytes[index] == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index = min(index + 1, bytes.count)
        } else {
            take { Self.isNameByte($0) || "+-.".utf8.contains($0) }
        }
        guard let value = try? JSONValue(parsing: text) else {
            throw .syntax("'\(text.prefix(40))' is not a number or a string", start)
        }
        return value
    }

    /// Skips whitespace, commas, a byte order mark and comments.
    private mutating func skipIgnored() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), 0xEF, 0xBB, 0xBF: index += 1
            case UInt8(ascii: "#"): take { $0 != 0x0A && $0 != 0x0D }
            default: return
            }
        }
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) {
        while index < bytes.count, isWanted(bytes[index]) { index += 1 }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }
}
