// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestXML

extension XMLText {
    /// A value as elements of that name: an array as several, null as none.
    static func elements(_ name: String, _ value: JSONValue) -> String {
        if value.isNull { return "" }
        if let values = value.array { return values.map { elements(name, $0) }.joined() }
        if let members = value.object { return "<\(name)>" + content(of: members) + "</\(name)>" }
        return element(name, value.string ?? value.numberText ?? (value.bool == true ? "true" : "false"))
    }

    /// The members of an object as elements.
    static func content(of members: JSONObject) -> String {
        members.map { elements($0.key, $0.value) }.joined()
    }
}
