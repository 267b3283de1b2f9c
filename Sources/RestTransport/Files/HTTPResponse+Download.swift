// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// Where a download belongs, and what has come of it so far: one for all attempts of a download.
    public final class Download: Sendable {
        /// The path at which the file appears when it is complete.
        public let path: String

        /// Makes the target of one download.
        public init(path: String) {
            self.path = path
        }
    }
}
