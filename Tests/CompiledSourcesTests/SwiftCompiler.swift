// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

/// The Swift compiler, with the modules that the tests were built with.
struct SwiftCompiler {
    /// How the app is set up whose module the sources become.
    enum Settings: CaseIterable {
        /// Swift 6 with the upcoming features, strict memory safety, and no warning.
        case strict
        /// Swift 5, as older packages have it.
        case old
        /// Swift 6 with code on the main actor by default.
        case mainActor

        fileprivate var arguments: [String] {
            switch self {
            case .strict:
                let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
                return ["-swift-version", "6", "-warnings-as-errors", "-strict-memory-safety"]
                    + features.flatMap { ["-enable-upcoming-feature", $0] }
            case .old: return ["-swift-version", "5"]
            case .mainActor: return ["-swift-version", "6", "-default-isolation", "MainActor"]
            }
        }
    }

    /// Where compiled modules are put, so that others can import them.
    let folder: URL

    private static let modules = BuiltProgram.url("soqlgen").deletingLastPathComponent().appending(path: "Modules")

    /// Checks sources as a whole module, which others can import.
    ///
    /// - Returns: what the compiler says; nothing when all is well.
    func complaints(about sources: [URL], module: String, _ settings: Settings) throws -> String {
        let output = folder.appending(path: "\(module).swiftmodule").path
        let job = ["-emit-module", "-emit-module-path", output, "-module-name", module, "-package-name", "app", "-wmo"]
        let imports = ["-I", folder.path, "-I", Self.modules.path] + (try Self.moduleMaps()).flatMap { ["-I", $0] }
        let program = try Program(
            "/usr/bin/env", [Self.name] + job + settings.arguments + imports + sources.map(\.path).sorted(), in: folder)
        return program.status == 0 && program.errors.isEmpty ? "" : program.errors + "\nstatus \(program.status)"
    }

    private static var name: String { (ProcessInfo.processInfo.environment["SWIFT"] ?? "swift") + "c" }

    /// The folders of the C libraries' module maps, which the modules were built with.
    private static func moduleMaps() throws -> [String] {
        let sources = Checkout.root.appending(path: "Sources/System")
        return try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .map { sources.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "module.modulemap").path) }.map(\.path)
    }
}

/// A program that has run to its end.
struct Program {
    let status: Int32
    let errors: String

    init(_ path: String, _ arguments: [String], in folder: URL) throws {
        // The compiler keeps what it made of the modules in its cache.
        let cache = ProcessInfo.processInfo.environment.filter { ["HOME", "XDG_CACHE_HOME"].contains($0.key) }
        let process = Process.tool(adding: cache)
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        // A file rather than a pipe, which would have to be emptied meanwhile.
        let file = folder.appending(path: ".\(UUID())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardError = try FileHandle(forWritingTo: file)
        try process.run()
        process.waitUntilExit()
        // A status tells nothing if a signal ended the process, as a trap does.
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        errors = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
