// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite
import SOQLStore

/// A channel that clients subscribe to, with the topics whose events it delivers.
///
/// A topic is the name of an event object, or the name of a PushTopic's or a generic channel.
struct EventChannel: Sendable, Hashable {
    /// The name as the client wrote it.
    let name: String
    let topics: [String]
    /// The objects whose changes must be captured for the channel.
    var objects: [String] = []
    /// The values that fields of a PushTopic's events must have, by the lower-case names of the fields.
    var filters: [String: String] = [:]

    /// The only topic, or `nil` for a channel with several.
    var topic: String? { topics.count == 1 ? topics[0] : nil }

    /// The condition of the events in SQL, and its parameter ?4.
    var condition: (sql: String, parameter: String) {
        if let topic { return ("\"Topic\" = ?4", topic) }
        // The plus sign keeps SQLite from an index that it would have to sort by.
        let names = topics.map { "\"\($0)\"" }.joined(separator: ",")
        return ("+\"Topic\" IN (SELECT value FROM json_each(?4))", "[\(names)]")
    }

    static let changeSuffix = "ChangeEvent"

    /// Returns the topic of the changes of an object: `AccountChangeEvent`, `Order__ChangeEvent`.
    static func topic(ofChangesOf object: String) -> String {
        (object.removing(suffix: "__c").map { "\($0)__" } ?? object) + changeSuffix
    }

    static func object(ofChanges name: String, _ schema: Schema) -> SObjectSchema? {
        guard let stem = name.removing(suffix: changeSuffix) else { return nil }
        let object = stem.removing(suffix: "__").map { "\($0)__c" } ?? String(stem)
        return schema.object(named: object).flatMap { EventBus.publishesChanges(of: $0) ? $0 : nil }
    }

    /// Whether an event passes the filters of the channel.
    func delivers(_ event: StoredEvent) -> Bool {
        guard !filters.isEmpty else { return true }
        guard let record = try? JSONValue(parsing: event.payload) else { return false }
        return filters.allSatisfy { field, expected in
            let value = record.object?.first { $0.key.lowercased() == field }?.value
            return (value?.string ?? value?.numberText ?? value?.bool.map(String.init) ?? "") == expected
        }
    }
}

extension Schema {
    func event(named name: String) -> SObjectSchema? { object(named: name).flatMap { $0.publishing == nil ? nil : $0 } }
}

extension EventBus {
    /// Finds the channel with a name, or returns `nil` if it does not exist.
    ///
    /// Names are `/event/Order__e`, `/data/ChangeEvents`, `/topic/Leads?Status=New` or `/u/News`.
    func channel(named name: String, _ database: Database) throws(OrgError) -> EventChannel? {
        let path = String(name.prefix(before: "?"))
        if let members = channels[path.lowercased()] { return customChannel(name, members) }
        guard let slash = path.utf8.dropFirst().firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let (area, rest) = (path[..<slash].lowercased(), String(path[path.utf8.index(after: slash)...]))
        switch area {
        case "/event":
            return schema.event(named: rest).map { EventChannel(name: name, topics: [$0.name]) }
        case "/data":
            if rest.lowercased() == "changeevents" {
                let all = schema.objects.filter(Self.publishesChanges).map(\.name)
                return EventChannel(
                    name: name, topics: all.map(EventChannel.topic(ofChangesOf:)), objects: selected.isEmpty ? all : [])
            }
            return EventChannel.object(ofChanges: rest, schema).map { _ in customChannel(name, [rest]) }
        case "/topic":
            guard let topic = topics.first(where: { $0.name.lowercased() == rest.lowercased() }) else { return nil }
            return EventChannel(name: name, topics: [topic.channel], filters: filters(of: name))
        case "/u":
            let found = try database.fetch(
                "SELECT \"Name\" FROM \"StreamingChannel\" WHERE \"Name\" = ?1 AND \"IsDeleted\" = 0", [.text(path)]
            ) { $0.text(0) }
            return found.first.map { EventChannel(name: name, topics: [$0]) }
        default: return nil
        }
    }

    private func customChannel(_ name: String, _ members: [String]) -> EventChannel {
        let objects = members.compactMap { EventChannel.object(ofChanges: $0, schema)?.name }
        let events = members.compactMap { schema.event(named: $0)?.name }
        return EventChannel(
            name: name, topics: events + objects.map(EventChannel.topic(ofChangesOf:)), objects: objects)
    }

    /// Reads the filters of `/topic/Leads?Status=New&City=Bonn`.
    private func filters(of name: String) -> [String: String] {
        let pairs = name.cut(byte: "?")?.after.split(byte: "&").compactMap { $0.cut(byte: "=") } ?? []
        return Dictionary(pairs.map { ($0.before.lowercased(), String($0.after)) }) { $1 }
    }
}
