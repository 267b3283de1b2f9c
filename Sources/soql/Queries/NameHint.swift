// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import SOQLCheck
import SOQLSyntax

/// The name that was probably meant, where an org refuses a query because it does not know one.
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
    let query: String
    let isTooling: Bool

    /// A line for the user; `nil` when the error is about something else, or nothing is near.
    func text(for error: RestError) async -> String? {
        guard let fault = error.faults.first else { return nil }
        switch Self.unknown(in: fault.message) {
        case .object(let name)?: return await hint(name, among: objects(), in: "the org")
        case .field(let name, let object)?:
            let fields = await names(of: object) { $0["fields"]?.array?.compactMap { $0["name"]?.string } }
            return hint(name, among: fields, in: object)
        case .relationship(let name)?:
            guard let object = (try? SOQLQuery(parsing: query))?.from.path.text else { return nil }
            return hint(name, among: await relationships(of: object), in: object)
        case nil: return nil
        }
    }

    private func hint(_ name: String, among names: [String], in place: String) -> String? {
        guard let nearest = name.nearest(in: names), nearest.lowercased() != name.lowercased() else { return nil }
        return "did you mean '\(nearest)'? (of \(names.count) names in \(place))"
    }

    private static func unknown(in message: String) -> Unknown? {
        if let name = quoted(in: message, behind: "No such column '") {
            guard let object = quoted(in: message, behind: "on entity '") else { return nil }
            return .field(name, of: object)
        }
        if let name = quoted(in: message, behind: "sObject type '") { return .object(name) }
        return quoted(in: message, behind: "Didn't understand relationship '").map { .relationship($0) }
    }

    private static func quoted(in message: String, behind words: String) -> String? {
        guard let start = message.firstRange(of: words)?.upperBound else { return nil }
        let name = message[start...].prefix { $0 != "'" }
        return name.isEmpty ? nil : String(name)
    }

    // MARK: Asking the org

    private func objects() async -> [String] {
        let request: RestRequest = isTooling ? .toolingObjects : .objects
        return await ask(request)?["sobjects"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    private func names(of object: String, _ read: (JSONObject) -> [String]?) async -> [String] {
        await ask(isTooling ? .toolingDescribe(object) : .describe(object)).flatMap(read) ?? []
    }

    private func relationships(of object: String) async -> [String] {
        await names(of: object) { describe in
            let parents = describe["fields"]?.array?.compactMap { $0["relationshipName"]?.string } ?? []
            let children = describe["childRelationships"]?.array?.compactMap { $0["relationshipName"]?.string } ?? []
            return parents + children
        }
    }

    private func ask(_ request: RestRequest) async -> JSONObject? {
        var request = request.timeout(Self.patience)
        request.retryPolicy = .never
        return try? await client.send(request).payload.dictionary
    }
}
