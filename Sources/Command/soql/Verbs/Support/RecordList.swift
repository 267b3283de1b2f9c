// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Prints records that come from elsewhere than a query, in the format that was asked for.
enum RecordList {
    /// Prints a whole list, each record with a value or null for every column.
    ///
    /// Without a destination they go where the options say.
    static func print(
        _ records: [JSONObject], columns: [String], _ options: OutputOptions, to destination: OutputDestination? = nil
    ) async throws {
        let list = JSONArray(records.map { JSONValue($0) })
        let show: @Sendable (OutputDestination) throws -> Void = { destination in
            var output = RecordOutput(fields: columns, options: options, to: destination)
            try output.print(list, of: list.count)
            try output.finish(isWhole: true)
        }
        if let destination { return try show(destination) }
        try await OutputDestination.open(options) { try show($0) }
    }
}

extension Arguments {
    /// Tells the user something on standard error, unless nothing but errors is wanted.
    func note(_ text: String) {
        if !has(.quiet) { StandardOutput.note(text) }
    }
}
