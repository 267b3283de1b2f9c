// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A folder of a test's own, in which programs run; removed with this object.
open class ProgramFolder {
    /// What a program left behind.
    public struct Outcome {
        /// The exit status; -1 if a signal ended the program, as a trap does.
        public let status: Int32
        /// What it wrote to its standard output.
        public let output: String
        /// What it wrote to its standard error.
        public let errors: String
    }

    private let root: URL

    /// Makes the folder.
    public init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Runs a program in the folder, to its end.
    public func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
        let process = Process.tool()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = root
        process.standardInput = FileHandle.nullDevice
        // Files rather than pipes, which would have to be emptied meanwhile.
        let files = [".output-\(UUID())", ".errors-\(UUID())"]
        for file in files { try write("", to: file) }
        defer { for file in files { try? FileManager.default.removeItem(at: url(file)) } }
        process.standardOutput = try FileHandle(forWritingTo: url(files[0]))
        process.standardError = try FileHandle(forWritingTo: url(files[1]))
        try process.run()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -1
        return Outcome(status: status, output: try text(files[0]), errors: try text(files[1]))
    }

    /// The place of a file in the folder.
    public func url(_ path: String) -> URL { root.appending(path: path) }

    /// Writes a file, and makes the folders that it needs.
    public func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url(path))
    }

    /// Writes a file of text.
    public func write(_ text: String, to path: String) throws { try write(text.utf8, to: path) }

    /// The text of a file.
    public func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
    }
}
