// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Gives everything its documentation, and checks the references in that of types, fields and routes.
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

    /// Documentation whose wrong references stay text, as the language does not check them there.
    mutating func looseDoc(_ syntax: DocSyntax?, in scope: Int) -> StoneDoc? {
        doc(syntax, DocContext(scope: scope, type: nil, isStrict: false))
    }

    /// The documentation of all files of a namespace.
    mutating func namespaceDoc(_ docs: [DocSyntax], in scope: Int) -> StoneDoc? {
        let docs = docs.compactMap { looseDoc($0, in: scope) }
        guard !docs.isEmpty else { return nil }
        return StoneDoc(
            raw: docs.map(\.raw).joined(separator: "\n"), text: docs.map(\.text).joined(separator: "\n"),
            tokens: Array(docs.map(\.tokens).joined(separator: [.text("\n")])))
    }

    private mutating func doc(_ syntax: DocSyntax?, _ context: DocContext) -> StoneDoc? {
        guard let syntax else { return nil }
        let text = DocText.unwrapped(syntax.raw)
        var cursor = syntax.mark.offset
        let tokens = DocText.pieces(text).map { piece -> StoneDocToken in
            guard case .reference(let tag, let value) = piece else { return .text(self.text(of: piece)) }
            let mark = place(of: tag, in: syntax, &cursor)
            switch token(tag, value, context) {
            case .token(let token): return token
            case .unknown: break
            case .fault(let message): if context.isStrict { fault(message, at: mark) }
            }
            return .text(self.text(of: piece))
        }
        return StoneDoc(raw: syntax.raw, text: text, tokens: tokens)
    }

    private func text(of piece: DocPiece) -> String {
        switch piece {
        case .text(let text): text
        case .reference(let tag, let value): ":\(tag):`\(value)`"
        }
    }

    /// Where in the file the next reference with this tag stands.
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
        // An escape stands in it. Nobody looks for it again, or for what follows: that would cost the square.
        cursor = doc.end
        return doc.mark
    }
}
