// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSwift
import SwiftSource

/// Writes Swift models of objects, or tells whether those in a folder are as the objects are.
struct ModelsCommand: Command {
    let options: ModelsOptions

    func run() async throws {
        let schema = try await schema()
        guard !schema.objects.isEmpty else { throw UsageError("there is no object to write a model of") }
        do throws(SourceFault) {
            let folder = try SourceFolder(options.output, ModelEmitter.mark)
            let sources = try SourceOutput(ModelEmitter.files(of: schema), in: folder, of: "the objects give")
            guard !options.isCheck else { return try sources.check() }
            StandardOutput.note(try sources.write().singleLine)
        } catch {
            throw CommandFailure(error.message, status: error.isStale ? .failure : .usage)
        }
    }

    private func schema() async throws -> QuerySchema {
        guard !options.schemas.isEmpty else {
            return try await Connection.read(options.connection) { client in
                try await DescribedObjects.ask(options.objects, client)
            }
        }
        let schema = try DescribedObjects.read(options.schemas)
        guard !options.objects.isEmpty else {
            return try QuerySchema(objects: schema.objects.filter(\.isQueryable))
        }
        let objects = try options.objects.map { name throws(UsageError) in
            guard let object = schema.object(named: name) else {
                throw UsageError("the schema has no object '\(name)'", near: name, schema.objects.map(\.name))
            }
            return object
        }
        return try QuerySchema(objects: Array(Set(objects)))
    }
}

extension Verb {
    static let models = Verb(
        "models", operands: ["[OBJECT…]"], "writes Swift models of objects",
        notes: [
            """
            Each object becomes a struct in a file of its own, for apps that use RestSDK: exact types, enums for \
            picklists, key paths for queries. The objects are those of the org, or of saved describes with --schema; \
            without names all of them that queries can read. The same objects give the same bytes.
            """,
            """
            The folder is for models alone: what an earlier call wrote there and this one does not is removed, and a \
            file of somebody else in the way ends the call. All is written, or nothing. With --check nothing is \
            written; the exit code is 1 if a file is not as it would be.
            """,
        ],
        [.modelsOutput, .modelsSchema, .modelsCheck] + Option.connection
    ) { ModelsCommand(options: try ModelsOptions($0)) }
}

extension Option {
    static let modelsOutput = Option("--output", short: "-o", .folder, "the folder of the models")
    static let modelsSchema = Option(
        "--schema", .input, "take the objects of a saved describe, and ask no org; may be repeated")
    static let modelsCheck = Option("--check", "tell whether the models are as the objects are, and write nothing")
}

/// The options of `soql models`.
struct ModelsOptions {
    /// No names: all objects that queries can read.
    let objects: [String]
    let output: String
    /// None: the org is asked.
    let schemas: [String]
    let isCheck: Bool
    let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        guard let output = arguments[.modelsOutput] else {
            throw UsageError("give the folder of the models with --output")
        }
        (objects, self.output) = (arguments.words, output)
        schemas = arguments.all(.modelsSchema)
        isCheck = arguments.has(.modelsCheck)
        connection = try ConnectionOptions(arguments)
    }
}
