// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// What a file here and one at Dropbox have to do with each other.
enum Comparison {
    /// There is only one of them.
    case alone
    case same
    case differs
    /// The file here cannot be read.
    case impossible(Problem)

    /// Compares the sizes, and if they are equal the content hashes.
    ///
    /// - Parameters:
    ///   - here: the file here, if there is one.
    ///   - place: where it is.
    ///   - there: the file at Dropbox, if there is one.
    init(_ here: LocalFile?, at place: String, _ there: RemoteFile?) async {
        guard let here, let there else {
            self = .alone
            return
        }
        guard here.size == there.size else {
            self = .differs
            return
        }
        do throws(RestError) {
            self = try await ContentHash.ofFile(at: place).text == there.metadata.contentHash ? .same : .differs
        } catch {
            self = .impossible(Problem(here.path, error.message))
        }
    }
}
