// SPDX-License-Identifier: Apache-2.0

import RestText
import StoneCore
import SwiftSource

/// Documentation comments: the specs' own text with its references as Swift names, or a line made of a name.
struct SwiftDocs {
    let plan: SwiftPlan

    /// The paragraphs about something.
    ///
    /// - Parameters:
    ///   - doc: what the spec says; `nil` for nothing.
    ///   - fallback: a line made of the name.
    ///   - notes: what is said in any case, each a paragraph.
    /// - Returns: the paragraphs, at least one.
    func paragraphs(_ doc: StoneDoc?, _ fallback: String, notes: [String] = []) -> [String] {
        guard plan.options.docs == .full, let doc, !doc.text.isEmpty else { return [fallback] + notes }
        return summarized(text(doc)) + notes
    }

    /// The text with its references in Swift.
    private func text(_ doc: StoneDoc) -> String {
        doc.tokens.map(token).joined()
    }

    /// The first sentence is a paragraph of its own, as tools want it.
    private func summarized(_ text: String) -> [String] {
        text.split(byte: "\n").map { paragraph in
            paragraph.split(byte: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }
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
