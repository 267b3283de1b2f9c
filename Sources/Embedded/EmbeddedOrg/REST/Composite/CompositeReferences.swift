// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// The answers of earlier requests of a composite request, to be named as `@{account.id}` or `@{page.records[0].Id}`.
struct CompositeReferences {
    private var values: [String: JSONValue] = [:]
    /// The bytes that may yet be put in for references, in all the requests of a composite request together.
    ///
    /// A reference of a few bytes can stand for a long text. Without a limit, a small body could become a huge one.
    private var room: Int

    /// No proper request needs more, since a reference is meant for an id or a name.
    static let mostBytes = 4 << 20

    init(room: Int = mostBytes) {
        self.room = room
    }

    /// Keeps an answer; the answer of a failed request is kept as null, so that nothing is found in it.
    mutating func add(_ id: String, _ response: ServerResponse) {
        let value = response.isFailure ? nil : try? JSONValue(parsing: response.body)
        values[id] = value ?? .null
    }

    /// The text with its references replaced by values; a `target` has them percent-encoded.
    ///
    /// - Throws: `PROCESSING_HALTED` for a reference to nothing, `REQUEST_TOO_LARGE` when the values are too long
    ///   together.
    mutating func resolve(_ text: String, isTarget: Bool) throws(OrgFault) -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(bytes: "@{") {
            result += rest[..<start.lowerBound]
            let inside = rest[start.upperBound...]
            guard let (reference, after) = inside.cut(byte: "}") else { throw Self.invalid(String(inside)) }
            let value = try value(of: String(reference))
            // Percent-encoded, a value is at most three times as long.
            room -= value.utf8.count * (isTarget ? 3 : 1)
            guard room >= 0 else { throw Self.tooLarge }
            result += isTarget ? PercentEncoding.queryComponent(value) : value
            rest = after
        }
        return result + rest
    }

    /// The body with the references in all its texts replaced.
    mutating func resolve(_ body: JSONValue) throws(OrgFault) -> JSONValue {
        if let object = body.object {
            var members: [(key: String, value: JSONValue)] = []
            for (key, value) in object { members.append((key, try resolve(value))) }
            return .init(JSONObject(members: members))
        }
        if let array = body.array {
            var elements: [JSONValue] = []
            for element in array { elements.append(try resolve(element)) }
            return .init(JSONArray(elements))
        }
        guard let text = body.string, text.hasBytes("@{") else { return body }
        return .init(try resolve(text, isTarget: false))
    }

    private func value(of reference: String) throws(OrgFault) -> String {
        let steps = reference.split(byte: ".", omittingEmptySubsequences: false)
        guard steps.count > 1, var found = values[String(steps[0])] else { throw Self.invalid(reference) }
        for step in steps.dropFirst() {
            guard let next = Self.member(String(step), of: found) else { throw Self.invalid(reference) }
            found = next
        }
        if let text = found.string ?? found.numberText { return text }
        guard let bool = found.bool else { throw Self.invalid(reference) }
        return bool ? "true" : "false"
    }

    /// The member of a step, `Id` or `records[0]`.
    private static func member(_ step: String, of value: JSONValue) -> JSONValue? {
        let parts = step.split(byte: "[", omittingEmptySubsequences: false)
        guard var found = parts[0].isEmpty ? value : value[String(parts[0])] else { return nil }
        for part in parts.dropFirst() {
            guard let digits = part.removing(suffix: "]"), let index = Int(outside: digits, in: .count),
                let next = found[index]
            else { return nil }
            found = next
        }
        return found
    }

    private static let tooLarge = OrgFault(
        413, "REQUEST_TOO_LARGE", "The values that references stand for are longer than \(mostBytes >> 20) MB.")

    private static func invalid(_ reference: String) -> OrgFault {
        .halted("Invalid reference specified. No value for \(reference.prefix(100)) found.")
    }
}
