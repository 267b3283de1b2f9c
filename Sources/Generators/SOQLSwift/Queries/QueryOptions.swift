// SPDX-License-Identifier: Apache-2.0

import RestJSON
package import SOQLCheck

/// How the sources of queries are to be.
package struct QueryOptions: Sendable, Hashable {
    /// Who sees what is written; the raw value is the word in Swift.
    package enum Access: String, Sendable, CaseIterable {
        case `internal`, package, `public`
    }

    /// Where the types of objects are: those that ids are of, and those of picklists.
    package enum Objects: Sendable, Hashable {
        /// They are written beside the queries.
        case written
        /// The module has them already.
        case own
        /// They are in another module, which is imported.
        case module(String)
    }

    /// The name of the module that the sources become a part of.
    package var module: String
    package var access = Access.internal
    package var objects = Objects.written
    /// The objects whose types the module has already, in lower case.
    ///
    /// They are not written.
    package var modeled: Set<String> = []

    package init(module: String) {
        self.module = module
    }

    /// Takes what a file of options says.
    ///
    /// - Throws: what is no option, with its place.
    package mutating func read(json bytes: [UInt8]) throws(SchemaError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: bytes, limits: JSONLimits(maximumDepth: 8, maximumBytes: 1 << 20))
        } catch {
            throw SchemaError(
                message: "the options are not JSON: \(error.expected) expected",
                place: "line \(error.line), column \(error.column)", line: error.line, column: error.column)
        }
        guard let members = root.object else { throw SchemaError(message: "the options are no object", place: "$") }
        for (name, value) in members { try read(name, value) }
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws(SchemaError) {
        switch name {
        case "access":
            guard let access = value.string.flatMap(Access.init) else {
                throw SchemaError(message: "'access' is internal, package or public", place: "$.access")
            }
            self.access = access
        case "models":
            if let module = value.string, !module.isEmpty {
                objects = .module(module)
            } else if let isWritten = value.bool {
                objects = isWritten ? .written : .own
            } else {
                throw SchemaError(
                    message: "'models' is true, false, or the name of the module that has them", place: "$.models")
            }
        default:
            let near = name.nearest(in: ["access", "models"]).map { "; did you mean '\($0)'?" } ?? ""
            throw SchemaError(message: "there is no option '\(name.prefix(80))'\(near)", place: "$")
        }
    }
}
