// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// What the list shows of an account.
struct Account: Equatable {
    let name: String
    let phone: String?

    init(name: String, phone: String?) {
        (self.name, self.phone) = (name, phone)
    }

    /// Reads a record of the answer; `nil` for one without a name.
    init?(_ record: JSONValue) {
        guard let name = record["Name"]?.string else { return nil }
        self.init(name: name, phone: record["Phone"]?.string)
    }
}
