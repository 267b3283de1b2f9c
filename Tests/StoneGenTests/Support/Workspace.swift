// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// A folder of a test's own in which the built `stonegen` runs.
final class Workspace {
    /// What a run left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The specs of the notes service.
    static let notes = URL(filePath: #filePath).appending(path: "../../../StoneSpec").standardizedFileURL

    private let root: URL

    /// Makes the folder; `specs` has the specs of the notes service.
    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "stonegen-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.notes.path) {
            try write(Array(Data(contentsOf: Self.notes.appending(path: name))), to: "specs/\(name)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Runs the command in the folder, to its end.
    func run(_ arguments: [String]) throws -> Outcome {
        try start(BuiltProgram.url("stonegen"), arguments)
    }

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Writes the specs of the notes service into `out`.
    func generate(_ more: String...) throws -> Outcome { try run(Self.generation + more) }

    static let generation = ["--spec", "specs", "--output", "out", "--module", "NotesAPI"]

    /// Runs a line of the shell, in which `$stonegen` is the command.
    func shell(_ line: String) throws -> Outcome {
        let stonegen = "stonegen='\(BuiltProgram.url("stonegen").path)'; "
        return try start(URL(filePath: "/bin/sh"), ["-c", stonegen + line])
    }

    private func start(_ program: URL, _ arguments: [String]) throws -> Outcome {
        let process = Process.tool()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = root
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (".output-\(UUID())", ".errors-\(UUID())")
        process.standardOutput = try handle(output)
        process.standardError = try handle(errors)
        try process.run()
        process.waitUntilExit()
        // A status tells nothing if a signal ended the process, as a trap does.
        let status = process.terminationReason == .exit ? process.terminationStatus : -1
        defer { try? remove(output, errors) }
        return Outcome(status: status, output: try text(output), errors: try text(errors))
    }

    /// A file rather than a pipe, which would have to be emptied meanwhile.
    private func handle(_ name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: url(name))
    }

    func url(_ path: String) -> URL { root.appending(path: path) }

    func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    func write(_ bytes: [UInt8], to path: String) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url(path))
    }

    func text(_ path: String) throws -> String { String(decoding: try Data(contentsOf: url(path)), as: UTF8.self) }

    func remove(_ paths: String...) throws {
        for path in paths { try FileManager.default.removeItem(at: url(path)) }
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: url(path).path, withDestinationPath: target)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    /// The files below a folder, by path, with all that tells whether one was written again.
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
        /// Another one if the file was replaced.
        let number: Int
        let changed: Date?
    }
}
