// SPDX-License-Identifier: Apache-2.0

import SwiftSource

/// Writes the table of all routes by their names.
struct RegistryWriter {
    private let plan: SwiftPlan

    init(_ plan: SwiftPlan) {
        self.plan = plan
    }

    var file: SwiftFile {
        let all = plan.namespaces.filter { $0.routes.contains(where: plan.selection.routes.contains) }
            .map { "\(plan.names[namespace: $0.name]).Routes.all" }
        var text = SwiftText()
        text.line("/// All routes of the module by their names, such as `files/list_folder`.")
        text.block("nonisolated public enum \(plan.options.registry)") { text in
            text.line("/// What the specs say about each route.")
            guard !all.isEmpty else { return text.line("public static let routes: [String: RouteInfo] = [:]") }
            text.line("public static let routes: [String: RouteInfo] = Dictionary(")
            text.line("    [\(all.joined(separator: ", "))].joined().map { ($0.id, $0) }) { first, _ in first }")
        }
        let name = plan.options.registry
        return SwiftFile(path: "\(name).swift", text: SourceFile(plan.options, [text]).text)
    }
}

/// Writes a table that reads a value of each type and writes it again, for tests.
struct TypeTableWriter {
    private let plan: SwiftPlan

    init(_ plan: SwiftPlan) {
        self.plan = plan
    }

    /// One long list takes the compiler's optimizer minutes.
    private static let entriesPerPart = 40

    var file: SwiftFile {
        let types = plan.namespaces.flatMap { namespace in
            plan.declarations(of: namespace).map { type in
                "(\"\(namespace.name).\(plan.api.name(of: type).name)\", \(plan.name(type)).self)"
            }
        }
        var text = SwiftText()
        text.line("/// Every type by its name in the specs.")
        text.block("nonisolated public enum \(plan.options.typeTable)") { text in
            let parts = stride(from: 0, to: types.count, by: Self.entriesPerPart).map { start in
                Array(types[start...].prefix(Self.entriesPerPart))
            }
            text.line("/// The types.")
            text.block("public static var all: [(name: String, type: any StoneType.Type)]") { text in
                text.list("[", parts.indices.map { "part\($0)" }, parts.isEmpty ? "]" : "].flatMap { $0 }")
            }
            for (number, part) in parts.enumerated() {
                text.line()
                text.block("private static var part\(number): [(name: String, type: any StoneType.Type)]") { text in
                    text.list("[", part, "]")
                }
            }
        }
        let name = plan.options.typeTable
        return SwiftFile(path: "\(name).swift", text: SourceFile(plan.options, [text]).text)
    }
}
