// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

@testable import StoneCompiler

enum Specs {
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    static let notes = root.appending(path: "Tests/StoneSpec")

    /// Dropbox's spec, if a copy of it is next to the package or at the path in `DROPBOX_API_SPEC`.
    ///
    /// `.ci/stone` uses the same paths.
    static let dropbox =
        ProcessInfo.processInfo.environment["DROPBOX_API_SPEC"].map { URL(filePath: $0) }
        ?? root.appending(path: "../shared/dropbox-api-spec").standardizedFileURL

    static var hasDropbox: Bool { FileManager.default.fileExists(atPath: dropbox.path) }

    static func files(in folder: URL) throws -> [URL] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".stone") }
        return names.sorted().map { folder.appending(path: $0) }
    }

    static func sources(in folder: URL) throws -> [StoneSource] {
        try files(in: folder).map { StoneSource(path: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
    }

    /// Compiles one file, whose text follows the line with the namespace `test`.
    static func compile(_ text: String) throws -> StoneAPI {
        try StoneAPI(compiling: [StoneSource(path: "test.stone", text: "namespace test\n" + text)])
    }

    static func faults(_ files: [(String, String)]) -> [StoneDiagnostic] {
        do throws(StoneError) {
            _ = try StoneAPI(compiling: files.map { StoneSource(path: $0.0, text: $0.1) })
            return []
        } catch {
            return error.diagnostics
        }
    }

    /// Returns the errors of one file, whose text begins on line 2, after the namespace `test`.
    static func faults(_ text: String) -> [StoneDiagnostic] { faults([("test.stone", "namespace test\n" + text)]) }
}

/// Runs scripts with the Python environment in the build directory, with the packages of Tests/requirements.txt.
enum StonePython {
    static var suite: URL { Specs.root.appending(path: ".build/python/stone-suite.json") }

    static func lines(_ script: String, _ arguments: [String]) throws -> [String] {
        let path = Specs.root.appending(path: "Tests/StoneCompilerTests/Oracle/\(script)").path
        return try Python.run([path] + arguments).split(whereSeparator: \.isNewline).map(String.init)
    }
}
