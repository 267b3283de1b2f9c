// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The data of an account in the list.
struct Account: Equatable {
    let name: String
    let phone: String?

    init(name: String, phone: String?) {
        (self.name, self.phone) = (name, phone)
    }

    /// Reads a record of the response, or returns `nil` if the record has no name.
    init?(_ record: JSONValue) {
        guard let name = record["Name"]?.string else { return nil }
        self.init(name: name, phone: record["Phone"]?.string)
    }
}
