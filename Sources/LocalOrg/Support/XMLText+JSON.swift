// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
import RestXML

extension XMLText {
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
        return text.utf8.count == 28 ? text.removing(suffix: "+0000").map { "\($0)Z" } ?? text : text
    }
}
