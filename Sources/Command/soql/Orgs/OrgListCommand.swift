// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension Verb {
    static let orgList = Verb("org list", "lists the orgs that run in the background", Option.output) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return OrgListCommand(output: OutputOptions(arguments))
    }
}

/// Lists the orgs that run; what others left behind is taken away.
struct OrgListCommand: Command {
    let output: OutputOptions

    func run() async throws {
        let rows = try OrgPlaces.running().map { name, org -> JSONObject in
            [
                "name": JSONValue(name), "address": JSONValue(org.address), "process": JSONValue(Int(org.process)),
                "started": JSONValue(org.started), "username": JSONValue(org.username),
            ]
        }
        guard !rows.isEmpty || output.format != nil else {
            return StandardOutput.note("No org runs. Start one with 'soql org start --background'.")
        }
        try await RecordList.print(rows, columns: ["name", "address", "process", "started", "username"], output)
    }
}
