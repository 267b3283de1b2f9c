// SPDX-License-Identifier: Apache-2.0

/// What all names in written sources have to keep to.
package enum SwiftIdentifiers {
    /// The name with the quotes that a keyword needs.
    package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The name as the label of an argument in a call, where one keyword needs quotes and others would warn.
    package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    /// The name as the label of a parameter.
    package static func parameter(_ name: String) -> String {
        ["inout", "let", "var"].contains(name) ? "`\(name)`" : name
    }

    /// A name for each key: a reserved one gets an end of its own, and of names that are spelt alike the second gets
    /// `_2`.
    ///
    /// - Parameters:
    ///   - names: the keys with the names that they would have, those that come first served first.
    ///   - reserved: names that none may have.
    ///   - end: what a reserved name gets.
    ///   - ignoringCase: whether names that differ in case only are spelt alike, as they are in names of files.
    /// - Returns: the names by their keys.
    package static func distinct<Key: Hashable>(
        _ names: [(Key, String)], reserved: Set<String>, end: String = "_", ignoringCase: Bool = false
    ) -> [Key: String] {
        func folded(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        var taken: Set<String> = []
        var numbers: [String: Int] = [:]
        var result: [Key: String] = [:]
        for (key, name) in names {
            var wanted = name
            // An underscore alone names nothing.
            while reserved.contains(wanted) || wanted == "_" { wanted += end }
            var free = wanted
            while !taken.insert(folded(free)).inserted {
                let number = numbers[folded(wanted), default: 2]
                free = "\(wanted)_\(number)"
                numbers[folded(wanted)] = number + 1
            }
            result[key] = free
        }
        return result
    }

    /// Keywords that cannot be names of members and parameters without quotes.
    private static let keywords: Set = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit",
        "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
