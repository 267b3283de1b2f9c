// SPDX-License-Identifier: Apache-2.0

/// A file of a spec.
package struct StoneSource: Sendable {
    /// Its path, for messages.
    package let path: String
    /// Its content, which should be UTF-8.
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }
}
