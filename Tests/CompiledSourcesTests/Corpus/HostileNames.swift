// SPDX-License-Identifier: Apache-2.0

/// Names of schemas and specs that generated code could take for something else.
///
/// They are the words of Swift, names that the generated files use themselves, and the public names of the modules that
/// these files import. The last are read from the sources, so a new public name is tried without a change here.
struct HostileNames {
    let all: [String]

    init(_ sources: PublicNames) {
        all = (Self.keywords + Self.used + sources.types.sorted() + sources.members.sorted()).filter { name in
            name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F }
        }
    }

    /// The words of Swift, those with a meaning in some places among them.
    static let keywords = """
        Any Protocol Self Type actor any as associatedtype async await borrowing break case catch class consume consuming \
        continue convenience copy default defer deinit didSet discard distributed do dynamic each else enum extension \
        fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is \
        isolated lazy left let macro mutating nil none nonisolated nonmutating open operator optional override package \
        postfix precedence precedencegroup prefix private protocol public repeat required rethrows return right self \
        sending set some static struct subscript super switch then throw throws transferring true try typealias unowned \
        unsafe var weak where while willSet yield
        """.split(separator: " ").map(String.init)

    /// Names of the parameters, variables and types of generated files, and others that are likely to be in the way.
    private static let used = """
        ID Id id Fields Model RawValue CodingKeys Element Index Iterator fill model path _path record json value values \
        row reader writer checks check tag slot key name names list page argument body client all base other unlisted \
        listed rawValue allCases description debugDescription customMirror hash hashValue encode decode shape changes has \
        objectName objectname newValue oldValue jobState innerErrors replacing validate write content following start \
        state count records query send String Int Double Date Decimal Array Bool Error Result Void Never Optional Data \
        Encoder Decoder Codable Hashable Sendable Identifiable Equatable Sequence Collection Mirror Swift Foundation \
        FoundationEssentials Account Contact AccountRow Owner Name Routes Types Queries QueryObjects OtherObjects \
        JobError Base Registry UnknownTag ModelPath ModelChildren StoneValue other_base otherBase error cursor has_more \
        async_job_id in_progress complete failed page_size Row OtherRow MultiPicklist SOQLDate SOQLTime
        """.split(separator: " ").map(String.init)
}

extension HostileNames {
    /// A name of letters, digits and underscores.
    func next(_ chance: inout Chance) -> String {
        switch chance.number(0...9) {
        case 0...3: spelled(chance.pick(all), &chance)
        case 4...6: parts(&chance)
        case 7: parts(&chance) + "_" + chance.pick(all)
        case 8:
            chance.pick(["a", "A", "aa", "AA", "a_b", "A_B", "a__b", "aB", "Ab", "a1", "a_1", "A1b2", "x2nd", "X_2nd"])
        default: chance.pick(["_", "__", "_a", "a_", "_1", "__a", "a___b", "_A_"])
        }
    }

    /// A few letters, so that names are often alike.
    private func parts(_ chance: inout Chance) -> String {
        let first = chance.pick(["a", "b", "A", "Id", "ID", "url", "Url", "x", "order", "Order", "is", "Class"])
        let rest = chance.make(0...2) { chance in
            chance.pick(["", "_", "_", "__"]) + chance.pick(["a", "B", "Id", "id", "1", "2nd", "name", "Name", "URL"])
        }
        return first + rest.joined()
    }

    private func spelled(_ name: String, _ chance: inout Chance) -> String {
        switch chance.number(0...5) {
        case 0: name.lowercased()
        case 1: name.uppercased()
        case 2: name.prefix(1).uppercased() + name.dropFirst()
        case 3: snake(name)
        default: name
        }
    }

    /// `ModelPath` as `model_path`.
    private func snake(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase, let last = text.last, last.isLowercase { text += "_" }
            text += character.lowercased()
        }
    }
}
