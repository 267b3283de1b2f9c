// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// Reads every record of a query in a separate process with its own memory.
///
/// The org is in the environment, the query in the arguments. The output is one line: records, seconds, peak memory in
/// bytes.
func readRecords() async throws {
    let environment = ProcessInfo.processInfo.environment
    let arguments = CommandLine.arguments
    guard let url = environment["SF_INSTANCE_URL"], let token = environment["SF_ACCESS_TOKEN"], arguments.count == 4
    else {
        throw CommandFailed(command: "reader", status: 2)
    }
    let client = try RestClient(instanceURL: url, accessToken: Secret(token))
    let query = SOQL(raw: arguments[3])
    var count = 0
    let elapsed = try await seconds {
        if arguments[2] == "typed" {
            for try await row in client.records(query, as: AccountRow.self) where !row.Id.isEmpty { count += 1 }
        } else if arguments[2] == "pages" {
            for try await page in client.pages(query) { count += page.records.count }
        } else {
            for try await record in client.records(query) where record["Name"]?.string != nil { count += 1 }
        }
    }
    print("\(count) \(elapsed) \(ProcessMemory.peak ?? 0)")
}

private struct AccountRow: Decodable, Sendable {
    let Id: String
    let Name: String
    let Industry: String?
    let AnnualRevenue: Double
    let NumberOfEmployees: Int
    let IsActive__c: Bool
    let Phone: String
    let BillingCity: String
    let Description: String
    let CreatedDate: String
}
