// SPDX-License-Identifier: Apache-2.0

package import RestJSON

/// Why a value does not fit its type, as readers throw it: one word, which becomes an error with a path where the
/// reading began.
public struct StoneFailure: Error {
    private final class Details: Sendable {
        let reason: JSONDecodingError.Reason
        let place: Int
        let member: String?
        let message: String

        init(_ reason: JSONDecodingError.Reason, _ place: Int, _ member: String?, _ message: String) {
            (self.reason, self.place, self.member, self.message) = (reason, place, member, message)
        }
    }

    private let details: Details

    init(_ reason: JSONDecodingError.Reason, at place: Int, member: String? = nil, _ message: String) {
        details = Details(reason, place, member, message)
    }

    /// The error with the path from the value where the reading began.
    package func error(from root: Int, in document: JSONDocument) -> JSONDecodingError {
        let path = document.path(from: root, to: details.place) + (details.member.map { [jsonKey($0)] } ?? [])
        return JSONDecodingError(reason: details.reason, codingPath: path, message: details.message)
    }
}
