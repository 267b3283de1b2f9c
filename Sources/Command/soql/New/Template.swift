// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A package that others are made of.
struct Template {
    /// A file of it, as it stands.
    struct File {
        /// Below the template.
        let path: String
        let text: String
    }

    let name: String
    let folder: String

    /// The beginning of its README, up to a colon or the end of the sentence.
    var summary: String {
        let lines = (try? Self.text(of: "\(folder)/README.md"))?.split(byte: "\n") ?? []
        let sentence = lines.first { !$0.hasBytes(prefix: "#") }?.prefix(beforeAny: ".:") ?? ""
        return String(sentence).singleLine
    }

    /// Its files in the order of their paths, without what builds leave behind.
    ///
    /// - Throws: ``CommandFailure`` when one cannot be read.
    var files: [File] {
        get throws { try Self.paths(in: folder).map { File(path: $0, text: try Self.text(of: "\(folder)/\($0)")) } }
    }

    private static func paths(in folder: String) throws -> [String] {
        var paths: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard !name.hasBytes(prefix: ".") || name == ".gitignore", name != "Package.resolved" else { continue }
            if FileFacts.isFolder("\(folder)/\(name)") {
                paths += try self.paths(in: "\(folder)/\(name)").map { "\(name)/\($0)" }
            } else {
                paths.append(name)
            }
        }
        return paths
    }

    private static func text(of path: String) throws(CommandFailure) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw CommandFailure("the template's file '\(path)' cannot be read: \(error)")
        }
    }
}
