// SPDX-License-Identifier: Apache-2.0

/// A JSON value with numbers as exact as those of specs.
indirect enum StoneJSON {
    typealias Member = (name: String, value: StoneJSON)

    case null
    case boolean(Bool)
    case integer(Int128)
    case float(Double)
    case string(String)
    case array([StoneJSON])
    case object([Member])

    /// The value on one line with its members sorted, as Python's `json` writes it.
    var canonical: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.canonical).joined(separator: ",") + "]"
        case .object(let members): Self.object(members)
        }
    }

    private static func object(_ members: [Member]) -> String {
        let sorted = members.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
        return "{" + sorted.map { quoted($0.name) + ":" + $0.value.canonical }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func made(_ members: [(String, StoneJSON?)]) -> StoneJSON {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    static func text(_ text: String?) -> StoneJSON { text.map { .string($0) } ?? .null }
}
