// SPDX-License-Identifier: Apache-2.0

/// A document of the query language as a tree (October 2021, §2.2).
struct GraphQLDocument {
    struct Operation {
        /// `query`, `mutation` or `subscription`.
        let kind: String
        let name: String?
        let variables: [Variable]
        let selections: [Selection]
        let position: GraphQLProblem.Position
    }

    struct Variable {
        let name: String
        /// Whether its type ends with `!`, so that it must have a value.
        let isRequired: Bool
        let initial: Value?
        let position: GraphQLProblem.Position
    }

    struct Fragment {
        let type: String
        let selections: [Selection]
    }

    struct Directive {
        let name: String
        let arguments: [Argument]
        let position: GraphQLProblem.Position
    }

    struct Argument: Hashable {
        let name: String
        let value: Value
    }

    struct Field {
        let key: String
        let name: String
        let arguments: [Argument]
        let directives: [Directive]
        let selections: [Selection]
        let position: GraphQLProblem.Position
    }

    indirect enum Selection {
        case field(Field)
        case spread(String, [Directive], GraphQLProblem.Position)
        case inline(type: String?, [Directive], [Selection])
    }

    indirect enum Value: Hashable, Sendable {
        case variable(String, GraphQLProblem.Position)
        case int(String), float(String), string(String), boolean(Bool), null
        /// A name that is no string: `ASC`.
        case name(String)
        case list([Value])
        case object([Member])

        struct Member: Hashable, Sendable {
            let name: String
            let value: Value
        }
    }

    var operations: [Operation] = []
    var fragments: [String: Fragment] = [:]
}

/// Reads a document: operations and fragments.
struct GraphQLParser {
    private var lexer: GraphQLLexer
    private var token = GraphQLLexer.Token.end
    private var position = GraphQLProblem.Position()
    private var depth = 0

    /// The longest document, in bytes.
    static let maximumLength = 100_000
    /// How deeply selections and values may be nested.
    private static let maximumDepth = 50

    static func document(_ text: String) throws(GraphQLProblem) -> GraphQLDocument {
        guard text.utf8.count <= maximumLength else {
            throw .syntax("the document has more than \(maximumLength) bytes", .init())
        }
        var parser = GraphQLParser(lexer: GraphQLLexer(text))
        try parser.advance()
        return try parser.document()
    }

    private init(lexer: GraphQLLexer) {
        self.lexer = lexer
    }

    private mutating func advance() throws(GraphQLProblem) {
        (token, position) = try lexer.next()
    }

    private var unexpected: GraphQLProblem {
        .syntax(
            "offending token '\(token.text.prefix(40))' at line \(position.line) column \(position.column)", position)
    }

    private mutating func takes(_ sign: String) throws(GraphQLProblem) -> Bool {
        guard token == .sign(sign) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ sign: String) throws(GraphQLProblem) {
        guard try takes(sign) else { throw unexpected }
    }

    private mutating func name() throws(GraphQLProblem) -> String {
        guard case .name(let name) = token else { throw unexpected }
        try advance()
        return name
    }

    private mutating func nested<Result>(
        _ body: (inout GraphQLParser) throws(GraphQLProblem) -> Result
    ) throws(GraphQLProblem) -> Result {
        guard depth < Self.maximumDepth else { throw .syntax("nested too deeply", position) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func document() throws(GraphQLProblem) -> GraphQLDocument {
        var document = GraphQLDocument()
        while token != .end {
            let start = position
            guard token != .name("fragment") else {
                try advance()
                let name = try name()
                guard name != "on", try self.name() == "on" else {
                    throw .syntax("'on' must follow a fragment's name", start)
                }
                let type = try self.name()
                _ = try directives()
                let fragment = GraphQLDocument.Fragment(type: type, selections: try selections())
                guard document.fragments.updateValue(fragment, forKey: name) == nil else {
                    throw .validation("the fragment '\(name.prefix(60))' is there twice", start)
                }
                continue
            }
            document.operations.append(try operation())
        }
        return document
    }

    private mutating func operation() throws(GraphQLProblem) -> GraphQLDocument.Operation {
        let start = position
        guard token != .sign("{") else {
            return .init(kind: "query", name: nil, variables: [], selections: try selections(), position: start)
        }
        guard case .name(let kind) = token, ["query", "mutation", "subscription"].contains(kind) else {
            throw unexpected
        }
        try advance()
        var name: String?
        if case .name(let given) = token {
            name = given
            try advance()
        }
        var variables: [GraphQLDocument.Variable] = []
        if try takes("(") {
            while try !takes(")") { variables.append(try variable()) }
        }
        _ = try directives()
        return .init(kind: kind, name: name, variables: variables, selections: try selections(), position: start)
    }

    private mutating func variable() throws(GraphQLProblem) -> GraphQLDocument.Variable {
        let start = position
        try expect("$")
        let name = try name()
        try expect(":")
        let isRequired = try type()
        let initial = try takes("=") ? try value(isConstant: true) : nil
        _ = try directives()
        return .init(name: name, isRequired: isRequired, initial: initial, position: start)
    }

    /// Skips a type; whether a value must be there.
    private mutating func type() throws(GraphQLProblem) -> Bool {
        try nested { (parser) throws(GraphQLProblem) in
            if try parser.takes("[") {
                _ = try parser.type()
                try parser.expect("]")
            } else {
                _ = try parser.name()
            }
            return try parser.takes("!")
        }
    }

    private mutating func selections() throws(GraphQLProblem) -> [GraphQLDocument.Selection] {
        try nested { (parser) throws(GraphQLProblem) in
            try parser.expect("{")
            var selections: [GraphQLDocument.Selection] = []
            repeat { selections.append(try parser.selection()) } while try !parser.takes("}")
            return selections
        }
    }

    private mutating func selection() throws(GraphQLProblem) -> GraphQLDocument.Selection {
        let start = position
        guard try takes("...") else { return .field(try field()) }
        if case .name(let name) = token, name != "on" {
            try advance()
            return .spread(name, try directives(), start)
        }
        var type: String?
        if token == .name("on") {
            try advance()
            type = try name()
        }
        return .inline(type: type, try directives(), try selections())
    }

    private mutating func field() throws(GraphQLProblem) -> GraphQLDocument.Field {
        let start = position
        var name = try name()
        let key = name
        if try takes(":") { name = try self.name() }
        let arguments = try arguments()
        let directives = try directives()
        let selections = token == .sign("{") ? try selections() : []
        return .init(
            key: key, name: name, arguments: arguments, directives: directives, selections: selections, position: start)
    }

    private mutating func arguments() throws(GraphQLProblem) -> [GraphQLDocument.Argument] {
        var arguments: [GraphQLDocument.Argument] = []
        guard try takes("(") else { return [] }
        while try !takes(")") {
            let start = position
            let name = try name()
            try expect(":")
            guard !arguments.contains(where: { $0.name == name }) else {
                throw .validation("the argument '\(name.prefix(60))' is there twice", start)
            }
            arguments.append(.init(name: name, value: try value(isConstant: false)))
        }
        return arguments
    }

    private mutating func directives() throws(GraphQLProblem) -> [GraphQLDocument.Directive] {
        var directives: [GraphQLDocument.Directive] = []
        while token == .sign("@") {
            let start = position
            try advance()
            directives.append(.init(name: try name(), arguments: try arguments(), position: start))
        }
        return directives
    }

    private mutating func value(isConstant: Bool) throws(GraphQLProblem) -> GraphQLDocument.Value {
        try nested { (parser) throws(GraphQLProblem) in try parser.anyValue(isConstant) }
    }

    private mutating func anyValue(_ isConstant: Bool) throws(GraphQLProblem) -> GraphQLDocument.Value {
        let (start, first) = (position, token)
        try advance()
        switch first {
        case .int(let text): return .int(text)
        case .float(let text): return .float(text)
        case .string(let text): return .string(text)
        case .name("true"): return .boolean(true)
        case .name("false"): return .boolean(false)
        case .name("null"): return .null
        case .name(let name): return .name(name)
        case .sign("$") where !isConstant: return .variable(try name(), start)
        case .sign("["):
            var list: [GraphQLDocument.Value] = []
            while try !takes("]") { list.append(try value(isConstant: isConstant)) }
            return .list(list)
        case .sign("{"):
            var members: [GraphQLDocument.Value.Member] = []
            while try !takes("}") {
                let name = try name()
                try expect(":")
                members.append(.init(name: name, value: try value(isConstant: isConstant)))
            }
            return .object(members)
        default: throw .syntax("offending token '\(first.text.prefix(40))'", start)
        }
    }
}
