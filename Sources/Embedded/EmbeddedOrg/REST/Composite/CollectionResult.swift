// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// The result of one record of a collection.
enum CollectionResult: Sendable {
    case saved(Saved)
    case failed(OrgFault)

    struct Saved: Sendable {
        let id: String
        /// Whether an upsert made it; `nil` for other calls.
        var isNew: Bool?
    }

    var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    static func response(_ results: [CollectionResult]) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginArray()
        for result in results { result.write(to: &writer) }
        writer.endArray()
        return .json(200, writer.bytes)
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if case .saved(let saved) = self { writer.member("id", saved.id) }
        writer.member("success", !isFailure)
        writer.key("errors")
        writer.beginArray()
        if case .failed(let fault) = self { Self.write(fault, to: &writer) }
        writer.endArray()
        if case .saved(let saved) = self, let isNew = saved.isNew { writer.member("created", isNew) }
        writer.endObject()
    }

    /// Writes a fault as results of records state it.
    static func write(_ fault: OrgFault, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("statusCode", fault.code)
        writer.member("message", fault.message)
        writer.key("fields")
        writer.beginArray()
        for field in fault.fields { writer.string(field) }
        writer.endArray()
        writer.endObject()
    }
}

extension OrgFault {
    static let rolledBack = OrgFault(
        400, "ALL_OR_NONE_OPERATION_ROLLED_BACK",
        "Record rolled back because not all records were valid and the request was using AllOrNone header")
}
