// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension RESTRouter.Call {
    private static let conditions = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]

    /// Whether the request changes one record, which is the only kind of write with conditions.
    private var changesOneRecord: Bool {
        ["PATCH", "DELETE"].contains(method) && rest.first == "sobjects" && rest.count > 2 && rest.last != "password"
    }

    /// Rejects a write with conditions that its resource would ignore.
    func checkConditions() throws(OrgFault) {
        guard ["POST", "PATCH", "PUT", "DELETE"].contains(method), !changesOneRecord,
            let name = Self.conditions.first(where: { request.fields[$0] != nil })
        else { return }
        throw OrgFault(400, "INVALID_HEADER", "\(name) is only supported for reads and for changes of one record")
    }
}
