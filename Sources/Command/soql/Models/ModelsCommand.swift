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
