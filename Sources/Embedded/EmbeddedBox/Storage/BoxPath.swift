// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A path in an account, except the root, with names in their original case.
///
/// Paths are compared byte by byte in lower case. "é" as one scalar and as a letter with an accent are two names,
/// although they are equal as Swift strings.
struct BoxPath: Sendable {
    /// The path in its original case, such as `/Reports/May.txt`.
    let display: String
    /// The path in lower case, which identifies the entry.
    let lower: String

    /// The maximum length of a name, in Unicode scalars.
    private static let longestName = 255

    init(display: String, lower: String) { (self.display, self.lower) = (display, lower) }

    /// Returns `nil` for an invalid path: empty names, `.`, `..`, long names or control characters.
    init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        let slash = UInt8(ascii: "/")
        let names = text.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false).map(Substring.init)
        guard names.allSatisfy(Self.isName) else { return nil }
        self.init(display: text, lower: text.lowercased())
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name != "." && name != ".."
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
            && (name.utf8.count <= longestName || name.unicodeScalars.count <= longestName)
    }

    var name: String { Self.name(of: display) }
    /// The parent folder in lower case, or an empty string for the root.
    var parent: String { Self.parent(of: lower) }

    static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    static func parent(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// The paths of all parent folders, the outermost first.
    var ancestors: [BoxPath] {
        var paths: [BoxPath] = []
        for index in display.utf8.indices.dropFirst() where display.utf8[index] == UInt8(ascii: "/") {
            if let path = BoxPath(String(display[..<index])) { paths.append(path) }
        }
        return paths
    }

    /// Returns the path with a number after its name: `/a (1).txt`.
    func renamed(_ number: Int) -> BoxPath {
        let (folder, name) = (Self.parent(of: display), name)
        let dot = name.lastIndex(byte: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let display = "\(folder)/\(name[..<dot]) (\(number))\(name[dot...])"
        return BoxPath(display: display, lower: display.lowercased())
    }

    /// Returns the path after its parent `old` was moved to `new`.
    func moved(from old: BoxPath, to new: BoxPath) -> BoxPath {
        // Slashes are counted because the old path may have had other letters.
        let depth = old.display.utf8.count { $0 == UInt8(ascii: "/") }
        let names = display.split(byte: "/", omittingEmptySubsequences: false).dropFirst(depth + 1)
        let moved = ([new.display[...]] + names).joined(separator: "/")
        return BoxPath(display: moved, lower: moved.lowercased())
    }

    func isInside(_ folder: BoxPath) -> Bool { lower.utf8.starts(with: (folder.lower + "/").utf8) }

    /// Whether both paths identify the same entry.
    func meansSame(as other: BoxPath) -> Bool { lower.utf8.elementsEqual(other.lower.utf8) }
}

/// A reference to an entry in an argument: a path, an ID or a revision.
enum PathReference: Sendable {
    case root
    case path(BoxPath)
    case id(String)
    case revision(String)

    /// Returns `nil` for a malformed reference.
    init?(_ text: String, namespace: String) {
        if text.isEmpty {
            self = .root
        } else if text.hasBytes(prefix: "id:") {
            self = .id(text)
        } else if let revision = text.removing(prefix: "rev:") {
            self = .revision(String(revision))
        } else if text.hasBytes(prefix: "ns:") {
            guard let rest = text.removing(prefix: "ns:" + namespace) else { return nil }
            guard rest.utf8.count > 1 else {
                self = .root
                return
            }
            guard let path = BoxPath(String(rest)) else { return nil }
            self = .path(path)
        } else {
            guard let path = BoxPath(text) else { return nil }
            self = .path(path)
        }
    }
}
