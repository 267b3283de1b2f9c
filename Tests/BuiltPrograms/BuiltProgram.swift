// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The programs of the package, in the build directory.
public enum BuiltProgram {
    /// Returns the URL of a program next to the test bundle in the build directory.
    public static func url(_ name: String) -> URL {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folders = sequence(first: tests.deletingLastPathComponent()) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        let candidates = folders.map { $0.appendingPathComponent(name) }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? tests
    }
}

/// Runs Python scripts.
public enum Python {
    /// The interpreter that `.ci/setup tests` installed in the build directory, with the packages of
    /// Tests/requirements.txt.
    package static let interpreter = URL(filePath: #filePath).appending(path: "../../../.build/python/bin/python3")
        .standardizedFileURL

    /// Runs the interpreter and returns its standard output.
    public static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let outcome = try RunningProgram.run(
            interpreter, arguments, environment: Process.toolEnvironment(adding: environment))
        guard outcome.status == 0 else {
            throw RunningProgram.Failed(status: outcome.status, text: outcome.errors)
        }
        return outcome.output
    }
}

extension Process {
    /// The environment of every program that a test starts, independent of the user and the machine.
    ///
    /// The locale, the time zone, the terminal and the directories are fixed. Only the search path, the temporary
    /// directory, the settings of loaders and sanitizers, and the variables of this package come from the test's
    /// environment.
    public static func toolEnvironment(adding more: [String: String] = [:]) -> [String: String] {
        let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
            ["PATH", "TMPDIR", "LD_LIBRARY_PATH"].contains(name) || name.hasSuffix("SAN_OPTIONS")
                || name.hasPrefix("RESTSDK_")
        }
        let fixed = [
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "HOME": "/nonexistent", "PYTHONUTF8": "1",
            // Otherwise Python writes byte code next to the scripts of the tests.
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
        return inherited.merging(fixed) { $1 }.merging(more) { $1 }
    }

    /// A process with ``toolEnvironment(adding:)``, which is terminated if it runs for more than `limit` seconds.
    ///
    /// Tests and benchmarks create every process with it, so that no process depends on the user's settings or waits
    /// forever.
    public static func tool(adding more: [String: String] = [:], limit: Int = 300) -> Process {
        let process = Process()
        process.environment = toolEnvironment(adding: more)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) { [weak process] in
            if let process, process.isRunning { process.terminate() }
        }
        return process
    }
}

/// Removes the user's proxies from the environment of this process, for tests of transports that use them.
public func ignoreProxies() {
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { unsafe unsetenv(name) }
}

/// A temporary directory in which a test runs programs, removed with this object.
open class ProgramDirectory {
    package typealias Outcome = RunningProgram.Outcome

    private let root: URL

    /// Creates the directory.
    public init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Runs a program in the directory and waits until it exits.
    package func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
        try RunningProgram.run(program, arguments, in: root)
    }

    /// Returns the URL of a file in the directory.
    public func url(_ path: String) -> URL { root.appending(path: path) }

    /// Writes a file, and creates its parent directories.
    public func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url(path))
    }

    /// Writes a string to a file.
    public func write(_ text: String, to path: String) throws { try write(text.utf8, to: path) }

    /// Returns the content of a file as a string.
    public func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
    }
}
