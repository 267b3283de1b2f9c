// SPDX-License-Identifier: Apache-2.0

extension Parser {
    mutating func parseRoute() throws(ParseFailure) -> RouteSyntax {
        advance()
        let name = try routeName()
        let version = try parseVersion()
        try expect(.leftParenthesis, "'(' and the types of argument, result and error")
        let argument = try parseType()
        try expect(.comma, "',' and the type of the result")
        let result = try parseType()
        let error = take(.comma) ? try parseType() : nil
        try expect(.rightParenthesis, "')'")
        let deprecation = try parseDeprecation()
        try expect(.newline, "the end of the line")
        var route = RouteSyntax(
            name: name, version: version, argument: argument, result: result, error: error, deprecation: deprecation)
        guard take(.indent) else { return route }
        route.doc = try parseDoc()
        route.attributes = try parseAttributes()
        try endBlock("one documentation text and the attributes")
        return route
    }

    /// A name, perhaps with a path behind it.
    private mutating func routeName() throws(ParseFailure) -> NameSyntax {
        let first = try name("the route's name")
        guard token.kind == .path else { return first }
        let path = text.written(token)
        advance()
        return NameSyntax(text: first.text + path, mark: first.mark)
    }

    private mutating func parseVersion() throws(ParseFailure) -> Int {
        guard take(.colon) else { return 1 }
        guard token.kind == .integer else { throw unexpected("a version, a whole number from 1") }
        let number = text.integer(token).flatMap { Int32(exactly: $0) }.map(Int.init)
        if number ?? 0 < 1 {
            diagnostics.add("A version must be a whole number from 1 to \(Int32.max).", at: mark)
        }
        advance()
        return max(1, number ?? 1)
    }

    private mutating func parseDeprecation() throws(ParseFailure) -> DeprecationSyntax? {
        guard take(.deprecated) else { return nil }
        guard take(.by) else { return DeprecationSyntax(successor: nil, version: 1) }
        let successor = try routeName()
        return DeprecationSyntax(successor: successor, version: try parseVersion())
    }

    private mutating func parseAttributes() throws(ParseFailure) -> [AssignmentSyntax] {
        guard take(.attrs) else { return [] }
        try expect(.newline, "the end of the line")
        try expect(.indent, "an indented attribute: name = value")
        var attributes: [AssignmentSyntax] = []
        var names: Set<String> = []
        repeat {
            let name = try name("the name of an attribute")
            try expect(.equals, "'=' and a value")
            attributes.append(AssignmentSyntax(name: name, value: try parseLiteralOrName("a value or a tag's name")))
            try expect(.newline, "the end of the line")
            if !names.insert(name.text).inserted {
                diagnostics.add("The attribute '\(name.text)' is given twice; remove one.", at: name.mark)
            }
        } while token.kind == .identifier
        try endBlock("attributes")
        return attributes
    }
}
