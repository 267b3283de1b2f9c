// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck

/// What a model gave to a tool.
struct ToolArguments: Sendable {
    private let values: JSONObject

    init(_ values: JSONObject) {
        self.values = values
    }

    /// Refuses names that the tool lacks, and missing ones.
    func check(_ tool: Tool) throws(ToolFailure) {
        let known = tool.arguments.map(\.name)
        for name in values.keys where !known.contains(name) {
            let near = name.nearest(in: known).map { "; did you mean '\($0)'?" } ?? ""
            throw ToolFailure("'\(tool.name)' has no argument '\(name.prefix(100))'\(near)")
        }
        for name in tool.required where values[name] == nil {
            throw ToolFailure("'\(tool.name)' needs the argument '\(name)'")
        }
    }

    /// A member that is there and not null.
    private func present(_ name: String) -> JSONValue? {
        guard let value = values[name], !value.isNull else { return .none }
        return value
    }

    func text(_ name: String) throws(ToolFailure) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw ToolFailure("'\(name)' must be a text") }
        return text
    }

    func required(_ name: String) throws(ToolFailure) -> String {
        guard let text = try text(name), !text.isEmpty else { throw ToolFailure("'\(name)' must be a text") }
        return text
    }

    /// An object's name, which becomes a part of a path.
    func object() throws(ToolFailure) -> String {
        let name = try required("object")
        guard name.isObjectName else { throw ToolFailure("'\(name.prefix(100))' is no object's API name") }
        return name
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(ToolFailure) -> Int? {
        guard let value = present(name) else { return nil }
        // bounded: by the range
        guard let number = value.int, range.contains(number) else {
            throw ToolFailure("'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ name: String) throws(ToolFailure) -> Bool {
        guard let value = present(name) else { return false }
        guard let flag = value.bool else { throw ToolFailure("'\(name)' must be true or false") }
        return flag
    }

    func names(_ name: String) throws(ToolFailure) -> [String] {
        guard let value = present(name) else { return [] }
        let texts = value.array?.compactMap(\.string) ?? []
        guard let list = value.array, texts.count == list.count, texts.allSatisfy(\.isObjectName) else {
            throw ToolFailure("'\(name)' must be a list of API names")
        }
        return texts
    }

    func record(_ name: String) throws(ToolFailure) -> JSONObject {
        guard let value = present(name)?.object, !value.isEmpty else {
            throw ToolFailure("'\(name)' must be an object of field names and values")
        }
        return value
    }
}

/// Why a tool could not do what it was asked for, in words that a model can act on.
struct ToolFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The words for any failure; those of a server come with its codes.
    init(_ error: any Error) {
        guard let error = error as? RestError else {
            message = "\(error)"
            return
        }
        let faults = error.faults.map(\.description)
        let text = faults.isEmpty ? "\(error.code.rawValue): \(error.message)" : faults.joined(separator: "\n")
        guard let outcome = error.outcome, outcome != .notApplied else {
            message = text
            return
        }
        message = text + "\nIt is \(outcome == .applied ? "certain" : "not known") that the change was made."
    }
}
