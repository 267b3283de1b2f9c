// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder that is removed, with its contents, when the last reference goes.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Makes an empty folder.
    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/rest-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file.
    package func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    /// The content of a file; `nil` when it cannot be read.
    package func text(of name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

    /// What is in it.
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
