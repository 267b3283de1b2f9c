// SPDX-License-Identifier: Apache-2.0

import RestText
import SOQLSwift
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files that the command reads.
enum InputFile {
    /// The bytes of a file that has no more than so many.
    static func bytes(of path: String, most: UInt) throws(CommandFault) -> [UInt8] {
        switch FileKind(behind: path) {
        case .file(let size) where size <= most: break
        case .file: throw fault(path, "the file is larger than \(most) bytes")
        case .nothing: throw fault(path, "there is no such file")
        case .folder: throw fault(path, "this is a folder, not a file")
        case .symbolicLink, .other: throw fault(path, "this is no ordinary file")
        }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw fault(path, "the file cannot be read: \(SourceFault.reason(error))")
        }
    }

    /// The text of a file, which is UTF-8.
    static func text(of path: String, most: UInt) throws(CommandFault) -> String {
        guard let text = String(validating: try bytes(of: path, most: most), as: UTF8.self) else {
            throw fault(path, "the file is not UTF-8")
        }
        return text
    }

    /// A file, or the JSON files of a folder in the order of their names.
    static func schemas(at path: String) throws(CommandFault) -> [String] {
        guard case .folder = FileKind(behind: path) else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let files = names.filter { $0.hasBytes(suffix: ".json") }.sorted().map { "\(path)/\($0)" }
        guard !files.isEmpty else { throw fault(path, "the folder has no JSON files") }
        return files
    }

    static func fault(_ path: String, _ message: String, line: Int = 1, column: Int = 1) -> CommandFault {
        CommandFault("\(QueryDiagnostic(path, line: line, column: column, message))", status: 1)
    }
}
