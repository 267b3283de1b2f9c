// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg

extension JournalEntry {
    /// The value of a header field; `nil` when the request has none of that name.
    func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
