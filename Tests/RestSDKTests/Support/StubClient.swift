// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting

extension RestClient {
    /// A client of a transport that answers from a script.
    static func of(
        _ stub: StubTransport, _ change: (inout RestClient.Configuration) -> Void = { _ in }
    ) throws -> RestClient {
        var configuration = RestClient.Configuration(transport: stub)
        change(&configuration)
        return try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t", configuration: configuration)
    }
}
