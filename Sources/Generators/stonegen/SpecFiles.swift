// SPDX-License-Identifier: Apache-2.0

import RestBase
import StoneCompiler
import SwiftSource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files of specs.
enum SpecFiles {
    /// The files at the paths; of a folder those whose names end in `.stone`, in the order of their names.
    ///
    /// A file to which two of the paths lead is read once.
    static func read(_ paths: [String]) throws(CommandFault) -> [StoneSource] {
        var sources: [StoneSource] = []
        var known: Set<String> = []
        for path in paths {
            for file in try files(at: path) where known.insert(FileKind.resolved(file)).inserted {
                sources.append(StoneSource(path: file, bytes: try bytes(of: file)))
            }
        }
        return sources
    }

    /// The content of a file.
    static func bytes(of path: String) throws(CommandFault) -> [UInt8] {
        switch FileKind(behind: path) {
        case .file(let size) where size <= StoneLimits.fileBytes: break
        case .file: throw CommandFault("The file \(path) is larger than \(StoneLimits.fileBytes >> 20) MiB; divide it.")
        case .nothing, .symbolicLink: throw CommandFault("There is no file or folder \(path).")
        case .folder: throw CommandFault("\(path) is a folder, but here must be a file.")
        case .other: throw CommandFault("\(path) is neither a file nor a folder; save what it gives in a file.")
        }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFault("The file \(path) cannot be read: \(CommandFault.reason(error)).")
        }
    }

    private static func files(at path: String) throws(CommandFault) -> [String] {
        guard case .folder = FileKind(behind: path) else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CommandFault("The folder \(path) cannot be read: \(CommandFault.reason(error)).")
        }
        // What begins with a dot is hidden, such as the copies of attributes that archives of a Mac have.
        let specs = names.filter { $0.hasBytes(suffix: ".stone") && !$0.hasBytes(prefix: ".") }
        guard !specs.isEmpty else {
            throw CommandFault("The folder \(path) has no file whose name ends in .stone.")
        }
        return specs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
    }
}

/// The namespaces and routes that are asked for, each of which the specs must have.
struct WantedNames {
    /// `nil` for all.
    let namespaces: Set<String>?
    /// `nil` for all.
    let routes: Set<String>?

    init(_ options: Options, _ api: StoneAPI) throws(CommandFault) {
        namespaces = try Self.namespaces(options.namespaces, in: api)
        routes = try Self.routes(in: options.routes, api, namespaces)
    }

    private static func namespaces(_ wanted: [String]?, in api: StoneAPI) throws(CommandFault) -> Set<String>? {
        guard let wanted else { return nil }
        let known = Set(api.namespaces.map(\.name))
        let near = NearNames(known.sorted())
        let faults = wanted.filter { !known.contains($0) }.map {
            "There is no namespace '\($0)'; \(near.question($0))"
        }
        guard faults.isEmpty else { throw CommandFault(faults) }
        return Set(wanted)
    }

    /// The names in the lines of a file; a number sign begins a comment.
    private static func routes(
        in file: String?, _ api: StoneAPI, _ namespaces: Set<String>?
    ) throws(CommandFault) -> Set<String>? {
        guard let file else { return nil }
        let known = Dictionary(api.routes.map { ("\($0.namespace)/\($0.wireName)", $0.namespace) }) { first, _ in first
        }
        let near = NearNames(known.keys.sorted())
        var wanted: Set<String> = []
        var faults: [String] = []
        let lines = String(decoding: try SpecFiles.bytes(of: file), as: UTF8.self).lines
        for (index, line) in lines.enumerated() {
            let name = line.prefix(before: "#").words.joined()
            guard !name.isEmpty else { continue }
            wanted.insert(name)
            if let namespace = known[name] {
                guard namespaces?.contains(namespace) == false else { continue }
                faults.append("\(file):\(index + 1): The route '\(name)' is in none of the --namespaces; add its own.")
            } else {
                faults.append("\(file):\(index + 1): There is no route '\(name)'; \(near.question(name))")
            }
        }
        if wanted.isEmpty { faults = ["The file \(file) names no route."] }
        guard faults.isEmpty else { throw CommandFault(faults) }
        return wanted
    }
}

/// Names among which somebody meant one.
struct NearNames {
    private let names: [String]

    init(_ names: [String]) {
        self.names = names
    }

    /// Asks whether one of the names was meant that are spelt most like a word, the nearest first.
    func question(_ word: String, most: Int = 3) -> String {
        let ranked = names.map { (distance: Self.distance(word, $0), name: $0) }.sorted { $0 < $1 }
        let near = ranked.prefix(most).map { "'\($0.name)'" }
        guard let last = near.last else { return "the specs have none." }
        let list = near.dropLast().joined(separator: ", ")
        return "did you mean \(list)\(list.isEmpty ? "" : " or ")\(last)?"
    }

    /// How many bytes must be put in, left out or changed to make one word of another (Levenshtein).
    ///
    /// Of a long word only the beginning counts, so that no input takes long.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8.prefix(100)), Array(other.utf8.prefix(100)))
        var row = Array(0...other.count)
        for (line, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, otherByte) in other.enumerated() {
                let changed = diagonal + (byte == otherByte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
