// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBulk

/// Exports from an org or loads records into it, for tests that kill the process.
///
///     bulkworker export PORT TOKEN FILE
///     bulkworker load PORT TOKEN FILE JOURNAL
@main
struct BulkWorker {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 4, let port = UInt16(words[1]) else {
            FileHandle.standardError.write(Data("bulkworker export|load PORT TOKEN FILE [JOURNAL]\n".utf8))
            exit(64)
        }
        let client = try RestClient(instanceURL: "http://127.0.0.1:\(port)", accessToken: Secret(words[2]))
        let patience = BulkPatience(firstInterval: .milliseconds(2), longestInterval: .milliseconds(20))
        if words[0] == "export" {
            let options = BulkQuery.Options(pageRows: 5, patience: patience)
            let query = client.bulk.query("SELECT Id, Name FROM Account ORDER BY Id", options: options)
            _ = try await query.export(to: words[3])
        } else {
            let load = client.bulk.ingest(
                .insert, into: "Account", from: .csv(path: words[3]), journal: words[4],
                options: BulkLoad.Options(rowsPerJob: 50, jobsAtOnce: 2, patience: patience))
            try await load.run()
        }
    }
}
