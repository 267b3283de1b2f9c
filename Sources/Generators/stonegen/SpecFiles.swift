// SPDX-License-Identifier: Apache-2.0

import RestText
import StoneCompiler
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files of specs.
enum SpecFiles {
    /// The files at the paths; of a folder those whose names end in `.stone`, in the order of their names.
    ///
    /// A file to which two of the paths lead is read once.
    static func read(_ paths: [String]) throws(CommandFault) -> [StoneSource] {
        var sources: [StoneSource] = []
        var known: Set<String> = []
        for path in paths {
            for file in try files(at: path) where known.insert(FileKind.resolved(file)).inserted {
                sources.append(StoneSource(path: file, bytes: try bytes(of: file)))
            }
        }
        return sources
    }

    /// The content of a file.
    static func bytes(of path: String) throws(CommandFault) -> [UInt8] {
        switch FileKind(behind: path) {
        case .file(let size) where size <= StoneLimits.fileBytes: break
        case .file: throw CommandFault("The file \(path) is larger than \(StoneLimits.fileBytes >> 20) MiB; divide it.")
        case .nothing, .symbolicLink: throw CommandFault("There is no file or folder \(path).")
        case .folder: throw CommandFault("\(path) is a folder, but here must be a file.")
        case .other: throw CommandFault("\(path) is neither a file nor a folder; save what it gives in a file.")
        }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFault("The file \(path) cannot be read: \(CommandFault.reason(error)).")
        }
    }

    private static func files(at path: String) throws(CommandFault) -> [String] {
        guard case .folder = FileKind(behind: path) else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CommandFault("The folder \(path) cannot be read: \(CommandFault.reason(error)).")
        }
        // What begins with a dot is hidden, such as the copies of attributes that archives of a Mac have.
        let specs = names.filter { $0.hasBytes(suffix: ".stone") && !$0.hasBytes(prefix: ".") }
        guard !specs.isEmpty else {
            throw CommandFault("The folder \(path) has no file whose name ends in .stone.")
        }
        return specs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
    }
}
