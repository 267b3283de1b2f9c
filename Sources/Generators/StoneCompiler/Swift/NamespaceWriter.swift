// SPDX-License-Identifier: Apache-2.0

import RestBase
import SwiftSource

/// Writes the files of a namespace: the namespace with its aliases, its types, their rules, and its routes.
struct NamespaceWriter {
    private let plan: SwiftPlan
    private let namespace: StoneNamespace
    private let checks: CheckWriter
    private let name: String
    private let docs: SwiftDocs

    init(_ plan: SwiftPlan, _ namespace: StoneNamespace, _ checks: CheckWriter) {
        self.plan = plan
        self.namespace = namespace
        self.checks = checks
        name = plan.names[namespace: namespace.name]
        docs = SwiftDocs(plan: plan)
    }

    var files: [SwiftFile] {
        var files = [file("", space)]
        let types = plan.declarations(of: namespace)
        for (number, start) in stride(from: 0, to: types.count, by: SwiftEmitter.typesPerFile).enumerated() {
            let part = Array(types[start...].prefix(SwiftEmitter.typesPerFile))
            files.append(file("+Types" + (number == 0 ? "" : "\(number + 1)"), typeText(part)))
        }
        let rules = types.compactMap { checks.rules(of: $0) }
        if !rules.isEmpty { files.append(file("+Rules", rules)) }
        let jobs = JobWriter(plan: plan).extensions(in: namespace.name)
        let routes = routes
        if !jobs.isEmpty { files.append(file("+Jobs", jobs)) }
        if !routes.isEmpty { files.append(file("+Routes", [values(routes), group(routes)])) }
        return files
    }

    private var routes: [RouteWriter] {
        namespace.routes.filter(plan.selection.routes.contains).map { RouteWriter(plan, $0) }
    }

    private func file(_ suffix: String, _ parts: [SwiftText]) -> SwiftFile {
        SwiftFile(path: "\(name)/\(name)\(suffix).swift", text: SourceFile(plan.options, parts).text)
    }

    private var space: [SwiftText] {
        var text = SwiftText()
        text.doc(docs.paragraphs(namespace.doc))
        let aliases = namespace.aliases.filter { plan.selection.declarations.contains(.alias($0)) }
            .filter { plan.api.declarations(in: plan.api[$0].type).allSatisfy(plan.selection.declarations.contains) }
        guard !aliases.isEmpty else {
            text.line("public enum \(name) {}")
            return [text]
        }
        text.block("public enum \(name)") { text in
            for (index, id) in aliases.enumerated() {
                if index > 0 { text.line() }
                let alias = plan.api[id]
                text.doc(docs.paragraphs(alias.doc))
                text.line("public typealias \(plan.names[type: .alias(id)]) = \(plan.swiftType(alias.type))")
            }
        }
        return [text]
    }

    private func typeText(_ types: [StoneDeclaration]) -> [SwiftText] {
        types.map { type in
            var text = SwiftText()
            text.block("extension \(name)") { text in
                switch type {
                case .structure(let id) where !plan.api.isEnum(type):
                    StructWriter(plan, id, name: plan.names[type: type]).write(to: &text)
                case .structure(let id):
                    EnumWriter(plan, type).write(to: &text)
                    guard plan.api[id].subtypes?.isClosed == false else { return }
                    text.line()
                    StructWriter(plan, id, name: plan.names[base: id], isBase: true).write(to: &text)
                default: EnumWriter(plan, type).write(to: &text)
                }
            }
            return text
        }
    }

    private func values(_ routes: [RouteWriter]) -> SwiftText {
        var text = SwiftText()
        text.block("extension \(name)") { text in
            text.line("/// The routes of `\(namespace.name)`, each as a value.")
            text.block("nonisolated public enum Routes") { text in
                for route in routes {
                    route.declare(in: &text)
                    text.line()
                }
                text.line("/// The descriptions of all routes.")
                text.block("public static var all: [RouteInfo]") { text in
                    text.list("[", routes.map { "\($0.name).info" }, "]")
                }
            }
        }
        return text
    }

    private func group(_ routes: [RouteWriter]) -> SwiftText {
        let member = SwiftIdentifiers.escaped(plan.names[member: namespace.name])
        var text = SwiftText()
        text.block("nonisolated extension StoneClient") { text in
            text.line("/// The routes of `\(namespace.name)`.")
            text.line("public var \(member): RouteGroup<\(name)> { RouteGroup(self) }")
        }
        text.line()
        text.block("nonisolated extension RouteGroup<\(name)>") { text in
            for (index, route) in routes.enumerated() {
                if index > 0 { text.line() }
                route.methods(in: &text)
            }
        }
        return text
    }
}

/// Converts the documentation of specs to documentation comments, with references as Swift names.
struct SwiftDocs {
    let plan: SwiftPlan

    /// Returns the paragraphs of a comment: `doc` (or else `fallback`, if there is one), followed by `notes`.
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
        case .route(let id): "`\(plan.names[namespace: plan.api[id].namespace]).\(plan.names[route: id])`"
        case .link(let title, let address): "[\(title)](\(address))"
        case .value(let value): value == "null" ? "`nil`" : "`\(value)`"
        }
    }

    private func field(_ declaration: StoneDeclaration, _ name: String, _ isLocal: Bool) -> String {
        let known =
            switch declaration {
            case .structure(let id): plan.members.fields(of: id).names[name]
            case .union(let id): plan.members.tags(of: id).names[name]
            case .alias: String?.none
            }
        let member = known ?? SwiftWords(name).lower
        return isLocal ? "`\(member)`" : "`\(plan.name(declaration)).\(member)`"
    }
}

extension StoneAPI {
    /// Returns the struct or union of an alias.
    fileprivate func resolved(_ declaration: StoneDeclaration) -> StoneDeclaration {
        guard case .alias(let id) = declaration else { return declaration }
        return self.declaration(of: self[id].type) ?? declaration
    }
}
