// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

@testable import StoneCompiler

enum Specs {
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    static let notes = root.appending(path: "Tests/StoneSpec")

    /// Dropbox's spec, where a copy of it lies beside the package or where `DROPBOX_API_SPEC` says.
    ///
    /// `.ci/stone` looks in the same places.
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

    /// The interface that one file describes; its text begins behind the namespace `test`.
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

    /// The faults of one file; its text begins in line 2, behind the namespace `test`.
    static func faults(_ text: String) -> [StoneDiagnostic] { faults([("test.stone", "namespace test\n" + text)]) }
}

/// Runs scripts with the Python of the build folder, which has the packages of Tests/requirements.txt.
enum StonePython {
    static var suite: URL { Specs.root.appending(path: ".build/python/stone-suite.json") }

    static func lines(_ script: String, _ arguments: [String]) throws -> [String] {
        let path = Specs.root.appending(path: "Tests/StoneCompilerTests/Oracle/\(script)").path
        return try Python.run([path] + arguments).split(whereSeparator: \.isNewline).map(String.init)
    }
}
