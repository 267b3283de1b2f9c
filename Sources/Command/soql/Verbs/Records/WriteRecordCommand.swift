// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// Writes one record.
struct WriteRecordCommand: Command {
    enum Target {
        case create([FieldAssignment])
        case update(id: String, [FieldAssignment])
        case upsert(String, String, [FieldAssignment])
        case delete(id: String)
    }

    private let target: Target
    private let object: String
    private let null: String
    private let isDryRun: Bool
    private let arguments: Arguments
    private let confirmation: Confirmation
    private let connection: ConnectionOptions

    init(_ target: Target, of object: String, _ arguments: Arguments) throws(UsageError) {
        let rowOptions = [Option.rows, .rowFormat, .failedRows, .allOrNone].filter { arguments.has($0) }
        if let option = rowOptions.first { throw UsageError("\(option.name) is for rows, and a record was given") }
        (self.target, self.object) = (target, object)
        self.arguments = arguments
        null = arguments[.null] ?? RowFormat.null
        isDryRun = arguments.has(.dryRun)
        var isDestructive = false
        if case .delete = target { isDestructive = true }
        confirmation = try Confirmation(arguments, isDestructive: isDestructive)
        connection = try ConnectionOptions(arguments)
    }

    func run() async throws {
        try await Connection.work(connection, on: object) { try await write(by: $0) }
    }

    private func write(by client: RestClient) async throws {
        let request = try await request(client)
        guard !isDryRun else {
            try DryRun.print(request, of: client)
            return DryRun.end()
        }
        if case .delete(let id) = target { try await confirmation.ask("delete \(object) \(id)", of: client) }
        try report(try await client.write(request).payload)
    }

    private func request(_ client: RestClient) async throws -> RestRequest {
        if case .delete(let id) = target { return .delete(object, id: id) }
        let form = RecordForm(object: try await client.describe(object), null: null)
        switch target {
        case .create(let fields): return .create(form.object.name, try form.record(fields))
        case .update(let id, let fields): return .update(form.object.name, id: id, try form.record(fields))
        case .upsert(let field, let value, let fields):
            let name = try form.column(field).name
            return .upsert(form.object.name, externalID: name, value, try form.record(fields))
        case .delete(let id): return .delete(object, id: id)
        }
    }

    /// The id goes to standard output, for scripts.
    private func report(_ answer: RestPayload) throws {
        switch target {
        case .create, .upsert:
            if let id = answer["id"]?.string { try StandardOutput.write("\(id.singleLine)\n") }
            guard case .upsert = target else { return }
            arguments.note(answer["created"]?.bool == false ? "Updated." : "Created.")
        case .update(let id, _): arguments.note("Updated \(id).")
        case .delete(let id): arguments.note("Deleted \(id).")
        }
    }
}
