// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// A program that reads a text and prints another.
enum Program {
    struct Outcome {
        let status: Int32
        let output: [UInt8]
        let errors: String
    }

    /// Runs a program with a text as its input and no environment but `PATH` and `HOME`.
    static func run(_ arguments: [String], input: String) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["input", "output", "errors"].map { folder.appending(path: $0) }
        for file in files { try Data(file == files[0] ? Array(input.utf8) : []).write(to: file) }
        let home = ProcessInfo.processInfo.environment.filter { $0.key == "HOME" }
        let process = Process.tool(adding: home.merging(["TMPDIR": folder.path]) { $1 })
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: Array(try Data(contentsOf: files[1])),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// The words, each with a NUL after it, that a script printed.
    static func words(of script: String, by shell: String) throws -> [String] {
        let outcome = try run([shell], input: script)
        guard outcome.status == 0, outcome.errors.isEmpty else { throw Failed(errors: outcome.errors) }
        return outcome.output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    struct Failed: Error { let errors: String }
}
