// SPDX-License-Identifier: Apache-2.0

import RestText
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

    func run() async throws {
        let schema = try await Connection.read(options.connection) { client in
            try await DescribedObjects.ask(options.objects, client)
        }
        guard let output = options.output else { return try StandardOutput.write(schema.json) }
        try Self.write(schema, to: output)
        let count = schema.objects.count
        StandardOutput.note("\(count) object\(count == 1 ? "" : "s") saved in \(output).".singleLine)
    }

    /// Writes a file, or a file for each object into a folder; every file is complete before the first gets its name.
    private static func write(_ schema: QuerySchema, to output: String) throws {
        var files = [(path: output, bytes: schema.json)]
        if FileFacts.isFolder(output) {
            let folder = output.hasBytes(suffix: "/") ? output : output + "/"
            files = try schema.objects.map { object in
                (folder + object.name + ".json", try QuerySchema(objects: [object]).json)
            }
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
