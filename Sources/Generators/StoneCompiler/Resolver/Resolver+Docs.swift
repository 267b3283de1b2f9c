// SPDX-License-Identifier: Apache-2.0

import RestBase

extension Resolver {
    /// Resolves all documentation, and checks the references in the documentation of types, fields and routes.
    mutating func resolveDocs() {
        for index in structs.indices { resolveDocs(of: StructID(index: index)) }
        for index in unions.indices { resolveDocs(of: UnionID(index: index)) }
        for index in routes.indices {
            let context = DocContext(scope: routes[index].scope, type: nil)
            api.routes[index].doc = doc(routes[index].syntax.doc, context)
        }
        for index in aliases.indices {
            api.aliases[index].doc = looseDoc(aliases[index].syntax.doc, in: aliases[index].scope)
        }
    }

    private mutating func resolveDocs(of id: StructID) {
        let written = structs[id.index]
        let isSchema = scopes[written.scope].name == Self.schemaNamespace
        let context = DocContext(scope: written.scope, type: .structure(id), isStrict: !isSchema)
        api.structs[id.index].doc = doc(written.syntax.doc, context)
        for (place, field) in written.syntax.fields.enumerated() {
            api.structs[id.index].fields[place].doc = doc(field.doc, context)
        }
    }

    private mutating func resolveDocs(of id: UnionID) {
        let written = unions[id.index]
        let context = DocContext(scope: written.scope, type: .union(id))
        api.unions[id.index].doc = doc(written.syntax.doc, context)
        for (place, tag) in written.syntax.tags.enumerated() {
            api.unions[id.index].tags[place].doc = doc(tag.doc, context)
        }
    }

    /// Resolves documentation in which Stone does not check references, so that invalid references remain text.
    mutating func looseDoc(_ syntax: DocSyntax?, in scope: Int) -> StoneDoc? {
        doc(syntax, DocContext(scope: scope, type: nil, isStrict: false))
    }

    /// Combines the documentation of all files of a namespace.
    mutating func namespaceDoc(_ docs: [DocSyntax], in scope: Int) -> StoneDoc? {
        let docs = docs.compactMap { looseDoc($0, in: scope) }
        guard !docs.isEmpty else { return nil }
        return StoneDoc(
            text: docs.map(\.text).joined(separator: "\n"),
            tokens: Array(docs.map(\.tokens).joined(separator: [.text("\n")])))
    }

    private mutating func doc(_ syntax: DocSyntax?, _ context: DocContext) -> StoneDoc? {
        guard let syntax else { return nil }
        let text = DocText.unwrapped(syntax.raw)
        var cursor = syntax.mark.offset
        let tokens = DocText.chunks(text).map { chunk -> StoneDocToken in
            guard case .reference(let tag, let value) = chunk else { return .text(self.text(of: chunk)) }
            let mark = place(of: tag, in: syntax, &cursor)
            switch token(tag, value, context) {
            case .token(let token): return token
            case .fault(let message): if context.isStrict { fault(message, at: mark) }
            }
            return .text(self.text(of: chunk))
        }
        return StoneDoc(text: text, tokens: tokens)
    }

    private func text(of chunk: DocChunk) -> String {
        switch chunk {
        case .text(let text): text
        case .reference(let tag, let value): ":\(tag):`\(value)`"
        }
    }

    /// Returns the position in the file of the next reference with this tag.
    private func place(of tag: String, in doc: DocSyntax, _ cursor: inout Int) -> Mark {
        let wanted = Array(":\(tag):`".utf8)
        let bytes = files[doc.mark.file].source.bytes
        var offset = cursor
        while offset + wanted.count <= doc.end {
            if bytes[offset] == wanted[0], bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
                cursor = offset + 1
                return Mark(file: doc.mark.file, offset: offset)
            }
            offset += 1
        }
        // The reference contains an escape. It and later ones get the mark of the whole text, as searches cost O(n²).
        cursor = doc.end
        return doc.mark
    }
}

struct DocContext {
    let scope: Int
    /// The struct or union that the documentation belongs to.
    let type: StoneDeclaration?
    /// Whether invalid references are errors.
    var isStrict = true
}

/// The result of resolving a reference.
enum DocFinding {
    case token(StoneDocToken)
    case fault(String)
}

extension Resolver {
    mutating func token(_ tag: String, _ value: String, _ context: DocContext) -> DocFinding {
        switch tag {
        case "type": type(value, context)
        case "field": field(value, context)
        case "route": route(value, context)
        case "link": link(value)
        case "val":
            DocText.isLiteral(value)
                ? .token(.value(value))
                : .fault("'\(value)' is not a literal; write a number, a quoted string, true, false or null")
        default: .fault("unknown reference ':\(tag):'; use type, field, route, link or val")
        }
    }

    private func link(_ value: String) -> DocFinding {
        guard let (title, address) = value.cut(lastByte: " "), title.utf8.count > 1, !address.isEmpty else {
            return .fault("'\(value)' is not a link; write a title, a space and a URL")
        }
        return .token(.link(title: String(title), address: String(address)))
    }

    private func type(_ value: String, _ context: DocContext) -> DocFinding {
        guard let (scope, name) = home(of: value, context) else { return .fault(unknownNamespace(value)) }
        switch scopes[scope].symbols[name]?.kind {
        case .structure(let id): return .token(.type(.structure(id)))
        case .union(let id): return .token(.type(.union(id)))
        case nil: return .fault("unknown type '\(value)'; correct the name")
        default: return .fault("'\(value)' is neither a struct nor a union; refer to one of these")
        }
    }

    private func route(_ value: String, _ context: DocContext) -> DocFinding {
        guard let (scope, text) = home(of: value, context) else { return .fault(unknownNamespace(value)) }
        let parts = text.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let version = parts.count > 1 ? Int(parts[1]) : 1
        switch scopes[scope].symbols[name]?.kind {
        case .route(let versions):
            if let version, let id = versions[version] { return .token(.route(id)) }
            return .fault("the route '\(name)' has no version \(parts.count > 1 ? String(parts[1]) : "1")")
        case nil: return .fault("unknown route '\(value)'; correct the name")
        default: return .fault("'\(value)' is not a route")
        }
    }

    private mutating func field(_ value: String, _ context: DocContext) -> DocFinding {
        let parts = value.split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 1 {
            guard let type = context.type else { return .fault("the reference needs a type; write Type.\(value)") }
            return field(value, of: type, isLocal: true)
        }
        var scope = context.scope
        var name = parts[0]
        if parts.count == 3, scopes[scope].symbols[name] == nil {
            guard let other = scopes[scope].imports[name] else { return .fault(unknownNamespace(value)) }
            scope = other
            name = parts[1]
        } else if parts.count > 2 {
            return .fault("invalid reference to a field; write field, Type.field or namespace.Type.field")
        }
        switch scopes[scope].symbols[name]?.kind {
        case .structure(let id): return field(parts[parts.count - 1], of: .structure(id), isLocal: false)
        case .union(let id): return field(parts[parts.count - 1], of: .union(id), isLocal: false)
        case .alias(let id):
            guard let type = api.declaration(of: .alias(id)) else { return .fault("'\(name)' has no fields") }
            return field(parts[parts.count - 1], of: type, isLocal: false)
        case nil: return .fault("unknown type '\(name)'; correct the name")
        default: return .fault("'\(name)' is neither a struct nor a union, so it has no fields")
        }
    }

    private mutating func field(_ name: String, of type: StoneDeclaration, isLocal: Bool) -> DocFinding {
        let isFound: Bool
        switch type {
        case .structure(let id): isFound = members.hasField(name, in: id, of: api)
        case .union(let id): isFound = members.tag(name, of: id, in: api) != nil
        case .alias: isFound = false
        }
        if isFound { return .token(.field(type, name: name, isLocal: isLocal)) }
        return .fault("'\(api.name(of: type).name)' has no field '\(name)'; correct the name")
    }

    /// Resolves a qualified or plain name, or returns `nil` if the namespace is not imported.
    private func home(of value: String, _ context: DocContext) -> (scope: Int, name: String)? {
        guard let (namespace, name) = value.cut(byte: ".") else { return (context.scope, value) }
        return scopes[context.scope].imports[String(namespace)].map { ($0, String(name)) }
    }

    private func unknownNamespace(_ value: String) -> String {
        "the namespace of '\(value)' is not imported; add an import or correct the name"
    }
}

enum DocText {
    /// Returns the text without trailing whitespace in its lines.
    static func trimmingLines(_ text: String) -> String {
        text.split(byte: "\n", omittingEmptySubsequences: false).map { line in
            let last = line.utf8.lastIndex { !isBlank($0) }
            return line[..<(last.map(line.utf8.index(after:)) ?? line.startIndex)]
        }.joined(separator: "\n")
    }

    /// Joins the lines of each paragraph: a single line feed becomes a space, and one of several is dropped.
    static func unwrapped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var feeds = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n") {
                feeds += 1
            } else {
                if feeds == 1 { result.append(UInt8(ascii: " ")) }
                if feeds > 1 { result.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: feeds - 1)) }
                feeds = 0
                result.append(byte)
            }
        }
        let start = result.firstIndex { !isBlank($0) } ?? result.count
        let end = result.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: result[start..<end], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}

/// A part of documentation as written: text, or a tag with the value in its backquotes.
enum DocChunk: Equatable {
    case text(String)
    case reference(tag: String, value: String)
}

extension DocText {
    /// Splits the text at references of the form `:tag:` with a value in backquotes.
    static func chunks(_ text: String) -> [DocChunk] {
        let bytes = Array(text.utf8)
        var chunks: [DocChunk] = []
        var start = 0
        var offset = 0
        while let colon = bytes[offset...].firstIndex(of: UInt8(ascii: ":")) {
            offset = colon + 1
            guard let (tag, value) = reference(in: bytes, at: colon) else { continue }
            if colon > start { chunks.append(.text(String(decoding: bytes[start..<colon], as: UTF8.self))) }
            chunks.append(
                .reference(
                    tag: String(decoding: bytes[tag], as: UTF8.self),
                    value: String(decoding: bytes[value], as: UTF8.self)))
            start = value.upperBound + 1
            offset = start
        }
        if start < bytes.count { chunks.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
        return chunks
    }

    /// Returns the ranges of the tag and the value of the reference that begins with this colon.
    private static func reference(in bytes: [UInt8], at colon: Int) -> (tag: Range<Int>, value: Range<Int>)? {
        var end = colon + 1
        while end < bytes.count, bytes[end] >= UInt8(ascii: "A"), bytes[end] <= UInt8(ascii: "z") { end += 1 }
        guard end > colon + 1, end + 1 < bytes.count, bytes[end] == UInt8(ascii: ":") else { return nil }
        guard bytes[end + 1] == UInt8(ascii: "`") else { return nil }
        let start = end + 2
        let close = bytes[start...].firstIndex { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }
        guard let close, bytes[close] == UInt8(ascii: "`") else { return nil }
        return (colon + 1..<end, start..<close)
    }

    /// Returns whether a string is a valid literal for `:val:`.
    static func isLiteral(_ text: String) -> Bool {
        var lexer = Lexer(StoneSource(path: "", text: text), file: 0)
        // The string of a reference has no escapes.
        guard let token = lexer.lex().first, lexer.diagnostics.count == 0, token.start == 0,
            token.end == text.utf8.count, !text.hasBytes("\\")
        else { return false }
        return [.yes, .no, .null, .integer, .float, .string].contains(token.kind)
    }
}
