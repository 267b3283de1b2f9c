// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// A temporary directory in which a test runs the built `stonegen`.
final class Workspace: ProgramDirectory {
    static let notes = URL(filePath: #filePath).appending(path: "../../../StoneSpec").standardizedFileURL

    /// Creates the directory, with the specs of the notes service in `specs`.
    override init() throws {
        try super.init()
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.notes.path) {
            try write(Data(contentsOf: Self.notes.appending(path: name)), to: "specs/\(name)")
        }
    }

    /// Runs the command in the directory until it ends.
    func run(_ arguments: [String]) throws -> Outcome { try run(BuiltProgram.url("stonegen"), arguments) }

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Generates the specs of the notes service into `out`.
    func generate(_ more: String...) throws -> Outcome { try run(Self.generation + more) }

    static let generation = ["--spec", "specs", "--output", "out", "--module", "NotesAPI"]

    /// Runs a shell command line, in which `$stonegen` is the command.
    func shell(_ line: String) throws -> Outcome {
        let stonegen = "stonegen='\(BuiltProgram.url("stonegen").path)'; "
        return try run(URL(filePath: "/bin/sh"), ["-c", stonegen + line])
    }

    func remove(_ paths: String...) throws {
        for path in paths { try FileManager.default.removeItem(at: url(path)) }
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: url(path).path, withDestinationPath: target)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    /// Returns the files in a directory by path, with all properties that show whether a file was written again.
    func files(in folder: String) throws -> [String: FileState] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: url(folder).resolvingSymlinksInPath().path)
        return try Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                let attributes = try FileManager.default.attributesOfItem(atPath: url("\(folder)/\(path)").path)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                let state = FileState(
                    text: try text("\(folder)/\(path)"), number: attributes[.systemFileNumber] as? Int ?? 0,
                    changed: attributes[.modificationDate] as? Date)
                return (path, state)
            })
    }

    struct FileState: Equatable {
        let text: String
        /// The inode number, which changes if the file is replaced.
        let number: Int
        let changed: Date?
    }
}
