// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Generates functions from the `.soql` files of a target, checked against a schema.
///
/// The schema is `schema.json`, or the JSON files of a directory `schemas`, in the target's directory or else in the
/// package's directory. The options are in `soqlgen.json` in the target's directory. Types that `soql models` wrote in
/// the target are not generated again. There is a single command, which runs when one of these files has changed.
@main
struct RestSDKQueries: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let queries = module.sourceFiles(withSuffix: ".soql").map(\.url).sorted { $0.path < $1.path }
        guard let first = queries.first else {
            Diagnostics.warning("\(target.name) has no .soql files; remove the plugin RestSDKQueries or add a query")
            return []
        }
        let folders = [module.directoryURL, context.package.directoryURL]
        let schemas = folders.lazy.map(Self.schemas).first { !$0.isEmpty } ?? []
        guard !schemas.isEmpty else {
            let place = module.directoryURL.appending(path: "schema.json").path
            Diagnostics.error(
                "\(first.path): no schema for checking the query; create one with 'soql schema pull -o \(place)'")
            return []
        }
        let file = module.directoryURL.appending(path: "soqlgen.json")
        let options = FileManager.default.fileExists(atPath: file.path) ? [file] : []
        let output = context.pluginWorkDirectoryURL
        var arguments = ["--module", module.moduleName, "--output", output.path]
        for schema in schemas { arguments += ["--schema", schema.path] }
        for option in options { arguments += ["--options", option.path] }
        let models = module.sourceFiles(withSuffix: ".swift").map(\.url).filter(Self.isModel)
        for model in models { arguments += ["--model", model.path] }
        return [
            .buildCommand(
                displayName: "Checking the queries of \(target.name)",
                executable: try context.tool(named: "soqlgen").url, arguments: arguments + queries.map(\.path),
                inputFiles: queries + schemas + options + models,
                outputFiles: ["Queries.swift", "QueryObjects.swift"].map { output.appending(path: $0) })
        ]
    }

    /// Whether `soql models` generated the source file.
    private static func isModel(_ source: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: source) else { return false }
        defer { try? file.close() }
        let head = (try? file.read(upToCount: 256)) ?? Data()
        return head.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "// Written by soql models ".utf8) }
    }

    /// The schema files in a directory.
    private static func schemas(in folder: URL) -> [URL] {
        let single = folder.appending(path: "schema.json")
        if FileManager.default.fileExists(atPath: single.path) { return [single] }
        let several = folder.appending(path: "schemas")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: several.path)) ?? []
        return names.filter { $0.utf8.suffix(5).elementsEqual(".json".utf8) }.sorted().map {
            several.appending(path: $0)
        }
    }
}
