// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// Examples, as many as there are; a faulty one is left out.
    mutating func parseExamples() throws(ParseFailure) -> [ExampleSyntax] {
        var examples: [ExampleSyntax] = []
        var lines: [String: Mark] = [:]
        while token.kind == .example {
            let level = token.level
            do throws(ParseFailure) {
                let example = try parseExample()
                if lines.updateValue(example.mark, forKey: example.label.text) != nil {
                    let message = "There is an example '\(example.label.text)' already; choose another label."
                    diagnostics.add(message, at: example.mark)
                } else {
                    examples.append(example)
                }
            } catch {
                recover(to: level)
                if token.level != level { break }
            }
        }
        return examples
    }

    private mutating func parseExample() throws(ParseFailure) -> ExampleSyntax {
        let start = mark
        advance()
        var example = ExampleSyntax(label: try name("the example's label, a name"), mark: start)
        try expect(.newline, "the end of the line")
        guard take(.indent) else { return example }
        example.doc = try parseDoc()
        var names: Set<String> = []
        repeat {
            let field = try parseExampleField()
            if !names.insert(field.name.text).inserted {
                let message = "The example '\(example.label.text)' gives the field '\(field.name.text)' twice."
                diagnostics.add(message, at: start)
            }
            example.fields.append(field)
        } while token.kind != .dedent && token.kind != .end
        try endBlock("fields of the example")
        return example
    }

    private mutating func parseExampleField() throws(ParseFailure) -> AssignmentSyntax {
        let name = try name("a field of the example: name = value")
        try expect(.equals, "'=' and a value")
        if take(.newline) {
            try expect(.indent, "a map on indented lines")
            guard token.kind == .leftBrace else { throw unexpected("a map in braces") }
            let map = try parseExampleValue()
            try expect(.newline, "the end of the line")
            try endBlock("one map")
            return AssignmentSyntax(name: name, value: map)
        }
        let value = try parseExampleValue()
        try expect(.newline, "the end of the line")
        return AssignmentSyntax(name: name, value: value)
    }

    private mutating func parseExampleValue() throws(ParseFailure) -> ValueSyntax {
        switch token.kind {
        case .leftBracket: try nested { parser throws(ParseFailure) in try parser.parseList() }
        case .leftBrace: try nested { parser throws(ParseFailure) in try parser.parseMap() }
        default: try parseLiteralOrName("a value, a list, a map or the label of an example")
        }
    }

    private mutating func parseList() throws(ParseFailure) -> ValueSyntax {
        let start = mark
        advance()
        var items: [ValueSyntax] = []
        if take(.rightBracket) { return ValueSyntax(kind: .list(items), mark: start) }
        repeat {
            if token.kind == .leftBrace { throw failure("A list in an example cannot hold a map.") }
            items.append(try parseExampleValue())
        } while take(.comma)
        try expect(.rightBracket, "',' or ']'")
        return ValueSyntax(kind: .list(items), mark: start)
    }

    private mutating func parseMap() throws(ParseFailure) -> ValueSyntax {
        let start = mark
        advance()
        if take(.rightBrace) { return ValueSyntax(kind: .map([]), mark: start) }
        let isIndented = take(.newline)
        if isIndented { try expect(.indent, "an indented pair: key: value") }
        var pairs: [ValueSyntax.Pair] = []
        repeat {
            if !pairs.isEmpty { _ = take(.newline) }
            let key = try parseExampleValue()
            try expect(.colon, "':' and a value")
            pairs.append(ValueSyntax.Pair(key: key, value: try parseExampleValue()))
        } while take(.comma)
        if isIndented {
            try expect(.newline, "',' or the end of the line")
            try endBlock("pairs")
        }
        try expect(.rightBrace, "',' or '}'")
        return ValueSyntax(kind: .map(pairs), mark: start)
    }
}
