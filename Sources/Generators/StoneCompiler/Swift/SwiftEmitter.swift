// SPDX-License-Identifier: Apache-2.0

package import SwiftSource

/// Writes an interface as Swift sources that stand on `StoneRuntime`.
///
/// Equal interfaces and options give equal files, byte for byte.
package enum SwiftEmitter {
    /// The emitter's version, which stands in every file.
    package static let version = "1"

    /// The most types in one file.
    static let typesPerFile = 60

    /// The files of an interface, in the order of their paths.
    ///
    /// - Throws: all that has no form in Swift, each with its place.
    package static func files(of api: StoneAPI, _ options: SwiftOptions) throws(StoneError) -> [SwiftFile] {
        let plan = try SwiftPlan(api, options)
        let checks = CheckWriter(plan)
        var files = plan.namespaces.flatMap { NamespaceWriter(plan, $0, checks).files }
        files.append(RegistryWriter(plan).file)
        if options.hasTypeTable { files.append(TypeTableWriter(plan).file) }
        return files.sorted { $0.path < $1.path }
    }
}

/// What to write, and how.
package struct SwiftOptions: Sendable {
    /// How much documentation goes along.
    package enum Docs: String, Sendable, CaseIterable {
        /// None of the specs' text.
        case none
        /// The specs' own text.
        case full
    }

    /// The module's name.
    package var module: String
    /// The namespaces whose types and routes are written, with all that they refer to; `nil` for all.
    package var namespaces: Set<String>?
    /// The routes that are written, such as `files/list_folder`, with the types that they need; `nil` for all.
    package var routes: Set<String>?
    package var docs = Docs.full
    /// Stands for the specs' content in the header of each file.
    package var specHash = ""
    /// Whether a table goes along that reads and writes a value of each type by its name, for tests.
    package var hasTypeTable = false

    package init(module: String) {
        self.module = module
    }

    /// The type of the table of routes, and that of the table of types.
    var registry: String { module + "Registry" }
    var typeTable: String { module + "Types" }

    /// The options in one line.
    var summary: String {
        let lists = [
            namespaces.map { "namespaces: \($0.sorted().joined(separator: ","))" },
            routes.map { "routes: \($0.count)" },
        ]
        return (["module: \(module)", "docs: \(docs.rawValue)"] + lists.compactMap { $0 }).joined(separator: "; ")
    }
}
