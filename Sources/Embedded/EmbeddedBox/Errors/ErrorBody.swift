// SPDX-License-Identifier: Apache-2.0

import RestJSON
import StoneRuntime

/// `{"error_summary", "error"}` around an error of the specs.
enum ErrorBody {
    static func bytes(of error: some StoneType) -> [UInt8] {
        guard let bytes = try? error.json(), let value = try? JSONValue(parsing: bytes) else { return Array("{}".utf8) }
        return Self.bytes(of: value)
    }

    static func bytes(of error: JSONValue) -> [UInt8] {
        let body: JSONValue = ["error_summary": JSONValue(summary(of: error)), "error": error]
        return body.bytes()
    }

    /// The tags from the outside in, and a mark that is not to be relied on, as in `path/not_found/..`.
    static func summary(of error: JSONValue) -> String {
        var tags: [String] = []
        var next: JSONValue? = error
        while let value = next, let tag = value[".tag"]?.string {
            tags.append(tag)
            // A struct around an error names it `reason`.
            next = value[tag] ?? value["reason"]
        }
        return tags.joined(separator: "/") + "/.."
    }
}
