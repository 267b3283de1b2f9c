// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// The body of a record with a file: a part in JSON, and a part of bytes whose name is the file's field.
struct MultipartRecord {
    let members: JSONObject

    /// Puts the bytes in base 64 under the name of their part.
    init(_ request: ServerRequest) throws(OrgFault) {
        let parts = try MultipartBody(request).parts
        guard parts.count == 2, let record = parts.first(where: { $0.type == "application/json" }),
            let file = parts.first(where: { $0.bytes.startIndex != record.bytes.startIndex }), let name = file.name
        else { throw .invalidInput("The body must have one part in JSON and one with bytes.") }
        var members = try RecordInput.members(Array(record.bytes))
        members[name] = JSONValue(Base64.encode(Array(file.bytes)))
        self.members = members
    }
}
