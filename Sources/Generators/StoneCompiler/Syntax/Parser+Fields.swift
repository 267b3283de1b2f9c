// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// The rest of a body: fields, then examples, then its end.
    mutating func parseMembers() throws(ParseFailure) -> Members {
        let faults = diagnostics.count
        let fields = try parseFields()
        passExamples()
        if token.kind == .identifier {
            throw failure("A field cannot stand behind an example; move it up.")
        }
        try endBlock("fields, then examples,")
        return Members(fields: fields, isDamaged: diagnostics.count > faults)
    }

    struct Members {
        let fields: [FieldSyntax]
        let isDamaged: Bool
    }

    /// Examples are for people: nothing is made of them.
    private mutating func passExamples() {
        while token.kind == .example {
            let level = token.level
            advance()
            recover(to: level)
        }
    }

    /// Fields, as many as there are; a faulty one is left out.
    private mutating func parseFields() throws(ParseFailure) -> [FieldSyntax] {
        var fields: [FieldSyntax] = []
        while token.kind != .dedent, token.kind != .end, token.kind != .example {
            let start = position
            let level = token.kind == .indent ? token.level - 1 : token.level
            do throws(ParseFailure) {
                fields.append(try parseField())
            } catch {
                if position == start { advance() }
                recover(to: level)
                if token.level != level { break }
            }
        }
        return fields
    }

    private mutating func parseField() throws(ParseFailure) -> FieldSyntax {
        let name = try name("a field's name")
        if take(.newline) {
            var field = FieldSyntax(name: name, type: nil, defaultValue: nil)
            guard take(.indent) else { return field }
            field.annotations = try parseAnnotationReferences()
            field.doc = try parseDoc()
            try endBlock("annotations and one documentation text")
            return field
        }
        let type = try parseType()
        var field = FieldSyntax(name: name, type: type, defaultValue: try parseDefault())
        try expect(.newline, "the end of the line")
        guard take(.indent) else { return field }
        field.annotations = try parseAnnotationReferences()
        field.doc = try parseDoc()
        switch token.kind {
        case .structure, .union, .unionClosed: try parseInline(for: type)
        default: break
        }
        try endBlock("annotations, one documentation text and one definition")
        return field
    }

    private mutating func parseDefault() throws(ParseFailure) -> ValueSyntax? {
        guard take(.equals) else { return nil }
        return try parseLiteralOrName("a default: a value, or the name of a tag")
    }

    mutating func parseLiteralOrName(_ expected: String) throws(ParseFailure) -> ValueSyntax {
        let start = mark
        if let literal = try parseLiteral() { return ValueSyntax(kind: .literal(literal), mark: start) }
        return ValueSyntax(kind: .name(try name(expected).text), mark: start)
    }
}
