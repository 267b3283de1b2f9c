// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// One cell of a row for people: a text without control characters, and what it stands for.
struct Cell: Equatable {
    enum Kind {
        case text, number, null
        /// Beside a further child of the same parent.
        case blank
    }

    let text: String
    let kind: Kind

    static let null = Cell(text: "", kind: .null)
    static let blank = Cell(text: "", kind: .blank)

    init(text: String, kind: Kind) {
        (self.text, self.kind) = (text, kind)
    }

    init(_ value: JSONValue?) {
        guard let value, let text = value.cellText else {
            self = .null
            return
        }
        self.init(text: text, kind: value.kind == .number ? .number : .text)
    }

    /// What is shown: a text that is just the mark for null gets quotes, so that both can be told apart.
    func shown(null: String) -> String {
        switch kind {
        case .null: null
        case .blank: ""
        case .number: text
        case .text: !null.isEmpty && text.trimmingQuotes == null ? "\"\(text)\"" : text
        }
    }
}

extension String {
    /// The text without quotes around it, however many.
    fileprivate var trimmingQuotes: Substring {
        guard utf8.first == UInt8(ascii: "\"") else { return self[...] }
        let start = drop(anyOf: "\"").utf8
        let last = start.lastIndex { $0 != UInt8(ascii: "\"") }
        return Substring(start[..<(last.map(start.index(after:)) ?? start.startIndex)])
    }
}

extension JSONValue {
    /// The value as the text of a cell: strings as they are, everything else as JSON without `attributes`.
    var cellText: String? {
        if isNull { return nil }
        if let string { return string }
        if let number = numberText { return number }
        if let array = childRecords {
            return JSONValue(JSONArray(array.map(\.withoutAttributes))).description
        }
        return withoutAttributes.description
    }

    /// The records of a list of children.
    var childRecords: JSONArray? { self["records"]?.array }

    /// The value without the platform's `attributes` member, which no query asked for.
    private var withoutAttributes: JSONValue {
        if let array { return JSONValue(JSONArray(array.map(\.withoutAttributes))) }
        guard let object else { return self }
        var kept = JSONObject()
        for member in object where member.key != "attributes" { kept[member.key] = member.value.withoutAttributes }
        return JSONValue(kept)
    }

    /// The record without its lists of children.
    var withoutChildren: JSONValue {
        guard let object, object.contains(where: { $0.value.childRecords != nil }) else { return self }
        return JSONValue(JSONObject(members: object.filter { $0.value.childRecords == nil }))
    }
}
