// SPDX-License-Identifier: Apache-2.0

package import SOQLCheck
package import SwiftSource

/// Writes the sources of queries.
package enum QueryEmitter {
    /// The version of what is written.
    package static let version = 1
    /// The files that are written, whatever the queries are.
    package static let paths = ["Queries.swift", "QueryObjects.swift"]

    /// The sources of all queries.
    ///
    /// - Parameters:
    ///   - sources: the files, each with one query.
    ///   - schema: the objects that the queries are about.
    ///   - options: how the sources are to be.
    /// - Returns: the files, and the warnings.
    /// - Throws: ``QueryFaults`` with all that is wrong in all files.
    package static func files(
        of sources: [QuerySource], schema: QuerySchema, _ options: QueryOptions
    ) throws(QueryFaults) -> (files: [SwiftFile], warnings: [QueryDiagnostic]) {
        var types = ObjectTypes(ModelNames(schema, module: options.module))
        var (plans, told, hasErrors) = ([QueryPlan](), [QueryDiagnostic](), false)
        var functions: [String: String] = [:]
        let taken = types.names.ofObjects.union(ModelNames.reservedTypes)
        var rows: Set<String> = []
        for source in sources.sorted(by: { $0.path < $1.path }) {
            do throws(QueryFaults) {
                let plan = try QueryPlan(
                    source, schema: schema, types: &types, taken: taken.union(rows), warnings: &told)
                rows.insert(plan.row)
                plans.append(plan)
                if let other = functions.updateValue(source.path, forKey: plan.function.lowercased()) {
                    throw QueryFaults(diagnostics: [source.fault("'\(other)' makes a function of this name already")])
                }
            } catch {
                told += error.diagnostics
                hasErrors = true
            }
        }
        guard !hasErrors else { throw QueryFaults(diagnostics: told) }
        let queries = self.queries(plans, taken, options, &types)
        return ([queries, ObjectWriter.file(types, schema, options)], told)
    }

    private static func queries(
        _ plans: [QueryPlan], _ taken: Set<String>, _ options: QueryOptions, _ types: inout ObjectTypes
    ) -> SwiftFile {
        let access = options.accessWord
        var rows = RowWriter(access: access, types: types, taken: taken)
        var parts: [SwiftText] = []
        for plan in plans {
            var text = SwiftText()
            QueryWriter(plan: plan, access: access).write(&rows, into: &text)
            parts.append(text)
        }
        types = rows.types
        return file(paths[0], options, types, parts)
    }

    /// A file with its header, and the imports that its parts need.
    static func file(
        _ path: String, _ options: QueryOptions, _ types: ObjectTypes?, _ parts: [SwiftText]
    ) -> SwiftFile {
        var lines = [
            "// SPDX-License-Identifier: Apache-2.0",
            "// swift-format-ignore-file",
            "// Written by soqlgen \(version) (module: \(options.module)) from queries and a schema.",
            "// Do not change it; change the queries and run soqlgen again.",
        ]
        if !parts.isEmpty { lines += [""] + imports(options, types) }
        for part in parts { lines += [""] + part.lines }
        return SwiftFile(path: path, text: lines.joined(separator: "\n") + "\n")
    }

    /// An import that nothing needs would be a warning.
    private static func imports(_ options: QueryOptions, _ types: ObjectTypes?) -> [String] {
        // The compiler finds no use of a package import in conformances alone, and needs none there.
        let word = types == nil && options.access == .package ? "internal " : options.accessWord
        var lines: [String] = []
        if case .module(let module) = options.objects, types?.objects.isEmpty == false {
            lines.append("\(word)import \(module)")
        }
        lines.append("\(word)import RestModels")
        guard types?.needsFoundation == true else { return lines }
        lines += ["", "#if canImport(FoundationEssentials)", "\(word)import FoundationEssentials", "#else"]
        return lines + ["\(word)import Foundation", "#endif"]
    }
}

extension QueryOptions {
    /// The word before declarations, with its blank.
    var accessWord: String { access == .internal ? "" : access.rawValue + " " }
}
