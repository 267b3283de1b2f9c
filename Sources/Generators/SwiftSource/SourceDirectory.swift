// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The mark in the third line of a generated file: `// Written by stonegen 1 (module: NotesAPI) …`.
package struct SourceMark: Sendable {
    package let tool: String
    /// The label and the value that all files of one call have, such as `module` and its name.
    package let label: String, value: String

    package init(tool: String, label: String, value: String) {
        (self.tool, self.label, self.value) = (tool, label, value)
    }

    /// Returns the value in the mark of a text, or `nil` if the command did not generate the text.
    package func value(in text: String) -> String? {
        let lines = text.split(byte: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count > 2, lines[1] == "// swift-format-ignore-file",
            lines[2].hasBytes(prefix: "// Written by \(tool) "),
            let start = lines[2].firstRange(bytes: "(\(label): ")
        else { return nil }
        return String(lines[2][start.upperBound...].prefix(beforeAny: ";)"))
    }
}

/// The directory of generated source files.
///
/// Only files with the mark are changed or removed, and only in the directory and its direct subdirectories. Symbolic
/// links are not followed, because their targets do not belong to the command.
package struct SourceDirectory {
    package let path: String
    let mark: SourceMark

    /// The item at a path in the directory.
    enum Entry {
        case nothing
        /// The contents of a file with the mark.
        case own(String)
        /// Another item, with its description.
        case foreign(String)
    }

    package init(_ path: String, _ mark: SourceMark) throws(SourceFault) {
        self.path = path
        self.mark = mark
        switch FileKind(behind: path) {
        case .nothing, .folder: break
        default: throw SourceFault("\(path) is not a directory; choose another --output")
        }
    }

    func entry(_ file: String) throws(SourceFault) -> Entry {
        let names = file.split(byte: "/")
        for count in 1..<max(1, names.count) {
            switch FileKind(at: ([path[...]] + names.prefix(count)).joined(separator: "/")) {
            case .nothing: return .nothing
            case .folder: break
            case .symbolicLink: return .foreign("is in a directory that is a symbolic link")
            case .file, .other: return .foreign("cannot be created inside a file")
            }
        }
        let place = "\(path)/\(file)"
        switch FileKind(at: place) {
        case .nothing: return .nothing
        case .folder: return .foreign("is a directory")
        case .symbolicLink: return .foreign("is a symbolic link")
        case .other: return .foreign("is not a regular file")
        case .file:
            let text = String(decoding: try bytes(of: place), as: UTF8.self)
            guard let value = mark.value(in: text) else { return .foreign("was not written by \(mark.tool)") }
            return value == mark.value ? .own(text) : .foreign("was written for the \(mark.label) \(value)")
        }
    }

    /// Returns the paths of the files in the directory that have the mark.
    func ownFiles() throws(SourceFault) -> Set<String> {
        var own: Set<String> = []
        for name in try names(in: path) {
            var files = [name]
            if case .folder = FileKind(at: "\(path)/\(name)") {
                files = try names(in: "\(path)/\(name)").map { "\(name)/\($0)" }
            }
            for file in files where file.hasBytes(suffix: ".swift") {
                if case .own = try entry(file) { own.insert(file) }
            }
        }
        return own
    }

    /// Writes a file under a temporary name.
    func stage(_ file: SwiftFile) throws(SourceFault) {
        do {
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: place(of: file.path)).deletingLastPathComponent(),
                withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: URL(fileURLWithPath: staged(file.path)))
        } catch {
            throw SourceFault("\(place(of: file.path)) cannot be written: \(SourceFault.reason(error))")
        }
    }

    /// Renames a staged file to its final name, replacing an existing file.
    func publish(_ file: String) throws(SourceFault) {
        guard unsafe rename(staged(file), place(of: file)) != 0 else { return }
        throw Self.fault("\(place(of: file)) cannot be written")
    }

    /// Removes a staged file, and its directory if it is empty.
    func discard(_ file: String) {
        _ = unsafe unlink(staged(file))
        if let folder = file.split(byte: "/").dropLast().first { _ = unsafe rmdir("\(path)/\(folder)") }
    }

    private func place(of file: String) -> String { "\(path)/\(file)" }

    /// The temporary name of a file, which no other process uses and which is not a source file for compilers.
    private func staged(_ file: String) -> String { "\(place(of: file)).\(getpid()).new" }

    /// Removes a file, and its directory if it is empty.
    func remove(_ file: String) throws(SourceFault) {
        if unsafe unlink(place(of: file)) != 0 { throw Self.fault("\(place(of: file)) cannot be removed") }
        if let folder = file.split(byte: "/").dropLast().first { _ = unsafe rmdir("\(path)/\(folder)") }
    }

    private func names(in folder: String) throws(SourceFault) -> [String] {
        if case .nothing = FileKind(behind: folder) { return [] }
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw SourceFault("\(folder) cannot be read: \(SourceFault.reason(error))")
        }
    }

    private func bytes(of file: String) throws(SourceFault) -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
            throw SourceFault("\(file) cannot be read: \(SourceFault.reason(error))")
        }
    }

    /// Returns an error with the reason of the system call before.
    private static func fault(_ what: String) -> SourceFault {
        SourceFault("\(what): \(unsafe String(cString: strerror(errno)))")
    }
}

package enum FileKind {
    case nothing
    case folder
    /// A regular file with its size in bytes.
    case file(UInt)
    case symbolicLink
    /// A pipe, a socket or a device, whose contents may be endless.
    case other

    /// Determines the kind of the item at a path, without following a symbolic link.
    package init(at path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            self = .nothing
            return
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory: self = .folder
        case .typeRegular: self = .file(attributes[.size] as? UInt ?? 0)
        case .typeSymbolicLink: self = .symbolicLink
        default: self = .other
        }
    }

    /// Determines the kind of the item at a path, following symbolic links.
    package init(behind path: String) { self.init(at: Self.resolved(path)) }

    /// Returns the path with symbolic links resolved.
    package static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}
