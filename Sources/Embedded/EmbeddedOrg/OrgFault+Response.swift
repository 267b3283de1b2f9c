// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

extension OrgFault {
    /// The refusal as an answer.
    var response: ServerResponse {
        var writer = JSONWriter()
        writer.beginArray()
        writer.beginObject()
        writer.key("message")
        writer.string(message)
        writer.key("errorCode")
        writer.string(code)
        if !fields.isEmpty {
            writer.key("fields")
            writer.beginArray()
            for field in fields { writer.string(field) }
            writer.endArray()
        }
        writer.endObject()
        writer.endArray()
        var response = ServerResponse.json(status, writer.bytes)
        // What is in the way now may have gone in a moment.
        if status == 503 { response.fields.append(("Retry-After", "1")) }
        if !allowed.isEmpty { response.fields.append(("Allow", allowed.joined(separator: ", "))) }
        return response
    }
}

extension OrgFault {
    /// What the server refuses by itself, in the platform's words.
    init(_ refusal: ServerRefusal) {
        self.init(refusal.status, refusal.code, refusal.message)
    }
}
