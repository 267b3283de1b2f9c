// SPDX-License-Identifier: Apache-2.0

package import RestJSON

extension JSONWriter {
    /// Writes an object of texts.
    package mutating func object(_ pairs: [(String, String)]) {
        beginObject()
        for (name, value) in pairs { member(name, value) }
        endObject()
    }

    package mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func member(_ name: String, _ value: Int) {
        key(name)
        number(value)
    }
}
