// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder that the sources of a module are in.
///
/// Only files that the command wrote for this module are changed or removed, and only in the folder itself and those
/// directly in it. Links in it are not followed: they lead to files of somebody else.
struct OutputFolder {
    let path: String
    let module: String

    /// What stands at a path below the folder.
    enum Entry {
        case nothing
        /// The text of a file that the command wrote for the module.
        case own(String)
        /// Something else, and what it is.
        case foreign(String)
    }

    init(_ path: String, module: String) throws(CommandFault) {
        self.path = path
        self.module = module
        switch FileKind(behind: path) {
        case .nothing, .folder: break
        default: throw CommandFault("\(path) is not a folder; name another one, or one that is not there yet.")
        }
    }

    func entry(_ file: String) throws(CommandFault) -> Entry {
        let names = file.split(separator: "/")
        for count in 1..<max(1, names.count) {
            switch FileKind(at: ([path[...]] + names.prefix(count)).joined(separator: "/")) {
            case .nothing: return .nothing
            case .folder: break
            case .symbolicLink: return .foreign("is behind a symbolic link")
            case .file, .other: return .foreign("would be below a file")
            }
        }
        let place = "\(path)/\(file)"
        switch FileKind(at: place) {
        case .nothing: return .nothing
        case .folder: return .foreign("is a folder")
        case .symbolicLink: return .foreign("is a symbolic link")
        case .other: return .foreign("is not an ordinary file")
        case .file:
            let text = String(decoding: try bytes(of: place), as: UTF8.self)
            guard let module = Self.module(of: text) else { return .foreign("was not written by stonegen") }
            return module == self.module ? .own(text) : .foreign("was written for the module \(module)")
        }
    }

    /// The paths of the files in the folder that the command wrote for the module.
    func ownFiles() throws(CommandFault) -> Set<String> {
        var own: Set<String> = []
        for name in try names(in: path) {
            var files = [name]
            if case .folder = FileKind(at: "\(path)/\(name)") {
                files = try names(in: "\(path)/\(name)").map { "\(name)/\($0)" }
            }
            for file in files where file.hasSuffix(".swift") {
                if case .own = try entry(file) { own.insert(file) }
            }
        }
        return own
    }

    func write(_ text: String, to file: String) throws(CommandFault) {
        let url = URL(fileURLWithPath: "\(path)/\(file)")
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw fault("\(path)/\(file) cannot be written", error)
        }
    }

    /// Removes a file, and its folder if nothing is left in it.
    func remove(_ file: String) throws(CommandFault) {
        do {
            try FileManager.default.removeItem(atPath: "\(path)/\(file)")
            guard let folder = file.split(separator: "/").dropLast().first else { return }
            guard try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").isEmpty else { return }
            try FileManager.default.removeItem(atPath: "\(path)/\(folder)")
        } catch {
            throw fault("\(path)/\(file) cannot be removed", error)
        }
    }

    /// For which module a text was written, by its header; `nil` if the command did not write it.
    private static func module(of text: String) -> String? {
        let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count > 2, lines[1] == "// swift-format-ignore-file", lines[2].hasPrefix("// Written by stonegen "),
            let start = lines[2].firstRange(of: "(module: ")
        else { return nil }
        return String(lines[2][start.upperBound...].prefix { $0 != ";" && $0 != ")" })
    }

    private func names(in folder: String) throws(CommandFault) -> [String] {
        if case .nothing = FileKind(behind: folder) { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw CommandFault("The folder \(folder) cannot be read: \(CommandFault.reason(error)).")
        }
    }

    private func bytes(of file: String) throws(CommandFault) -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
            throw CommandFault("The file \(file) cannot be read: \(CommandFault.reason(error)).")
        }
    }

    private func fault(_ what: String, _ error: any Error) -> CommandFault {
        CommandFault("\(what): \(CommandFault.reason(error)). The folder may be half written; run stonegen again.")
    }
}
