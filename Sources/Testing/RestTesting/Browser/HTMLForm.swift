// SPDX-License-Identifier: Apache-2.0

import RestText

/// A form in the source of a page; it is for plain login pages, not for every page of the web.
public struct HTMLForm: Sendable, Equatable {
    /// A field with the value that it has on the page.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String
    }

    /// Where it is sent; empty for the page's own address.
    public let action: String
    /// Whether it is sent in a body.
    public let isPost: Bool
    /// What is sent of it by default: all named fields except buttons and unticked boxes.
    public let fields: [Field]

    /// The forms of a page.
    public static func all(in source: String) -> [HTMLForm] {
        var forms: [HTMLForm] = []
        var rest = source[...]
        while let start = rest.firstRange(bytes: "<form") {
            let body = rest[start.upperBound...]
            let end = body.firstRange(bytes: "</form")?.lowerBound ?? body.endIndex
            let content = body[..<end]
            let attributes = attributes(of: content.prefix(before: ">"))
            forms.append(
                HTMLForm(
                    action: attributes["action"] ?? "", isPost: attributes["method"]?.lowercased() == "post",
                    fields: fields(in: content)))
            rest = body[end...]
        }
        return forms
    }

    private static func fields(in content: Substring) -> [Field] {
        var fields: [Field] = []
        var rest = content
        while let start = rest.firstRange(bytes: "<input") {
            rest = rest[start.upperBound...]
            let attributes = attributes(of: rest.prefix(before: ">"))
            let type = attributes["type"]?.lowercased() ?? "text"
            let isSent = !["submit", "button", "image", "reset"].contains(type)
            let isTicked = !["checkbox", "radio"].contains(type) || attributes["checked"] != nil
            guard let name = attributes["name"], isSent, isTicked else { continue }
            fields.append(Field(name: name, value: attributes["value"] ?? ""))
        }
        return fields
    }

    /// The attributes of a tag, by their names in lower case.
    private static func attributes(of tag: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        let blanks = " \t\n\r\u{0C}"
        var rest = tag.drop(anyOf: blanks + "/")
        while !rest.isEmpty {
            let name = rest.prefix(beforeAny: blanks + "=/")
            rest = rest[name.endIndex...]
            var value = Substring()
            if let assigned = rest.removing(prefix: "=") {
                if let quote = ["\"", "'"].first(where: { assigned.hasBytes(prefix: $0) }) {
                    value = assigned[assigned.utf8.index(after: assigned.startIndex)...].prefix(beforeAny: quote)
                    rest = rest[value.endIndex...]
                    rest = rest.removing(prefix: quote) ?? rest
                } else {
                    value = assigned.prefix(beforeAny: blanks)
                    rest = rest[value.endIndex...]
                }
            }
            if !name.isEmpty { attributes[name.lowercased()] = unescaped(value) }
            rest = rest.drop(anyOf: blanks + "/")
        }
        return attributes
    }

    private static func unescaped(_ text: Substring) -> String {
        let entities = [
            ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ]
        return entities.reduce(String(text)) { $0.replacing(bytes: $1.0, with: $1.1) }
    }
}
