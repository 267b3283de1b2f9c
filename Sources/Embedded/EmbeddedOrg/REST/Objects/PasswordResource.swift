// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/sobjects/User/ID/password`: whether a password has expired, a new one, or one that the org makes.
struct PasswordResource {
    let store: RecordStore
    let users: UserLogin

    func answer(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "POST", "DELETE")
        let name = try object.field(named: "Username").flatMap { (field) throws(OrgFault) in
            try store.text(field, call.rest[2], of: object)
        }
        let id = RecordID.normalized(call.rest[2]) ?? ""
        switch call.method {
        case "GET": return .json(value: ["isExpired": false])
        case "DELETE":
            let password = RandomText.make(12)
            users.change(password, of: id, username: name ?? id)
            return .json(value: ["NewPassword": JSONValue(password)])
        default:
            guard let password = try RecordInput.members(call.request.body)["NewPassword"]?.string else {
                throw OrgFault(400, "MISSING_ARGUMENT", "NewPassword is missing")
            }
            guard (8...16_000).contains(password.utf8.count) else {
                throw OrgFault(400, "INVALID_NEW_PASSWORD", "Your password must be at least 8 characters long.")
            }
            users.change(password, of: id, username: name ?? id)
            return .empty(204)
        }
    }
}
