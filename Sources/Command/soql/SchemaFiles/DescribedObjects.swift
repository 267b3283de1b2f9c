// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import SOQLCheck

/// Where commands have the describes of objects from: saved files, or an org.
enum DescribedObjects {
    /// How many describes are asked for at a time.
    private static let lanes = 8

    /// The objects of all schema files together.
    static func read(_ files: [String]) throws(UsageError) -> QuerySchema {
        var objects: [QuerySchema.Object] = []
        for file in files {
            let text = try StandardInput.read(file: file, most: QuerySchema.maximumBytes)
            do throws(SchemaError) {
                objects += try QuerySchema(json: Array(text.utf8)).objects
            } catch {
                throw UsageError("\(file): \(error)")
            }
        }
        do throws(SchemaError) {
            return try QuerySchema(objects: objects)
        } catch {
            throw UsageError("the schemas do not fit together: \(error.message)")
        }
    }

    /// The objects of these names of an org; all that queries can read when there are none.
    static func ask(_ names: [String], _ client: RestClient) async throws -> QuerySchema {
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
}
