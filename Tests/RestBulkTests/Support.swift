// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import Testing

/// Asks without waiting long: the embedded org is quick.
let quick = BulkPatience(firstInterval: .milliseconds(2), longestInterval: .milliseconds(50), limit: .seconds(60))

extension LocalOrg {
    /// A client of the org's user.
    func client(_ configuration: RestClient.Configuration = .init()) throws -> RestClient {
        try RestClient(
            loginURL: instanceURL, clientID: clientID, clientSecret: Secret(clientSecret), configuration: configuration)
    }
}

/// Does something with an org, and stops it.
func withOrg(_ work: (LocalOrg, RestClient) async throws -> Void) async throws {
    let org = try await LocalOrg.start()
    do {
        try await work(org, try org.client())
    } catch {
        await org.stop()
        throw error
    }
    await org.stop()
}

/// All elements of a sequence, and how it ended.
func all<Elements: AsyncSequence>(_ elements: Elements) async -> ([Elements.Element], (any Error)?) {
    var found: [Elements.Element] = []
    do {
        for try await element in elements { found.append(element) }
        return (found, nil)
    } catch {
        return (found, error)
    }
}

/// The error that bulk work ends with; any other one is none that it may end with.
func failure<Result>(of work: () async throws -> Result) async -> BulkError? {
    do {
        _ = try await work()
        return nil
    } catch {
        let found = error as? BulkError
        if found == nil { Issue.record(error) }
        return found
    }
}

/// A client of a platform that a test plays.
func client(of platform: some HTTPTransport, clock: any MonotonicClock = ManualClock(alarmsBeyond: .seconds(45))) throws
    -> RestClient
{
    var configuration = RestClient.Configuration(transport: platform, clock: clock)
    configuration.retryPolicy = .never
    return try RestClient(
        instanceURL: "https://example.my.salesforce.com", accessToken: "token", configuration: configuration)
}
