// SPDX-License-Identifier: Apache-2.0

/// How the names of paths are written, found by paths without regard to case, as Dropbox finds them.
struct Spelling {
    private var names: [String: String] = [:]

    /// Learns how the last name of a path is written.
    mutating func learn(_ path: String, name: String) {
        names[path.lowercased()] = name
    }

    /// Learns a path as it is written.
    mutating func learn(_ path: String) {
        learn(path, name: path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// A path in which every known name is written as it was learned.
    func spelled(_ path: String) -> String {
        var lower = ""
        let spelled = path.split(separator: "/", omittingEmptySubsequences: false).map { name in
            lower += (lower.isEmpty ? "" : "/") + name.lowercased()
            return names[lower] ?? String(name)
        }
        return spelled.joined(separator: "/")
    }
}
