// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs Python scripts.
public enum Python {
    /// The interpreter that `.ci/setup tests` put into the build folder, with the packages of Tests/requirements.txt.
    private static var interpreter: URL {
        URL(filePath: #filePath).appending(path: "../../../.build/python/bin/python3").standardizedFileURL
    }

    /// A script that ended with an error.
    public struct Failed: Error {
        /// The exit status.
        public let status: Int32
        /// What it wrote to its standard error.
        public let output: String
    }

    /// Runs the interpreter and gives its standard output.
    public static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let process = Process.tool(adding: environment)
        process.executableURL = interpreter
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(status: process.terminationStatus, output: String(decoding: complaints, as: UTF8.self))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
