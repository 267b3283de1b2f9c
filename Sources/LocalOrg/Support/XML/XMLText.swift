// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// XML as the SOAP and bulk APIs write it.
enum XMLText {
    static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// An element with a text.
    static func element(_ name: String, _ text: String) -> String {
        "<\(name)>\(escaped(printable(text)))</\(name)>"
    }

    /// A text with references in the place of what means something, in XML and in HTML.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// XML has no way to write most control characters.
    private static func printable(_ text: String) -> String {
        guard text.utf8.contains(where: isUnprintable) else { return text }
        return String(decoding: text.utf8.filter { !isUnprintable($0) }, as: UTF8.self)
    }

    private static func isUnprintable(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    /// A value as elements of that name: an array as several, null as none or as one that says so.
    static func elements(_ name: String, _ value: JSONValue, writesNull: Bool = false) -> String {
        if value.isNull { return writesNull ? "<\(name) xsi:nil=\"true\"/>" : "" }
        if let values = value.array { return values.map { elements(name, $0, writesNull: writesNull) }.joined() }
        if let members = value.object {
            return "<\(name)>" + content(of: members, writesNull: writesNull) + "</\(name)>"
        }
        return element(name, text(value))
    }

    /// The members of an object as elements.
    static func content(of members: JSONObject, writesNull: Bool = false) -> String {
        members.map { elements($0.key, $0.value, writesNull: writesNull) }.joined()
    }

    private static func text(_ value: JSONValue) -> String {
        guard let text = value.string ?? value.numberText else { return value.bool == true ? "true" : "false" }
        // XML writes the zone of datetimes as a letter.
        return text.utf8.count == 28 && text.hasSuffix("+0000") ? text.dropLast(5) + "Z" : text
    }
}
