// SPDX-License-Identifier: Apache-2.0

/// A path inside of the box, other than its root: its names in the case that they were given in.
///
/// Paths are compared without case.
struct BoxPath: Sendable, Hashable {
    /// As it was given: `/Reports/May.txt`.
    let display: String
    /// In lower case, by which entries are found.
    let lower: String

    /// The longest name of a file or folder, in characters.
    private static let longestName = 255

    private init(display: String, lower: String) {
        self.display = display
        self.lower = lower
    }

    /// `nil` for what can be no path: empty names, `.` and `..`, names that are too long, control characters.
    init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        let names = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy(Self.isName) else { return nil }
        self.init(display: text, lower: text.lowercased())
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.count <= longestName && !name.contains("\\")
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// The last name.
    var name: String { Self.name(of: display) }
    /// The folder in lower case; empty for the root.
    var parent: String { Self.parent(of: lower) }

    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
    static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The paths of the folders that it is in, the outermost first.
    var ancestors: [BoxPath] {
        var paths: [BoxPath] = []
        for index in display.indices.dropFirst() where display[index] == "/" {
            if let path = BoxPath(String(display[..<index])) { paths.append(path) }
        }
        return paths
    }

    /// The same folder, with a number behind the name that another entry has: `/a (1).txt`.
    func renamed(_ number: Int) -> BoxPath {
        let folder = Self.parent(of: display)
        let name = name
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let display = "\(folder)/\(name[..<dot]) (\(number))\(name[dot...])"
        return BoxPath(display: display, lower: display.lowercased())
    }

    /// The same path as a part of another folder: what stands behind `old` moves behind `new`.
    func moved(from old: BoxPath, to new: BoxPath) -> BoxPath {
        let rest = display.dropFirst(old.display.count)
        return BoxPath(display: new.display + rest, lower: (new.display + rest).lowercased())
    }

    /// Whether it is inside of the folder.
    func isInside(_ folder: BoxPath) -> Bool { lower.hasPrefix(folder.lower + "/") }
}

/// What a route's argument calls a path: a path, an id, or a revision.
enum PathReference: Sendable, Hashable {
    case root
    case path(BoxPath)
    case id(String)
    case revision(String)

    /// `nil` for what is malformed.
    init?(_ text: String, namespace: String) {
        if text.isEmpty {
            self = .root
        } else if text.hasPrefix("id:") {
            self = .id(text)
        } else if text.hasPrefix("rev:") {
            self = .revision(String(text.dropFirst("rev:".count)))
        } else if text.hasPrefix("ns:") {
            let own = "ns:" + namespace
            guard text.hasPrefix(own) else { return nil }
            guard text.count > own.count + 1 else {
                self = .root
                return
            }
            guard let path = BoxPath(String(text.dropFirst(own.count))) else { return nil }
            self = .path(path)
        } else {
            guard let path = BoxPath(text) else { return nil }
            self = .path(path)
        }
    }
}
