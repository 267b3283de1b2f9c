// SPDX-License-Identifier: Apache-2.0

import StoneCore
import StoneSwift

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Swift sources in a folder: written, or compared with what is there.
struct SwiftOutput {
    private let options: SwiftOptions
    private let isCheck: Bool
    /// What the second line of every written file says.
    private static let mark = "// swift-format-ignore-file\n// Written by stonegen "

    init(_ options: Options, _ sources: [StoneSource]) throws(CommandFault) {
        var swift = SwiftOptions(module: options.module ?? "")
        swift.namespaces = options.namespaces
        swift.docs = options.docs
        swift.hasTypeTable = options.hasTypeTable
        swift.specHash = SwiftOptions.hash(of: sources)
        if let file = options.routes {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandFault("The file \(file) cannot be read.")
            }
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
            swift.routes = Set(lines.map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && $0.first != "#" })
        }
        self.options = swift
        isCheck = options.checksOutput
    }

    /// Writes the sources, and removes those that were written before and are none of them.
    func write(_ api: StoneAPI, to folder: String) throws(CommandFault) {
        let files: [SwiftFile]
        do throws(SwiftEmitterError) { files = try SwiftEmitter.files(of: api, options) } catch {
            throw CommandFault("\(error)", status: 1)
        }
        let old = Self.written(in: folder).subtracting(files.map(\.path)).sorted()
        let changed = files.filter { Self.text(at: "\(folder)/\($0.path)") != $0.text }
        if isCheck {
            let stale = (changed.map(\.path) + old).sorted()
            guard stale.isEmpty else {
                throw CommandFault("Not what the specs give:\n" + stale.joined(separator: "\n"), status: 1)
            }
            return
        }
        do {
            for file in changed { try Self.write(file, to: folder) }
            for path in old { try FileManager.default.removeItem(atPath: "\(folder)/\(path)") }
        } catch {
            throw CommandFault("The folder \(folder) cannot be written: \(error)")
        }
    }

    private static func write(_ file: SwiftFile, to folder: String) throws {
        let path = "\(folder)/\(file.path)"
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// The paths of the files in a folder that the command wrote.
    private static func written(in folder: String) -> Set<String> {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return Set(
            paths.filter { path in
                path.hasSuffix(".swift") && (text(at: "\(folder)/\(path)")?.prefix(200).contains(mark) ?? false)
            })
    }

    private static func text(at path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
