// SPDX-License-Identifier: Apache-2.0

/// Specs in the Stone language with the names, types, cycles and strings that are hardest to write as Swift.
///
/// The specs are valid. They contain nothing that the compiler of specs rejects, such as names of one namespace that
/// are too similar.
struct RandomSpec {
    struct Definition {
        enum Kind { case structure, parent, subtype, union, closedUnion, alias }

        let namespace: Int
        let name: String
        let kind: Kind
        /// An alias can refer to a nullable type.
        var isNullable = false, isVoid = false, isText = false
        var members: Set<String> = []
        var tags: [String] = []
    }

    var chance: Chance
    let names: HostileNames
    var namespaces: [String] = []
    var definitions: [Definition] = []
    /// The names of each namespace, in the form in which the compiler compares them.
    private var taken: [Set<String>] = []

    private(set) var files: [(name: String, text: String)] = []

    init(_ chance: Chance, _ names: HostileNames) {
        (self.chance, self.names) = (chance, names)
        makeNamespaces()
        let bodies = namespaces.indices.map { index in
            // A namespace can be empty.
            self.chance.percent(10) ? [] : makeNamespace(index)
        }
        for (index, body) in bodies.enumerated() {
            let imports = namespaces.indices.filter { $0 < index }.map { "import \(namespaces[$0])" }
            let head = "namespace \(namespaces[index])" + doc(4)
            let text = ([head] + imports + body).joined(separator: "\n") + "\n"
            files.append((name: "f\(index).stone", text: text))
        }
        files.append((name: "stone_cfg.stone", text: Self.configuration))
    }

    private static let configuration = """
        namespace stone_cfg

        struct Route
            auth String = "user"
            host String = "api"
            style String = "rpc"
            is_preview Boolean = false
            weight Float64 = 1
            retries UInt64 = 0
            scope String?

        """

    private static let words: Set = [
        "alias", "annotation", "annotation_type", "attrs", "by", "deprecated", "doc", "example", "error", "extends",
        "import", "namespace", "patch", "route", "struct", "union", "union_closed", "true", "false", "null",
        "stone_cfg",
        "Bytes", "Boolean", "Float32", "Float64", "Int32", "Int64", "List", "Map", "String", "Timestamp", "UInt32",
        "UInt64", "Void",
    ]

    /// Returns a name that is not a keyword of Stone.
    mutating func name() -> String {
        while true {
            var name = names.next(&chance)
            if chance.percent(5), !Self.words.contains(name) { name += "-" + chance.pick(["a", "1", "Id"]) }
            if let first = name.utf8.first, !(0x30...0x39).contains(first), !Self.words.contains(name) { return name }
        }
    }

    mutating func memberNames(_ count: ClosedRange<Int>, without known: Set<String> = ["other"]) -> [String] {
        var known = known
        return (0..<chance.number(count)).map { _ in name() }.filter { known.insert($0).inserted }
    }

    /// Returns a name that is unique in its namespace.
    mutating func definitionName(in namespace: Int) -> String {
        while true {
            let name = name()
            if taken[namespace].insert(Self.likeness(name)).inserted { return name }
        }
    }

    private static func likeness(_ name: String) -> String { name.filter { $0 != "_" && $0 != "/" }.lowercased() }

    private mutating func makeNamespaces() {
        while namespaces.count < 3 {
            let name = namespaces.isEmpty && chance.percent(50) ? "async" : name()
            guard !namespaces.contains(name), !name.contains("-") else { continue }
            namespaces.append(name)
            taken.append([Self.likeness(name)])
        }
    }

    private mutating func makeNamespace(_ index: Int) -> [String] {
        var parts = annotations(of: index)
        let first = definitions.count
        parts += namespaces[index] == "async" ? asyncTypes() : []
        for _ in 0..<chance.number(3...9) { declare(in: index) }
        let own = (first..<definitions.count).filter { definitions[$0].name != "PollArg" }
        // The target of an alias must be declared before the alias is used.
        parts += own.filter { definitions[$0].kind == .alias }.flatMap { body(of: $0) }
        parts += own.filter { definitions[$0].kind != .alias }.flatMap { body(of: $0) }
        if chance.percent(75) { parts += routes(in: index) }
        return parts
    }

    /// Returns the type that arguments for jobs extend.
    private mutating func asyncTypes() -> [String] {
        taken[0].insert("pollarg")
        definitions.append(Definition(namespace: 0, name: "PollArg", kind: .structure, members: ["async_job_id"]))
        return ["struct PollArg\n    async_job_id String(min_length=1)"]
    }

    private mutating func declare(in index: Int) {
        let kinds: [Definition.Kind] = [.structure, .structure, .structure, .union, .closedUnion, .alias, .parent]
        let kind = chance.pick(kinds)
        definitions.append(Definition(namespace: index, name: definitionName(in: index), kind: kind))
        guard kind == .parent else { return }
        if chance.percent(30),
            taken[index].insert(Self.likeness(definitions[definitions.count - 1].name + "Base")).inserted
        {
            let name = definitions[definitions.count - 1].name + "Base"
            definitions.append(Definition(namespace: index, name: name, kind: .structure))
        }
    }

    private mutating func annotations(of index: Int) -> [String] {
        let kinds = [
            "Old = Deprecated()", "Early = Preview()", "Internal = Omitted(\"internal\")", "Hidden = RedactedBlot()",
            "Hash = RedactedHash(\"@.*$\")",
        ]
        return ["annotation_type N\(index)Unit\n    name String\n    factor Float64 = 1"]
            + kinds.map { "annotation N\(index)\($0)" } + ["annotation N\(index)Metre = N\(index)Unit(\"m\")"]
    }

    mutating func doc(_ indentation: Int, _ references: [String] = []) -> String {
        guard chance.percent(50) else { return "" }
        var parts = chance.make(1...3) { HostileText.next(&$0) }.map(Self.escaped)
        if !references.isEmpty, chance.percent(50) { parts.append(chance.pick(references)) }
        parts.append(chance.pick(["", ":link:`The guide https://example.org/*/`", ":val:`null`", ":val:`1.5`"]))
        return "\n" + String(repeating: " ", count: indentation) + "\"" + parts.joined(separator: " ") + "\""
    }

    /// Returns `text` for a quoted string, without colons, because a reference would need a valid target.
    static func escaped(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    scalar == "\\" || scalar == "\"" ? ["\\", scalar] : scalar == ":" ? [] : [scalar]
                }))
    }
}

extension RandomSpec {
    /// Returns the routes of a namespace: some with versions, some deprecated, some with pages or jobs.
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

    /// Returns a route with pages, in the forms that the generator recognizes.
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
