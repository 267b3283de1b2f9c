// SPDX-License-Identifier: Apache-2.0

import StoneCompiler

/// How many definitions of each kind an interface has.
struct SpecCounts: CustomStringConvertible {
    let counts: [(name: String, number: Int)]

    init(_ api: StoneAPI) {
        let structs = api.namespaces.flatMap(\.structs).map { api[$0] }
        let unions = api.namespaces.flatMap(\.unions).map { api[$0] }
        counts = [
            ("namespaces", api.namespaces.count),
            ("structs", structs.count),
            ("unions", unions.count),
            ("aliases", api.namespaces.flatMap(\.aliases).count),
            ("routes", api.namespaces.flatMap(\.routes).count),
            ("fields", structs.reduce(0) { $0 + $1.fields.count }),
            ("tags", unions.reduce(0) { $0 + $1.tags.count }),
        ]
    }

    var description: String { counts.map { "\($0.name): \($0.number)" }.joined(separator: "\n") }
}
