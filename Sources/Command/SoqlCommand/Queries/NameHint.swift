// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck
import SOQLSyntax

/// A suggestion of the intended name, if an org rejects a query or a verb because of an unknown name.
///
/// The names are requested from the org with a short timeout, ignoring errors.
struct NameHint {
    private enum Unknown {
        case object(String)
        case field(String, of: String)
        /// The relationship of a parent in a path, or a list of children.
        case relationship(String)
    }

    private static let patience = Duration.seconds(3)

    let client: RestClient
    /// The rejected query, if any.
    var query: String?
    /// The object of the verb, if any.
    var object: String?

    /// The suggestion, or `nil` if the error has another reason or no name is similar.
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

    /// Reports a verb's error with a suggestion on standard error, or returns the error unchanged if there is none.
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
        // The URL has no resource, perhaps because the object is wrong.
        return error.code == .notFound ? object.map { .object($0) } : nil
    }

    private static func quoted(in message: String, behind words: String) -> String? {
        guard let start = message.firstRange(bytes: words)?.upperBound else { return nil }
        let name = message[start...].prefix(before: "'")
        return name.isEmpty ? nil : String(name)
    }

    // MARK: Asking the org

    private func objects() async -> [String] {
        return await ask(RestRequest.Typed.objects.request)?["sobjects"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    private func description(of object: String) async -> ObjectDescription? {
        return await ask(RestRequest.Typed.describe(object).request).flatMap { try? ObjectDescription($0) }
    }

    private func ask(_ request: RestRequest) async -> JSONObject? {
        var request = request.timeout(Self.patience)
        request.retryPolicy = .never
        return try? await client.send(request).payload.dictionary
    }
}
