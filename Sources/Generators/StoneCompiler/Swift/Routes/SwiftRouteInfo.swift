// SPDX-License-Identifier: Apache-2.0

import RestText
import SwiftSource

/// The arguments of a `RouteInfo`: what differs from its defaults.
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

    /// Specs do not say which routes only read: those do whose token may do nothing else, those that ask how a job
    /// stands, and, where no scope tells, those that are named after it.
    private static func isRead(_ route: StoneRoute, _ api: StoneAPI) -> Bool {
        if let scope = route.text("scope") {
            if scope.hasBytes(suffix: ".read") { return true }
            if scope.hasBytes(suffix: ".write") { return false }
        }
        if api.isJobCheck(route) { return true }
        let verb = route.name.split(byte: "/").last?.split(byte: "_").first ?? ""
        return ["check", "get", "list", "search"].contains(verb)
    }

    /// The other attributes whose value is not the schema's default.
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
