// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck
import SOQLSyntax

/// The name that was probably meant, where an org refuses a query or a verb because it does not know one.
///
/// The org is asked what it knows. That is a courtesy: it takes a moment at most, and when it fails nothing is said.
struct NameHint {
    private enum Unknown {
        case object(String)
        case field(String, of: String)
        /// A parent's relationship in a path, or a list of children.
        case relationship(String)
    }

    private static let patience = Duration.seconds(3)

    let client: RestClient
    /// The query that was refused, if it was one.
    var query: String?
    /// The object that a verb was for, if it was for one.
    var object: String?
    var isTooling = false

    /// A line for the user; `nil` when the error is about something else, or nothing is near.
    func text(for error: RestError) async -> String? {
        switch unknown(in: error) {
        case .object(let name)?: return await hint(name, among: objects(), in: "the org")
        case .field(let name, let object)?:
            return hint(name, among: await description(of: object)?.fields.map(\.name) ?? [], in: object)
        case .relationship(let name)?:
            guard let object = query.flatMap({ try? SOQLQuery(parsing: $0) })?.from.path.text else { return nil }
            let description = await description(of: object)
            let parents = description?.fields.compactMap(\.relationshipName) ?? []
            return hint(name, among: parents + (description?.namedChildren.map(\.name) ?? []), in: object)
        case nil: return nil
        }
    }

    /// What a verb's error is reported as: on standard error with a name that was probably meant, or as it is.
    func reported(_ error: RestError) async -> any Error {
        guard let hint = await text(for: error) else { return error }
        let status = Diagnostics.report(error)
        StandardOutput.note("soql: \(hint)".singleLine)
        return Reported(status: status)
    }

    private func hint(_ name: String, among names: [String], in place: String) -> String? {
        guard let nearest = name.nearest(in: names), nearest.lowercased() != name.lowercased() else { return nil }
        return "did you mean '\(nearest)'? (of \(names.count) names in \(place))"
    }

    private func unknown(in error: RestError) -> Unknown? {
        guard let message = error.faults.first?.message else { return nil }
        if let name = Self.quoted(in: message, behind: "No such column '") {
            return (Self.quoted(in: message, behind: "on entity '") ?? object).map { .field(name, of: $0) }
        }
        if let name = Self.quoted(in: message, behind: "sObject type '") { return .object(name) }
        if let name = Self.quoted(in: message, behind: "Didn't understand relationship '") {
            return .relationship(name)
        }
        // An address without a resource: the object may be what is wrong in it.
        return error.code == .notFound ? object.map { .object($0) } : nil
    }

    private static func quoted(in message: String, behind words: String) -> String? {
        guard let start = message.firstRange(bytes: words)?.upperBound else { return nil }
        let name = message[start...].prefix(before: "'")
        return name.isEmpty ? nil : String(name)
    }

    // MARK: Asking the org

    private func objects() async -> [String] {
        let objects: RestRequest.Typed = isTooling ? .toolingObjects : .objects
        return await ask(objects.request)?["sobjects"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    private func description(of object: String) async -> ObjectDescription? {
        let description: RestRequest.Typed = isTooling ? .toolingDescribe(object) : .describe(object)
        return await ask(description.request).flatMap { try? ObjectDescription($0) }
    }

    private func ask(_ request: RestRequest) async -> JSONObject? {
        var request = request.timeout(Self.patience)
        request.retryPolicy = .never
        return try? await client.send(request).payload.dictionary
    }
}
