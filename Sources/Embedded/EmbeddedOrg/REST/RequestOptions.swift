// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension JSONValue {
    /// A flag of a request, or `false` if it is absent or null.
    ///
    /// - Throws: the error for a value that is not a boolean. As on the platform, its text is accepted as well.
    func flag(_ name: String) throws(OrgFault) -> Bool {
        guard let value = self[name], !value.isNull else { return false }
        if let flag = value.bool ?? ["true": true, "false": false][value.string ?? ""] { return flag }
        throw .parser("Cannot deserialize value of type `boolean` at \(name)")
    }

    /// A string of a request, or `nil` if it is absent or null.
    ///
    /// - Throws: the error for a value that is not a text.
    func text(_ name: String) throws(OrgFault) -> String? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .parser("Cannot deserialize value of type `string` at \(name)") }
        return text
    }
}
