// SPDX-License-Identifier: Apache-2.0

import RestSync

/// Performs the user's commands on the copy, which needs no network.
@MainActor
final class Editor {
    /// The error for a line that is not a command.
    struct UsageError: Error {
        let message: String
    }

    private static let usage = """
        list                      the cases; * is not sent yet, ! is in conflict
        show N                    the fields of a case
        set N Field=value         changes a field, or clears it without a value
        new SUBJECT               creates a case
        delete N                  deletes a case
        conflicts                 the changes that wait for a decision
        keep N server|client      decides a conflict
        sync                      syncs now
        quit                      ends; the next run sends pending changes
        """

    private let store: SyncStore
    private let synchronizer: Synchronizer
    /// The ids of the cases by their numbers on the screen, which stay the same while the app runs.
    private var ids: [String] = []

    init(_ store: SyncStore, _ synchronizer: Synchronizer) {
        (self.store, self.synchronizer) = (store, synchronizer)
        ids = ((try? store.query(Cases.list)) ?? []).compactMap(\.id)
    }

    /// Performs a line of input.
    ///
    /// - Returns: the text to show.
    func reply(to line: String) async -> String {
        do {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            switch (words.first, words.count) {
            case ("help", 1): return Self.usage
            case ("sync", 1): return try await synchronizer.sync()
            case ("list", 1): return try list()
            case ("conflicts", 1):
                let conflicts = try store.conflicts
                return conflicts.isEmpty ? "No conflicts." : try text(of: conflicts)
            case ("show", 2): return try details(of: id(words[1]))
            case ("delete", 2):
                let id = try id(words[1])
                try store.edit { try $0.delete("Case", id: id) }
                return try pending(id)
            case ("new", 2...):
                let subject = words.dropFirst().joined(separator: " ")
                return try pending(store.edit { try $0.create("Case", Cases.new(subject)) })
            case ("set", 3): return try set(id(words[1]), words[2])
            case ("keep", 3): return try keep(id(words[1]), words[2])
            default: throw UsageError(message: "no such command; enter help")
            }
        } catch let error as SyncError where error.code == .request {
            return synchronizer.text(of: error)
        } catch {
            return Self.text(of: error)
        }
    }

    static func text(of error: any Error) -> String {
        (error as? SyncError)?.message ?? (error as? RestError)?.message ?? (error as? UsageError)?.message
            ?? "\(error)"
    }

    private func list() throws -> String {
        let (pending, conflicts) = (try store.pendingRecords, Set(try store.conflicts.map(\.recordID)))
        let lines = try store.query(Cases.list).map { record in
            let id = record.id ?? ""
            let mark = conflicts.contains(id) ? "!" : pending.contains(id) ? "*" : ""
            let columns = [record["CaseNumber"], record["Status"], record["Subject"], record["Account"]].map(Self.text)
            return "\(try number(of: id))\(mark)\t\(columns.joined(separator: "\t"))"
        }
        return lines.joined(separator: "\n")
    }

    private func details(of id: String) throws -> String {
        let records = try store.query(Cases.one(id))
        let fields = records.flatMap(\.fields).filter { $0.key != "attributes" }
        return fields.map { "\($0.key): \(Self.text($0.value))" }.joined(separator: "\n")
    }

    private func set(_ id: String, _ assignment: String) throws -> String {
        guard let sign = assignment.firstIndex(of: "=") else { throw UsageError(message: "set N Field=value") }
        let value = String(assignment[sign...].dropFirst())
        let fields: JSONObject = [String(assignment[..<sign]): value.isEmpty ? .null : JSONValue(value)]
        try store.edit { try $0.update("Case", id: id, fields) }
        return try pending(id)
    }

    /// Requests a sync of an edit in the background.
    private func pending(_ id: String) throws -> String {
        synchronizer.request()
        return "\(try number(of: id))* is pending."
    }

    private func keep(_ id: String, _ side: String) throws -> String {
        let resolutions: [String: SyncConflict.Resolution] = ["server": .server, "client": .local]
        guard let resolution = resolutions[side] else { throw UsageError(message: "keep N server, or keep N client") }
        guard let conflict = try store.conflicts.first(where: { $0.recordID == id }) else {
            throw UsageError(message: "\(try number(of: id)) is not in conflict; enter conflicts")
        }
        try store.resolve(conflict, with: resolution)
        synchronizer.request()
        return "\(try number(of: id)) is resolved."
    }

    /// Returns conflicts as text, with the values of both sides.
    func text(of conflicts: [SyncConflict]) throws -> String {
        let lines = try conflicts.flatMap { conflict in
            let title = "\(try number(of: conflict.recordID))!\t\(conflict.reason)"
            return [title]
                + conflict.fields.map { field in
                    let (base, local, server) = (Self.text(field.base), Self.text(field.local), Self.text(field.server))
                    return "\t\(field.name): was \(base), is \(local) here and \(server) on the server"
                }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a field or the fields of a parent as text.
    private static func text(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "-" }
        guard let parent = value.object else { return value.string ?? value.description }
        return parent.filter { $0.key != "attributes" }.map { text($0.value) }.joined(separator: ", ")
    }

    private func id(_ number: String) throws -> String {
        guard let number = Int(number), ids.indices.contains(number - 1) else {
            throw UsageError(message: "no case has the number \(number); enter list")
        }
        return try store.currentID(of: ids[number - 1])
    }

    /// Returns the number of a case, or a new number for a case that was not shown before.
    private func number(of id: String) throws -> Int {
        // The server gives a new case another id.
        for index in ids.indices where try store.currentID(of: ids[index]) == id { return index + 1 }
        ids.append(id)
        return ids.count
    }
}
