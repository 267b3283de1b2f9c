// SPDX-License-Identifier: Apache-2.0

/// A file to be written.
package struct SwiftFile: Sendable, Hashable {
    /// Its path below the output folder.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        (self.path, self.text) = (path, text)
    }
}
