// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Writes the members of structs and unions of a spec as JSON text, straight to bytes.
///
/// Members that are `nil` are left out. What cannot be written is remembered and thrown where the writing began.
public final class StoneWriter {
    let output = JSONOutput.empty()
    /// Whether the text is for people: of a tag that is not known it has the name alone.
    let isForPeople: Bool
    /// Whether the next member is the first of its object.
    private var isFirst = true
    private var depth = 0
    /// The first value that cannot be written: the member it belongs to, and why.
    private var problem: (member: String, reason: String)?
    private var member: StaticString = ""

    init(isForPeople: Bool = false) {
        self.isForPeople = isForPeople
    }

    /// The text of a value.
    static func text(of value: some StoneType, isForPeople: Bool = false) -> [UInt8] {
        let writer = StoneWriter(isForPeople: isForPeople)
        writer.object(value)
        return writer.output.bytes
    }

    /// What was written.
    ///
    /// - Throws: `JSONEncodingError` for the first value that could not be written.
    func result() throws(JSONEncodingError) -> [UInt8] {
        guard let problem else { return output.bytes }
        let path = problem.member.isEmpty ? [] : [jsonKey(problem.member)]
        throw JSONEncodingError(reason: .invalidValue, codingPath: path, message: problem.reason)
    }

    /// Writes the tag of a union.
    public func tag(_ tag: StaticString) {
        begin(".tag")
        output.append(UInt8(ascii: "\""))
        output.append(plain: tag)
        output.append(UInt8(ascii: "\""))
    }

    /// Writes a tag that is not known, with all that came beside it; for people the tag alone.
    public func unknown(_ tag: UnknownTag) {
        guard !isForPeople else {
            begin(".tag")
            return output.append(string: tag.tag)
        }
        if !isFirst { output.append(UInt8(ascii: ",")) }
        output.append(tag.members)
        isFirst = false
    }

    /// Writes the name of a member.
    func begin(_ name: StaticString) {
        output.append(name: name, isFirst: isFirst)
        isFirst = false
        member = name
    }

    /// Writes an object.
    func object(_ value: some StoneType) {
        output.append(UInt8(ascii: "{"))
        isFirst = true
        if enter() { value.write(to: self) }
        leave()
        output.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Writes the elements of a list.
    func array<Element>(_ elements: [Element], _ write: (StoneWriter, Element) -> Void) {
        output.append(UInt8(ascii: "["))
        if enter() {
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                write(self, element)
            }
        }
        leave()
        output.append(UInt8(ascii: "]"))
    }

    /// Writes a map, its keys in order, so that equal maps are written alike.
    func map<Value>(_ values: [String: Value], _ write: (StoneWriter, Value) -> Void) {
        output.append(UInt8(ascii: "{"))
        if enter() {
            for (index, entry) in values.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output.append(string: entry.key, colon: true)
                write(self, entry.value)
            }
        }
        leave()
        output.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Writes `null` in place of a value that cannot be written.
    func refuse(_ reason: String) {
        problem = problem ?? ("\(member)", reason)
        null()
    }

    func null() { output.append(ascii: "null") }

    private func enter() -> Bool {
        depth &+= 1
        guard depth > StoneReader.maximumDepth else { return true }
        problem = problem ?? ("\(member)", "more than \(StoneReader.maximumDepth) values inside one another")
        return false
    }

    private func leave() { depth &-= 1 }
}
