// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTransport
import SOQLCheck

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Saves the describes of objects in the form that `soql check` reads.
struct SchemaPullCommand: Command {
    let options: SchemaPullOptions

    /// How many describes are asked for at a time.
    private static let lanes = 8

    func run() async throws {
        let connection = try await Connection.open(options.connection)
        let schema: QuerySchema
        do {
            schema = try await connection.withClient { try await Self.schema(of: options.objects, $0) }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        guard let output = options.output else { return try StandardOutput.write(schema.json) }
        try Self.write(schema, to: output)
        let count = schema.objects.count
        StandardOutput.note("\(count) object\(count == 1 ? "" : "s") saved in \(output).".singleLine)
    }

    // MARK: Asking

    /// The schema of objects by their names; of all that queries can read when there are none.
    private static func schema(of names: [String], _ client: RestClient) async throws -> QuerySchema {
        let summaries = try await client.describeObjects()
        var wanted: [String] = []
        for name in names {
            guard let known = summaries.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw UsageError("the org has no object '\(name)'", near: name, summaries.map(\.name))
            }
            if !wanted.contains(known.name) { wanted.append(known.name) }
        }
        if names.isEmpty { wanted = summaries.filter(\.isQueryable).map(\.name) }
        let describes = try await describes(of: wanted, client)
        return try QuerySchema(json: JSONValue(JSONArray(describes)))
    }

    private static func describes(of names: [String], _ client: RestClient) async throws -> [JSONValue] {
        try await withThrowingTaskGroup(of: JSONValue.self) { group in
            var rest = names.makeIterator()
            var describes: [JSONValue] = []
            func ask() {
                guard let name = rest.next() else { return }
                group.addTask { JSONValue(try await client.describe(name).json) }
            }
            for _ in 0..<lanes { ask() }
            while let describe = try await group.next() {
                describes.append(describe)
                ask()
            }
            return describes
        }
    }

    // MARK: Writing

    /// Writes a file, or a file for each object into a folder; every file is complete before the first gets its name.
    private static func write(_ schema: QuerySchema, to output: String) throws {
        var files = [(path: output, bytes: schema.json)]
        if FileFacts.isFolder(output) {
            let folder = output.hasSuffix("/") ? output : output + "/"
            files = try schema.objects.map { object in
                (folder + object.name + ".json", try QuerySchema(objects: [object]).json)
            }
        }
        let writers = try files.map { file in
            let writer = try FileWriter(path: file.path)
            try writer.write(file.bytes)
            try writer.flush()
            return writer
        }
        for writer in writers { try writer.finish() }
    }
}
