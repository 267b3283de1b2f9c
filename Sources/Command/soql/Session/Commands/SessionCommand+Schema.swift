// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestText

extension SessionCommand {
    /// Objects, fields and orgs.
    static let schema = [describe, objects, logins, connect, limits]

    private static let describe = SessionCommand(
        "d", "[OBJECT[.FIELD]]", "describes an object or a field; lists the objects", .objectOrField
    ) { session, call in
        guard let word = try call.word(of: "d") else { return try await list("*", session) }
        let parts = word.split(byte: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (object, field) = (parts[0], parts.dropFirst().first)
        let description = try await session.catalog().object(object)
        guard let field else { return try await session.show(ObjectDrawing(description).text) }
        guard let found = description[field] ?? description.parentField(named: field) else {
            throw UsageError("\(description.name) has no field '\(field)'", near: field, description.fields.map(\.name))
        }
        try await session.show(FieldDrawing(found).text)
    }

    private static let objects = SessionCommand(
        "dt", "[PATTERN]", "lists the objects whose name fits, such as *Contact*", .object
    ) { session, call in try await list(try call.word(of: "dt") ?? "*", session) }

    @MainActor
    private static func list(_ pattern: String, _ session: Session) async throws {
        let objects = try await session.catalog().objects().filter { $0.name.fits(pattern) }
        guard !objects.isEmpty else { throw UsageError("no object fits '\(pattern)'") }
        var listing = Listing(objects.sorted { $0.name < $1.name })
        // The names of objects are long, and a screen is narrow.
        listing.columns = ["name", "label", "custom"]
        try await session.show(listing)
    }

    private static let logins = SessionCommand("l", "", "lists the logins") { session, _ in
        let accounts = try await Accounts.open().manager
        let rows = accounts.accounts.map { account in
            [account.id == accounts.current?.id ? "*" : "", account.id, account.username ?? "", "\(account.instance)"]
        }
        guard !rows.isEmpty else { return StandardOutput.note("No logins. Run 'soql login'.") }
        try await session.show(TextTable(["", "Name", "User", "Org"], rows).text)
    }

    private static let connect = SessionCommand("c", "ACCOUNT", "goes on at the org of another login", .account) {
        session, call in
        guard let account = try call.word(of: "c") else {
            throw UsageError("\\c needs the name of a login; \\l lists them")
        }
        try await session.connect(to: account)
    }

    private static let limits = SessionCommand("limits", "[PATTERN]", "shows the org's limits and what is left") {
        session, call in
        let pattern = try call.word(of: "limits") ?? "*"
        let limits = try await session.client().limits().limits.filter { $0.key.fits(pattern) }
        guard !limits.isEmpty else { throw UsageError("no limit fits '\(pattern)'") }
        try await session.show(Listing(limits))
    }
}

extension String {
    /// Whether the text fits a pattern, in any case: `*` stands for any characters and `?` for one.
    func fits(_ pattern: String) -> Bool {
        let (text, pattern) = (Array(lowercased().unicodeScalars), Array(pattern.lowercased().unicodeScalars))
        var (place, position) = (0, 0)
        var retry: (place: Int, position: Int)?
        while place < text.count {
            if position < pattern.count, pattern[position] == "*" {
                retry = (place, position)
                position += 1
            } else if position < pattern.count, pattern[position] == "?" || pattern[position] == text[place] {
                (place, position) = (place + 1, position + 1)
            } else if let last = retry {
                retry = (last.place + 1, last.position)
                (place, position) = (last.place + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == ("*" as Unicode.Scalar) }
    }
}
