// SPDX-License-Identifier: Apache-2.0

public import RestSDK

extension RestError.Code {
    /// Other content arrived than was sent, by its content hash; transfer it again.
    public static let contentHash = RestError.Code(rawValue: "contentHash")

    /// The journal of an upload cannot be used: another process has it, it is of another user, it is no journal, or the
    /// disk is full.
    public static let journal = RestError.Code(rawValue: "journal")

    /// There is a file at the place of a download that may not overwrite it; it stays as it is.
    ///
    /// Choose another place, or let the download overwrite it.
    public static let fileExists = RestError.Code(rawValue: "fileExists")
}
