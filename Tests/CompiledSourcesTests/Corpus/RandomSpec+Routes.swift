// SPDX-License-Identifier: Apache-2.0

extension RandomSpec {
    /// The routes of a namespace: some with versions, some that are deprecated, some with pages or jobs.
    mutating func routes(in namespace: Int) -> [String] {
        var parts: [String] = []
        var known: [String] = []
        for _ in 0..<chance.number(1...6) {
            let name = routeName(in: namespace)
            let versions = chance.percent(25) ? [1, chance.number(2...3)] : [1]
            for version in versions {
                let suffix = version == 1 ? "" : ":\(version)"
                let end =
                    version == 1 && versions.count > 1
                    ? " deprecated by \(name):\(versions[1])"
                    : chance.percent(10) ? " deprecated" : ""
                let types = "\(argument(in: namespace)), \(result(in: namespace)), \(failure(in: namespace))"
                parts.append("route \(name)\(suffix) (\(types))\(end)" + doc(4, known) + attributes())
                known.append(":route:`\(name)\(suffix)`")
            }
        }
        if chance.percent(40) { parts += pages(in: namespace) }
        if namespaces[0] == "async", definitions.first?.name == "PollArg", chance.percent(60) {
            parts += job(in: namespace)
        }
        return parts
    }

    private mutating func routeName(in namespace: Int) -> String {
        let path = chance.percent(40) ? chance.make(1...2) { chance in "/" + names.next(&chance) }.joined() : ""
        return definitionName(in: namespace) + path
    }

    private mutating func argument(in namespace: Int) -> String {
        let structs = definitions.indices.filter {
            definitions[$0].namespace <= namespace && definitions[$0].kind != .subtype
        }
        guard !structs.isEmpty, chance.percent(75) else {
            return chance.percent(80) ? "Void" : type(in: namespace).text
        }
        return reference(chance.pick(structs), from: namespace)
    }

    private mutating func result(in namespace: Int) -> String {
        chance.percent(20) ? "Void" : type(in: namespace).text
    }

    private mutating func failure(in namespace: Int) -> String {
        let unions = definitions.indices.filter {
            definitions[$0].namespace <= namespace && [.union, .closedUnion, .structure].contains(definitions[$0].kind)
        }
        return unions.isEmpty || chance.percent(40) ? "Void" : reference(chance.pick(unions), from: namespace)
    }

    private mutating func attributes() -> String {
        let all = [
            "auth = \"app, user\"", "host = \"content\"", "style = \"upload\"", "style = \"download\"",
            "is_preview = true",
            "weight = 2.5", "retries = 3", "scope = \"a.read\"", "scope = null", "auth = \"noauth\"",
        ]
        var known: Set<Substring> = []
        let chosen = chance.some(all, chance.number(0...3)).filter { known.insert($0.prefix { $0 != " " }).inserted }
        guard !chosen.isEmpty else { return "" }
        return "\n    attrs" + chosen.map { "\n        \($0)" }.joined()
    }

    // MARK: Pages and jobs

    /// A route with pages, in the forms that the writer knows.
    private mutating func pages(in namespace: Int) -> [String] {
        let (argument, more, page) = (
            definitionName(in: namespace), definitionName(in: namespace), definitionName(in: namespace)
        )
        let route = definitionName(in: namespace)
        let extra = chance.pick(["", "\n    limit UInt32?", "\n    argument String = \"x\""])
        let isNullable = chance.percent(50)
        let flag = isNullable && chance.percent(50) ? "" : "\n    has_more Boolean"
        let item = type(in: namespace).text
        let next = chance.pick(["\(route)/continue", "\(route)_continue"])
        return [
            "struct \(argument)\n    path String\(extra)", "struct \(more)\n    cursor String\(extra)",
            "struct \(page)\n    entries List(\(item))\n    cursor String\(isNullable ? "?" : "")\(flag)",
            "route \(route) (\(argument), \(page), Void)", "route \(next) (\(more), \(page), Void)",
        ]
    }

    /// A route that starts a job, and the one that checks it.
    private mutating func job(in namespace: Int) -> [String] {
        let (launch, status, output) = (
            definitionName(in: namespace), definitionName(in: namespace), definitionName(in: namespace)
        )
        let (route, failure) = (definitionName(in: namespace), definitionName(in: namespace))
        let poll = namespace == 0 ? "PollArg" : "async.PollArg"
        let failed = chance.pick(["\n    failed \(failure)", "\n    failed", ""])
        let early = chance.pick(["", "\n    complete \(output)"])
        let mark = chance.pick(["\n        @N\(namespace)Old", ""])
        return [
            "struct \(output)\n    text String", "union \(failure)\n    broken",
            "union_closed \(launch)\n    async_job_id String\(mark)\(early)",
            "union \(status)\n    in_progress\n    complete \(output)\(failed)",
            "route \(route) (\(output), \(launch), Void)",
            "route \(route)/check (\(poll), \(status), Void)",
        ]
    }
}
