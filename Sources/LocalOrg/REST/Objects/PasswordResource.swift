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
        _ = try store.facts(call.rest[2], of: object)
        let isLogin = RecordID.normalized(call.rest[2]) == store.userID
        switch call.method {
        case "GET": return .json(value: ["isExpired": false])
        case "DELETE":
            let password = RandomText.make(12)
            if isLogin { users.change(password) }
            return .json(value: ["NewPassword": JSONValue(password)])
        default:
            guard let password = try RecordInput.members(call.request.body)["NewPassword"]?.string else {
                throw OrgFault(400, "MISSING_ARGUMENT", "NewPassword is missing")
            }
            guard (8...16_000).contains(password.utf8.count) else {
                throw OrgFault(400, "INVALID_NEW_PASSWORD", "Your password must be at least 8 characters long.")
            }
            // Only one user can log in; the password of another one is nowhere asked for.
            if isLogin { users.change(password) }
            return .empty(204)
        }
    }
}
