// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The programs of the package, where the build has put them.
public enum BuiltProgram {
    /// A program beside the test bundle in the build folder.
    public static func url(_ name: String) -> URL {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folders = sequence(first: tests.deletingLastPathComponent()) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        let candidates = folders.map { $0.appendingPathComponent(name) }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? tests
    }
}
