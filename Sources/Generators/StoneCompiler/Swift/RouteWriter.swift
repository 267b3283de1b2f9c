// SPDX-License-Identifier: Apache-2.0

import RestBase
import SwiftSource

/// Writes the value of a route, and the methods that call the route.
struct RouteWriter {
    let plan: SwiftPlan
    let route: StoneRoute
    private let docs: SwiftDocs

    init(_ plan: SwiftPlan, _ id: RouteID) {
        self.plan = plan
        route = plan.api[id]
        docs = SwiftDocs(plan: plan)
    }

    /// The name of the value and the methods.
    var name: String { SwiftIdentifiers.escaped(plan.names[route: route.id]) }

    var value: String { "\(plan.names[namespace: route.namespace]).Routes.\(name)" }

    var failure: String { plan.api.declaration(of: route.error).map { plan.name($0) } ?? "Never" }

    func declare(in text: inout SwiftText) {
        let types = "\(plan.swiftType(route.argument)), \(plan.swiftType(route.result)), \(failure)"
        // Otherwise the optimizer copies the value to each use of the route.
        text.line("@inline(never)")
        text.block("public static var \(name): Route<\(style), \(types)>") { text in
            let failure = plan.api.declaration(of: route.error) == nil ? "" : ", .type"
            let tail = "), \(plan.coding(route.argument)), \(plan.coding(route.result))\(failure))"
            text.list("Route(RouteInfo(", SwiftRouteInfo(plan, route).arguments, tail)
        }
    }

    /// Writes the method that takes the argument as a value, and the method that takes the argument's fields.
    func methods(in text: inout SwiftText) {
        let parameter = route.argument == .void ? "" : "_ argument: \(plan.swiftType(route.argument))"
        method(&text, [parameter].filter { !$0.isEmpty }, call)
        guard let id = plan.api.structure(route.argument), plan.api[id].subtypes == nil else { return }
        text.line()
        let body = style == "Upload" ? "body: body, " : ""
        // The content is called `body` as well, and a parameter hides the method with its name.
        let parameters = SwiftProperty.properties(of: id, plan).map { property in
            (property, name: !body.isEmpty && property.name == "body" ? "body_" : property.escaped)
        }
        let fields = parameters.map { "\(SwiftIdentifiers.label($0.0.name)): \($0.name)" }.joined(separator: ", ")
        let method = parameters.contains { $0.name == name } || !body.isEmpty && name == "body" ? "self.\(name)" : name
        self.method(
            &text, parameters.map { $0.0.parameter(named: $0.name) },
            "\(method)(\(body)\(plan.swiftType(route.argument))(\(fields)))")
    }

    private func method(_ text: inout SwiftText, _ parameters: [String], _ body: String) {
        text.doc(docs.paragraphs(route.doc, or: "Calls `\(route.namespace)/\(route.wireName)`.", notes: notes))
        if let deprecation = route.deprecation {
            let successor = deprecation.successor.map { ", message: \"use \(plan.names[route: $0])\"" } ?? ""
            text.line("@available(*, deprecated\(successor))")
        }
        let content = style == "Upload" ? ["body: HTTPBody"] : []
        text.list("public func \(name)(", content + parameters, ") -> \(result) {")
        text.line("    \(body)")
        text.line("}")
    }

    private var notes: [String] {
        var notes: [String] = []
        if let scope = route.text("scope") { notes.append("The token needs the scope `\(scope)`.") }
        if route.attribute("is_preview") == .boolean(true) { notes.append("It may still change without notice.") }
        return notes
    }

    private var style: String {
        switch route.text("style") {
        case "upload": "Upload"
        case "download": "Download"
        default: "RPC"
        }
    }

    private var types: String { "\(plan.swiftType(route.result)), \(failure)" }

    private var result: String {
        if style == "Download" { return "DownloadCall<\(types)>" }
        guard style == "RPC" else { return "RouteCall<\(types)>" }
        if let paging = plan.pagings[route.id] {
            let element = paging.list.map { plan.element(of: $0) } ?? "Never"
            let next = RouteWriter(plan, paging.next).failure
            return "PagedCall<\(plan.swiftType(route.result)), \(element), \(failure), \(next)>"
        }
        if let job = plan.jobs[route.id] {
            let status = plan.name(.union(job.status))
            let check = RouteWriter(plan, job.check).failure
            return
                "JobCall<\(plan.swiftType(route.result)), \(status), \(plan.swiftType(job.output)), \(failure), \(check)>"
        }
        return "RouteCall<\(types)>"
    }

    private var call: String {
        let argument = route.argument == .void ? "()" : "argument"
        let call = "client.call(\(value), \(argument)\(style == "Upload" ? ", body: body" : ""))"
        guard style == "RPC" else { return call }
        if let paging = plan.pagings[route.id] {
            return "PagedCall(\(call)\(list(paging)), following: \(following(paging)))"
        }
        guard let job = plan.jobs[route.id] else { return call }
        let poll = RouteWriter(plan, job.check)
        let id = plan.swiftType(poll.route.argument)
        return "JobCall(\(call), start: { $0.jobState() }, state: { $0.jobState() }, check: { "
            + "client.call(\(poll.value), \(id)(asyncJobID: $0)) })"
    }

    private func list(_ paging: SwiftPaging) -> String {
        paging.list.map { ", list: { $0.\(plan.member($0, of: paging.page)) }" } ?? ""
    }

    /// Returns a closure that returns the call for the next page.
    private func following(_ paging: SwiftPaging) -> String {
        let next = RouteWriter(plan, paging.next)
        let cursor = plan.member(paging.cursor.field, of: paging.page)
        let value = paging.cursor.isNullable ? "$0\(paging.cursor.suffix)" : "$0.\(cursor)\(paging.cursor.suffix)"
        let argument: String
        if paging.next == route.id {
            argument = "argument.replacing(\\.cursor, \(value))"
        } else {
            let given = plan.api.structure(route.argument)
            let repeated = Dictionary(
                paging.repeated.map { field in (field.name, given.map { plan.member(field, of: $0) } ?? field.name) },
                uniquingKeysWith: { first, _ in first })
            let fields = (plan.api.structure(next.route.argument).map { SwiftProperty.properties(of: $0, plan) } ?? [])
                .compactMap { property -> String? in
                    if property.field.name == "cursor" { return "cursor: \(value)" }
                    return repeated[property.field.name].map {
                        "\(SwiftIdentifiers.label(property.name)): argument.\($0)"
                    }
                }
            argument = "\(plan.swiftType(next.route.argument))(\(fields.joined(separator: ", ")))"
        }
        let call = "client.call(\(next.value), \(argument))"
        let more = paging.hasMore.map { "page.\(plan.member($0, of: paging.page))" }
        guard paging.cursor.isNullable else {
            return "{ \(paging.hasMore.map { "$0.\(plan.member($0, of: paging.page))" } ?? "true") ? \(call) : nil }"
        }
        let mapped = "page.\(cursor).map { \(call) }"
        return "{ page in \(more.map { "\($0) ? \(mapped) : nil" } ?? mapped) }"
    }
}

extension SwiftPlan {
    /// Returns the member that generated code reads, which does not cause a deprecation warning.
    func member(_ field: StoneField, of id: StructID) -> String { SwiftProperty(field, of: id, self).stored }

    /// Returns the Swift type of a list's elements.
    func element(of field: StoneField) -> String {
        guard case .list(let list) = api.withoutAliases(field.type) else { return "Never" }
        return swiftType(list.element)
    }
}

extension StoneRoute {
    /// Returns the string value of an attribute, or the name of its tag.
    func text(_ name: String) -> String? {
        switch attribute(name) {
        case .string(let text): text
        case .tag(_, let tag): tag
        default: nil
        }
    }
}

/// The arguments of a `RouteInfo` that differ from its defaults.
struct SwiftRouteInfo {
    let arguments: [String]

    init(_ plan: SwiftPlan, _ route: StoneRoute) {
        var arguments = [route.namespace.swiftLiteral, route.name.swiftLiteral]
        if route.version != 1 { arguments.append("version: \(route.version)") }
        if let host = route.text("host"), host != "api" { arguments.append("host: \(host.swiftLiteral)") }
        let auth = route.text("auth").map { $0.split(anyOf: ", ").map(String.init) } ?? ["user"]
        if auth != ["user"] { arguments.append("auth: [\(auth.map(\.swiftLiteral).joined(separator: ", "))]") }
        if let scope = route.text("scope") { arguments.append("scope: \(scope.swiftLiteral)") }
        if route.deprecation != nil { arguments.append("isDeprecated: true") }
        if route.attribute("is_preview") == .boolean(true) { arguments.append("isPreview: true") }
        if Self.isRead(route, plan.api) { arguments.append("isRead: true") }
        let others = Self.others(of: route, plan.attributeDefaults)
        if !others.isEmpty {
            arguments.append(
                "attributes: [\(others.map { "\($0.swiftLiteral): \($1.swiftLiteral)" }.joined(separator: ", "))]")
        }
        self.arguments = arguments
    }

    /// Returns whether a route only reads, which specs do not state: its scope is read-only, it checks a job, or it has
    /// no conclusive scope and its name begins with a verb of reading.
    private static func isRead(_ route: StoneRoute, _ api: StoneAPI) -> Bool {
        if let scope = route.text("scope") {
            if scope.hasBytes(suffix: ".read") { return true }
            if scope.hasBytes(suffix: ".write") { return false }
        }
        if api.isJobCheck(route) { return true }
        let verb = route.name.split(byte: "/").last?.split(byte: "_").first ?? ""
        return ["check", "get", "list", "search"].contains(verb)
    }

    /// Returns the other attributes whose value is not the schema's default.
    private static func others(
        of route: StoneRoute, _ defaults: [String: StoneLiteral]
    ) -> [(String, String)] {
        let known: Set = ["auth", "host", "is_preview", "scope", "style"]
        return route.attributes.filter { !known.contains($0.name) && $0.value != .null }
            .filter { defaults[$0.name] != $0.value }
            .sorted { $0.name < $1.name }
            .map { ($0.name, text(of: $0.value)) }
    }

    private static func text(of literal: StoneLiteral) -> String {
        switch literal {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .string(let text): text
        case .tag(_, let tag): tag
        }
    }
}
