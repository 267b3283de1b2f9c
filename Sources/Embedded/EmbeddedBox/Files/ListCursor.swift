// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// Where a listing stands: all of it is in its text, so that it survives a restart of the box.
struct ListCursor: Sendable, Equatable {
    let namespace: String
    /// In lower case; empty for the root.
    var folder: String
    var isRecursive: Bool
    var includesDeleted: Bool
    var limit: Int
    /// Cursors of earlier epochs are reset.
    var epoch: Int64
    /// The changes up to this one have been seen.
    var number: Int64
    /// While the first listing goes on, the path that was listed last.
    var last: String?

    var text: String {
        let value: JSONValue = [
            "namespace": JSONValue(namespace), "folder": JSONValue(folder), "recursive": JSONValue(isRecursive),
            "deleted": JSONValue(includesDeleted),
            "limit": JSONValue(limit), "epoch": JSONValue(epoch), "number": JSONValue(number),
            "last": last.map { JSONValue($0) } ?? .null,
        ]
        let body = value.bytes()
        return Base64.encodeForURL(Digest.sha256(body).prefix(6) + body)
    }

    init(
        namespace: String, folder: String, isRecursive: Bool, includesDeleted: Bool, limit: Int, epoch: Int64,
        number: Int64, last: String?
    ) {
        (self.namespace, self.folder) = (namespace, folder)
        self.isRecursive = isRecursive
        self.includesDeleted = includesDeleted
        self.limit = limit
        self.epoch = epoch
        self.number = number
        self.last = last
    }

    /// `nil` for a text that the box did not make.
    init?(_ text: String) {
        guard let bytes = Base64.decodeForURL(text), bytes.count > 6,
            Digest.sha256(bytes.dropFirst(6)).prefix(6).elementsEqual(bytes.prefix(6)),
            let value = try? JSONValue(parsing: Array(bytes.dropFirst(6))), let namespace = value["namespace"]?.string,
            let folder = value["folder"]?.string,
            let isRecursive = value["recursive"]?.bool, let includesDeleted = value["deleted"]?.bool,
            let limit = value.count("limit"), let epoch = value.count("epoch"), let number = value.count("number")
        else { return nil }
        self.init(
            namespace: namespace, folder: folder, isRecursive: isRecursive, includesDeleted: includesDeleted,
            limit: min(max(limit, 1), 2_000), epoch: Int64(epoch), number: Int64(number), last: value["last"]?.string)
    }
}
