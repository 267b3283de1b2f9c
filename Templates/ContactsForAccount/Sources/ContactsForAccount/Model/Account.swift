// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The data of an account in the app.
struct Account: Decodable, Identifiable, Hashable, Sendable {
    let id: String
    let name: String
    let industry: String?

    enum CodingKeys: String, CodingKey {
        case id = "Id"
        case name = "Name"
        case industry = "Industry"
    }

    /// The ten accounts with the largest revenue.
    static let largest: SOQL = """
        SELECT Id, Name, Industry FROM Account ORDER BY AnnualRevenue DESC NULLS LAST, Id LIMIT 10
        """
}
