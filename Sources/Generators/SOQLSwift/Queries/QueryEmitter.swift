// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
package import SOQLCheck
package import SwiftSource

package enum QueryEmitter {
    /// The version of the generated code.
    package static let version = 1
    /// The files that are written for any queries.
    package static let paths = ["Queries.swift", "QueryObjects.swift"]

    /// Returns the source files of all queries.
    ///
    /// - Parameters:
    ///   - sources: the files, each with one query.
    ///   - schema: the objects of the queries.
    ///   - options: the options of the source files.
    /// - Returns: the files, and the warnings.
    /// - Throws: ``QueryFaults`` with all errors in all files.
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
                    throw QueryFaults(diagnostics: [source.fault("'\(other)' already defines this function")])
                }
            } catch {
                told += error.diagnostics
                hasErrors = true
            }
        }
        guard !hasErrors else { throw QueryFaults(diagnostics: told) }
        var writer = RowWriter(access: options.accessWord, types: types, taken: taken)
        let parts = plans.map { plan in
            var text = SwiftText()
            QueryWriter(plan: plan, access: options.accessWord).write(&writer, into: &text)
            return text
        }
        let queries = file(paths[0], options, writer.types, parts)
        return ([queries, ObjectWriter.file(writer.types, schema, options)], told)
    }

    /// Returns a file with its header, and the imports that its parts need.
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

    /// Returns only the necessary imports, because an unused import causes a warning.
    private static func imports(_ options: QueryOptions, _ types: ObjectTypes?) -> [String] {
        // A package import that is only used in conformances counts as unused, so it is internal.
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
    /// The access modifier followed by a space, or an empty string for internal declarations.
    var accessWord: String { access == .internal ? "" : access.rawValue + " " }
}

package struct QueryOptions: Sendable, Hashable {
    /// The access level of the generated code, whose raw value is the Swift keyword.
    package enum Access: String, Sendable, CaseIterable {
        case `internal`, package, `public`
    }

    /// The location of the types of objects, for ids and picklists.
    package enum Objects: Sendable, Hashable {
        /// The types are written next to the queries.
        case written
        /// The module has the types already.
        case own
        /// The types are in another module, which is imported.
        case module(String)
    }

    /// The name of the module that the source files are added to.
    package var module: String
    package var access = Access.internal
    package var objects = Objects.written
    /// The objects, in lower case, whose types the module has already, so that they are not written.
    package var modeled: Set<String> = []

    package init(module: String) { self.module = module }

    /// Reads the options in a file, and throws an error with its position for an invalid option.
    package mutating func read(json bytes: [UInt8]) throws(SchemaError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: bytes, limits: JSONDocument.Limits(maximumDepth: 8, maximumBytes: 1 << 20))
        } catch {
            throw SchemaError(
                message: "the options are not JSON: expected \(error.expected)",
                place: "line \(error.line), column \(error.column)", line: error.line, column: error.column)
        }
        guard let members = root.object else { throw SchemaError(message: "the options are not an object", place: "$") }
        for (name, value) in members { try read(name, value) }
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(SchemaError) {
        switch name {
        case "access":
            guard let access = value.string.flatMap(Access.init) else {
                throw SchemaError(message: "'access' must be internal, package or public", place: "$.access")
            }
            self.access = access
        case "models":
            if let module = value.string, !module.isEmpty {
                objects = .module(module)
            } else if let isWritten = value.bool {
                objects = isWritten ? .written : .own
            } else {
                throw SchemaError(
                    message: "'models' must be true, false, or the name of a module with models", place: "$.models")
            }
        default:
            let near = name.nearest(in: ["access", "models"]).map { "; did you mean '\($0)'?" } ?? ""
            throw SchemaError(message: "unknown option '\(name.prefix(80))'\(near)", place: "$")
        }
    }
}

/// An error or a warning about the file of a query, in the format of compilers.
package struct QueryDiagnostic: Sendable, Hashable, CustomStringConvertible {
    package let path: String
    /// The position, counted from 1, with columns in Unicode scalars.
    package let line: Int, column: Int
    package let severity: Finding.Severity
    package let message: String

    package init(_ path: String, line: Int, column: Int, _ message: String, severity: Finding.Severity = .error) {
        (self.path, self.line, self.column, self.severity) = (path, line, column, severity)
        self.message = message
    }

    /// The diagnostic as `FILE:LINE:COLUMN: error: MESSAGE`.
    package var description: String {
        let text = message.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : String($0) }.joined()
        return "\(path):\(line):\(column): \(severity.rawValue): \(text)"
    }
}

/// The errors that prevent code generation, together with the warnings.
package struct QueryFaults: Error, Sendable {
    /// The diagnostics, at least one of which is an error.
    package let diagnostics: [QueryDiagnostic]
}
