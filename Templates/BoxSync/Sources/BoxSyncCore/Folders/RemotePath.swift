// SPDX-License-Identifier: Apache-2.0

/// Where something is at Dropbox: empty for the root, else `/Name/Name`.
struct RemotePath: Equatable {
    let text: String

    /// Takes what somebody typed: with or without slashes around it.
    init(_ text: String) {
        self.text = text.split(separator: "/").map { "/\($0)" }.joined()
    }

    /// The path of something below it.
    func appending(_ path: String) -> String { "\(text)/\(path)" }

    /// Why a file of this machine cannot be at Dropbox under its path; `nil` if it can.
    ///
    /// Dropbox refuses more, such as names of other programs' temporary files; that the server says of each file.
    static func problem(of path: String) -> String? {
        for name in path.split(separator: "/") {
            if name.contains("\\") { return "Dropbox takes no name with a backslash" }
            if name.count > 255 { return "Dropbox takes no name of more than 255 characters" }
            if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                return "Dropbox takes no name with control characters"
            }
        }
        return nil
    }
}
