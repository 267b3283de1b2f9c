// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// A folder of a test's own in which the built `soqlgen` runs.
final class GenFolder {
    /// What a run left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: [String]
    }

    static let schema = """
        {"version": 1, "sobjects": [
          {"name": "Account", "label": "Account", "fields": [
            {"name": "Id", "type": "id", "nillable": false}, {"name": "Name", "type": "string", "nillable": false},
            {"name": "Size", "type": "int"}, {"name": "Shape", "type": "unheardOf"},
            {"name": "Industry", "label": "Industry\\n*/ }", "type": "picklist",
             "picklistValues": [{"value": "Banking"}, {"value": "None"}]}],
           "childRelationships": [{"childSObject": "Contact", "field": "AccountId", "relationshipName": "Contacts"}]},
          {"name": "Contact", "fields": [
            {"name": "Id", "type": "id", "nillable": false}, {"name": "Born", "type": "date"},
            {"name": "AccountId", "type": "reference", "referenceTo": ["Account"], "relationshipName": "Account"}]}]}
        """

    private let root: URL

    /// Makes the folder, with a schema in it.
    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "soqlgen-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
        try write(Self.schema, to: "schema.json")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Writes queries into files and makes sources of them in `out`.
    func generate(_ queries: KeyValuePairs<String, String>, _ more: String...) throws -> Outcome {
        for (name, text) in queries { try write(text, to: name) }
        return try run(["--schema", "schema.json", "--module", "App", "--output", "out"] + more + queries.map(\.key))
    }

    /// Runs the command in the folder, to its end.
    func run(_ arguments: [String]) throws -> Outcome {
        let process = Process.tool()
        process.executableURL = BuiltProgram.url("soqlgen")
        process.arguments = arguments
        process.currentDirectoryURL = root
        process.standardInput = FileHandle.nullDevice
        // Files rather than pipes, which would have to be emptied meanwhile.
        for name in [".output", ".errors"] { try write("", to: name) }
        process.standardOutput = try FileHandle(forWritingTo: root.appending(path: ".output"))
        process.standardError = try FileHandle(forWritingTo: root.appending(path: ".errors"))
        try process.run()
        process.waitUntilExit()
        // A status tells nothing if a signal ended the process, as a trap does.
        let status = process.terminationReason == .exit ? process.terminationStatus : -1
        let errors = try text(".errors").split(separator: "\n").map(String.init)
        return Outcome(status: status, output: try text(".output"), errors: errors)
    }

    func write(_ text: String, to path: String) throws {
        let url = root.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The names of what is in a folder; none where there is no folder.
    func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        return (names ?? []).sorted()
    }
}
