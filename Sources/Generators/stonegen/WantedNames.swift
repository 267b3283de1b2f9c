// SPDX-License-Identifier: Apache-2.0

import RestText
import StoneCompiler

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
