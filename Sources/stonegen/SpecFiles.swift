// SPDX-License-Identifier: Apache-2.0

import StoneCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files of specs.
enum SpecFiles {
    /// The files at the paths; of a folder those whose names end in `.stone`, in the order of their names.
    static func read(_ paths: [String]) throws(CommandFault) -> [StoneSource] {
        var sources: [StoneSource] = []
        for path in paths {
            var isFolder = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw CommandFault("There is no file or folder \(path).")
            }
            for file in isFolder ? try files(in: path) : [path] { sources.append(try read(file)) }
        }
        return sources
    }

    private static func files(in folder: String) throws(CommandFault) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".stone") }
            guard !names.isEmpty else {
                throw CommandFault("The folder \(folder) has no file whose name ends in .stone.")
            }
            return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(folder)/\($0)" }
        } catch let fault as CommandFault {
            throw fault
        } catch {
            throw CommandFault("The folder \(folder) cannot be read: \(error)")
        }
    }

    private static func read(_ path: String) throws(CommandFault) -> StoneSource {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFault("The file \(path) cannot be read.")
        }
        return StoneSource(path: path, bytes: Array(data))
    }
}
