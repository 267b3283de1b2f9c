// SPDX-License-Identifier: Apache-2.0

import RestText
import SwiftSource

/// Documentation comments: the specs' own text with its references as Swift names.
struct SwiftDocs {
    let plan: SwiftPlan

    /// The paragraphs about something.
    ///
    /// - Parameters:
    ///   - doc: what the spec says; `nil` for nothing.
    ///   - fallback: what is said instead of nothing; `nil` for no comment.
    ///   - notes: what is said in any case, each a paragraph.
    /// - Returns: the paragraphs, perhaps none.
    func paragraphs(_ doc: StoneDoc?, or fallback: String? = nil, notes: [String] = []) -> [String] {
        let isWanted = plan.options.docs == .full
        let paragraphs = isWanted ? doc.map { Documentation.paragraphs($0.tokens.map(token).joined()) } ?? [] : []
        return (paragraphs.isEmpty ? [fallback].compactMap(\.self) : paragraphs) + notes
    }

    private func token(_ token: StoneDocToken) -> String {
        switch token {
        case .text(let text): text
        case .type(let declaration): "`\(plan.name(plan.api.resolved(declaration)))`"
        case .field(let declaration, let name, let isLocal): field(plan.api.resolved(declaration), name, isLocal)
        case .route(let id):
            "`\(plan.names[namespace: plan.api[id].namespace]).\(plan.names[route: id])`"
        case .link(let title, let address): "[\(title)](\(address))"
        case .value(let value): value == "null" ? "`nil`" : "`\(value)`"
        }
    }

    private func field(_ declaration: StoneDeclaration, _ name: String, _ isLocal: Bool) -> String {
        let member =
            switch declaration {
            case .structure(let id):
                plan.members.fields(of: id).names[name] ?? SwiftWords(name).lower
            case .union(let id): plan.members.tags(of: id).names[name] ?? SwiftWords(name).lower
            case .alias: SwiftWords(name).lower
            }
        return isLocal ? "`\(member)`" : "`\(plan.name(declaration)).\(member)`"
    }
}

extension StoneAPI {
    /// What an alias of a struct or union stands for.
    fileprivate func resolved(_ declaration: StoneDeclaration) -> StoneDeclaration {
        guard case .alias(let id) = declaration else { return declaration }
        return self.declaration(of: self[id].type) ?? declaration
    }
}
