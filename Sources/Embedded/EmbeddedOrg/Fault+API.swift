// SPDX-License-Identifier: Apache-2.0

public import LocalServer
import SOQLStore

extension Fault {
    /// Responds with this status and an API error instead of handling the request.
    public static func status(
        _ status: Int, code: String = "UNKNOWN_EXCEPTION", message: String = "An unexpected error occurred.",
        fields: [String: String] = [:]
    ) -> Fault {
        let body = OrgError(code, message).response.body
        return .response(status, "application/json;charset=UTF-8", status == 204 ? [] : body, fields)
    }
}
