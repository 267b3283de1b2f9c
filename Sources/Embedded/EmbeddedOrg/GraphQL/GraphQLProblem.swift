// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Why a document, or a field of it, cannot be answered.
struct GraphQLProblem: Error, Hashable {
    /// What kind of problem it is, as `extensions.ErrorType` tells.
    enum Kind: String, Sendable {
        case syntax = "InvalidSyntax"
        case validation = "ValidationError"
        case fetching = "DataFetchingException"
    }

    /// A place in the document, both counted from 1.
    struct Position: Hashable, Sendable {
        var line = 1
        var column = 1
    }

    let kind: Kind
    let message: String
    var position: Position?
    /// The keys from the root of the answer to the field.
    var path: [String] = []

    static func syntax(_ message: String, _ position: Position) -> GraphQLProblem {
        GraphQLProblem(kind: .syntax, message: "Invalid Syntax: \(message)", position: position)
    }

    static func validation(_ message: String, _ position: Position?, _ path: [String] = []) -> GraphQLProblem {
        GraphQLProblem(kind: .validation, message: "Validation error: \(message)", position: position, path: path)
    }

    var json: JSONValue {
        var json: JSONObject = ["message": JSONValue(message)]
        if let position {
            json["locations"] = [["line": JSONValue(position.line), "column": JSONValue(position.column)]]
        }
        if !path.isEmpty { json["path"] = JSONValue(JSONArray(path.map { JSONValue($0) })) }
        json["extensions"] = ["ErrorType": JSONValue(kind.rawValue)]
        return JSONValue(json)
    }
}
