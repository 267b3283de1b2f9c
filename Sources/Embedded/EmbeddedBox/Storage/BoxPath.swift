// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A path inside of the box, other than its root: its names in the case that they were given in.
///
/// Paths are compared without case, and else byte by byte: "é" as one scalar and as a letter with an accent behind it
/// are two names, although Swift's texts are equal.
struct BoxPath: Sendable {
    /// As it was given: `/Reports/May.txt`.
    let display: String
    /// In lower case, by which entries are found.
    let lower: String

    /// The longest name of a file or folder, in Unicode scalars.
    private static let longestName = 255

    /// A path that was checked before.
    init(display: String, lower: String) {
        self.display = display
        self.lower = lower
    }

    /// `nil` for what can be no path: empty names, `.` and `..`, names that are too long, control characters.
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

    /// The last name.
    var name: String { Self.name(of: display) }
    /// The folder in lower case; empty for the root.
    var parent: String { Self.parent(of: lower) }

    static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    static func parent(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// The paths of the folders that it is in, the outermost first.
    var ancestors: [BoxPath] {
        var paths: [BoxPath] = []
        for index in display.utf8.indices.dropFirst() where display.utf8[index] == UInt8(ascii: "/") {
            if let path = BoxPath(String(display[..<index])) { paths.append(path) }
        }
        return paths
    }

    /// The same folder, with a number behind the name that another entry has: `/a (1).txt`.
    func renamed(_ number: Int) -> BoxPath {
        let (folder, name) = (Self.parent(of: display), name)
        let dot = name.lastIndex(byte: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let display = "\(folder)/\(name[..<dot]) (\(number))\(name[dot...])"
        return BoxPath(display: display, lower: display.lowercased())
    }

    /// The same path as a part of another folder: what stands behind `old` moves behind `new`.
    func moved(from old: BoxPath, to new: BoxPath) -> BoxPath {
        // By bytes: the old path may have been written with other letters, but its names end where slashes are.
        let depth = old.display.utf8.count { $0 == UInt8(ascii: "/") }
        let names = display.split(byte: "/", omittingEmptySubsequences: false).dropFirst(depth + 1)
        let moved = ([new.display[...]] + names).joined(separator: "/")
        return BoxPath(display: moved, lower: moved.lowercased())
    }

    /// Whether it is inside of the folder.
    func isInside(_ folder: BoxPath) -> Bool { lower.utf8.starts(with: (folder.lower + "/").utf8) }

    /// Whether both are paths of one entry.
    func meansSame(as other: BoxPath) -> Bool { lower.utf8.elementsEqual(other.lower.utf8) }
}

/// What a route's argument calls a path: a path, an id, or a revision.
enum PathReference: Sendable {
    case root
    case path(BoxPath)
    case id(String)
    case revision(String)

    /// `nil` for what is malformed.
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
