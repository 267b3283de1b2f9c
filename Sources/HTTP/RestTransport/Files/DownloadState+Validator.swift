// SPDX-License-Identifier: Apache-2.0

extension DownloadState {
    /// What tells one state of a resource from all others (RFC 9110 §8.8.1).
    enum Validator: Equatable, Sendable {
        /// A strong entity tag.
        case tag(String)
        /// A time of the last change that is strong.
        case date(String)

        /// The least time between the last change and the answer, in seconds: then the resource did not change again
        /// within the second that the field tells, also when two clocks of the server disagree a little.
        private static let rest: Int64 = 60

        /// The strong validator of an answer; `nil` when there is none.
        ///
        /// A time counts only where there is no tag at all (RFC 9110 §13.1.5).
        init?(of head: HTTPResponse.Head) {
            guard head.fields["Accept-Ranges"]?.isEqualIgnoringASCIICase(to: "none") != true else { return nil }
            let tags = head.fields.values(of: "ETag")
            guard tags.isEmpty else {
                guard tags.count == 1, Self.isStrong(tags[0]) else { return nil }
                self = .tag(tags[0])
                return
            }
            let dates = head.fields.values(of: "Last-Modified")
            guard dates.count == 1, let change = HTTPDate(dates[0]),
                let now = head.fields["Date"].flatMap(HTTPDate.init),
                now.secondsSince1970 - change.secondsSince1970 >= Self.rest
            else { return nil }
            self = .date(dates[0])
        }

        /// The value of an `If-Range` field.
        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }

        /// Whether an answer is of the same state.
        ///
        /// A part of a resource repeats its tag (RFC 9110 §15.3.7), and need not repeat the time.
        func isSame(in head: HTTPResponse.Head) -> Bool {
            switch self {
            case .tag(let text): head.fields.values(of: "ETag") == [text]
            case .date(let text): head.fields.values(of: "Last-Modified").allSatisfy { $0 == text }
            }
        }

        /// Whether the text is an entity tag that is not weak (RFC 9110 §8.8.3).
        private static func isStrong(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
                return false
            }
            return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
        }
    }
}
