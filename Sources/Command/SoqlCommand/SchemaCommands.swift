// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck
import SOQLSwift
import SwiftSource

/// The source of object descriptions for commands: saved files or an org.
enum DescribedObjects {
    /// The number of concurrent requests.
    private static let lanes = 8

    static func read(_ files: [String]) throws(UsageError) -> QuerySchema {
        var objects: [ObjectDescription] = []
        for file in files {
            let text = try StandardInput.read(file: file, most: QuerySchema.maximumBytes)
            do throws(SchemaError) {
                objects += try QuerySchema(json: Array(text.utf8)).objects
            } catch {
                throw UsageError("\(file): \(error)")
            }
        }
        do throws(SchemaError) { return try QuerySchema(objects: objects) } catch {
            throw UsageError("the schemas cannot be combined: \(error.message)")
        }
    }

    /// The named objects of an org, or all queryable objects if there are no names.
    static func ask(_ names: [String], _ client: RestClient) async throws -> QuerySchema {
        let summaries = try await client.send(.objects)
        var wanted: [String] = []
        for name in names {
            guard let known = summaries.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw UsageError("the org has no object '\(name)'", near: name, summaries.map(\.name))
            }
            if !wanted.contains(known.name) { wanted.append(known.name) }
        }
        if names.isEmpty { wanted = summaries.filter(\.isQueryable).map(\.name) }
        let describes = try await describes(of: wanted, client)
        return try QuerySchema(objects: describes.map(\.sorted))
    }

    private static func describes(of names: [String], _ client: RestClient) async throws -> [ObjectDescription] {
        let progress = Progress("Describing", of: "objects", total: names.count)
        defer { progress.end() }
        return try await withThrowingTaskGroup(of: ObjectDescription.self) { group in
            var rest = names.makeIterator()
            var describes: [ObjectDescription] = []
            func ask() {
                guard let name = rest.next() else { return }
                group.addTask { try await client.send(.describe(name)) }
            }
            for _ in 0..<lanes { ask() }
            while let describe = try await group.next() {
                describes.append(describe)
                progress.advance(to: describes.count)
                ask()
            }
            return describes
        }
    }
}

extension Verb {
    static let schemaPull = Verb(
        "schema pull", operands: ["[OBJECT…]"], "save the descriptions of an org's objects for 'soql check'",
        notes: [
            """
            Without names, all queryable objects are saved. The output is reproducible: names are sorted, and default \
            values are omitted. --output takes a file or an existing directory, which receives one file per object. If \
            an error occurs, nothing is written.
            """
        ],
        [.schemaOutput] + Option.connection
    ) { arguments in
        Command {
            let schema = try await Connection.read(arguments) { client in
                try await DescribedObjects.ask(arguments.words, client)
            }
            guard let output = arguments[.schemaOutput], output != "-" else {
                return try StandardOutput.write(schema.json)
            }
            try schema.write(to: output)
            StandardOutput.note("\(counted(schema.objects.count, "object")) saved in \(output)".singleLine)
        }
    }
}

extension QuerySchema {
    /// Writes one file, or one file per object into a directory, and renames them after all are complete.
    fileprivate func write(to output: String) throws {
        var files = [(path: output, bytes: json)]
        if FileFacts.isFolder(output) {
            let folder = output.hasBytes(suffix: "/") ? output : output + "/"
            files = try objects.map { (folder + $0.name + ".json", try QuerySchema(objects: [$0]).json) }
        }
        let writers = try files.map { file in
            let output = try OutputFile(file.path)
            try output.write(file.bytes)
            try output.flush()
            return output
        }
        for writer in writers { try writer.finish() }
    }
}

extension Option {
    static let schemaOutput = Option(
        "--output", short: "-o", .output, "write to a file or directory (default: standard output)")
}

extension Verb {
    static let models = Verb(
        "models", operands: ["[OBJECT…]"], "write Swift models of objects",
        notes: [
            """
            Each object becomes a struct in a separate file, for apps that use RestSDK: exact types, enums for \
            picklists, key paths for queries. The objects come from the org, or from saved describe results with \
            --schema. Without names, models of all queryable objects are written. The output is reproducible.
            """,
            """
            Use a directory that contains only models. Models that an earlier run wrote and this run does not are \
            removed. If a file that soql did not write is in the way, or another error occurs, nothing is written. \
            With --check nothing is written, and the exit code is 1 if a file is not up to date.
            """,
        ],
        [.modelsOutput, .modelsSchema, .modelsCheck] + Option.connection
    ) { arguments in
        guard let output = arguments[.modelsOutput] else {
            throw UsageError("no output directory; use --output DIR")
        }
        return Command {
            let schema = try await DescribedObjects.chosen(arguments)
            guard !schema.objects.isEmpty else { throw UsageError("the schema has no queryable objects") }
            do throws(SourceFault) {
                let folder = try SourceDirectory(output, ModelEmitter.mark)
                let sources = try SourceOutput(ModelEmitter.files(of: schema), in: folder, of: "the objects")
                guard !arguments.has(.modelsCheck) else { return try sources.check() }
                StandardOutput.note(try sources.write().singleLine)
            } catch {
                throw CommandFailure(error.message, status: error.isStale ? .failure : .usage)
            }
        }
    }
}

extension DescribedObjects {
    /// The objects with the given names, from the saved schemas or from the org.
    static func chosen(_ arguments: Arguments) async throws -> QuerySchema {
        let (names, schemas) = (arguments.words, arguments.all(.modelsSchema))
        guard !schemas.isEmpty else { return try await Connection.read(arguments) { try await ask(names, $0) } }
        let schema = try read(schemas)
        guard !names.isEmpty else { return try QuerySchema(objects: schema.objects.filter(\.summary.isQueryable)) }
        let objects = try names.map { name throws(UsageError) in
            guard let object = schema.object(named: name) else {
                throw UsageError("the schema has no object '\(name)'", near: name, schema.objects.map(\.name))
            }
            return object
        }
        return try QuerySchema(objects: Array(Set(objects)))
    }
}

extension Option {
    static let modelsOutput = Option("--output", short: "-o", .folder, "write the models to this directory")
    static let modelsSchema = Option(
        "--schema", .input, "read the objects from a schema file instead of an org; can be repeated")
    static let modelsCheck = Option("--check", "check that the models are up to date, and write nothing")
}
