// SPDX-License-Identifier: Apache-2.0

import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Conditions of a call (RFC 9110 §13).
///
/// A read whose condition is not met is answered with 304: a success without content. A change is refused with status
/// 412: ``RestError/Code/api``, and nothing was changed. The platform looks at dates for records and descriptions of
/// objects, and at entity tags for accounts; others may ignore conditions.
extension RestRequest {
    /// The same call, answered only if the resource was changed after the date.
    public func ifModifiedSince(_ date: Date) -> RestRequest { condition("If-Modified-Since", date) }

    /// The same call, done only if the resource was not changed after the date.
    ///
    /// The date counts to the second.
    public func ifUnmodifiedSince(_ date: Date) -> RestRequest { condition("If-Unmodified-Since", date) }

    /// The same call, done only if the resource has one of these entity tags, as `ETag` gave them, quotes included.
    public func ifMatch(_ tags: String...) -> RestRequest { condition("If-Match", tags) }

    /// The same call, answered only if the resource has none of these entity tags.
    public func ifNoneMatch(_ tags: String...) -> RestRequest { condition("If-None-Match", tags) }

    /// Always in GMT and English, whatever the machine speaks.
    private func condition(_ field: String, _ date: Date) -> RestRequest {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let date = Int64(exactly: seconds).flatMap({ HTTPDate(secondsSince1970: $0).text }) else {
            return refused("date", "must be in the years 1 to 9999")
        }
        return self.field(field, date)
    }

    private func condition(_ field: String, _ tags: [String]) -> RestRequest {
        guard !tags.isEmpty, tags.allSatisfy(\.isEntityTag) else {
            return refused("tags", "must be entity tags with their quotes, as the server gave them")
        }
        return self.field(field, tags.joined(separator: ", "))
    }
}

extension String {
    /// `"opaque"` or `W/"opaque"` (RFC 9110 §8.8.3).
    fileprivate var isEntityTag: Bool {
        let quoted = utf8.starts(with: "W/".utf8) ? utf8.dropFirst(2) : utf8[...]
        guard quoted.count >= 2, quoted.first == UInt8(ascii: "\""), quoted.last == UInt8(ascii: "\"") else {
            return false
        }
        return quoted.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}
