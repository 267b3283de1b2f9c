// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLStore

/// A client that listens to a channel, as a record of `EventBusSubscriber`.
struct EventSubscriber: Sendable {
    static let object = "EventBusSubscriber"

    enum Kind: String, Sendable {
        case cometD = "CometD"
        case pubSub = "PubSub"
        case managed = "ManagedSubscription"
    }

    let kind: Kind
    /// The ID of the client or of its call.
    let id: String
    /// The developer name of a managed subscription, or the ID.
    let name: String
    /// The ID of the user.
    let user: String
    let channel: EventChannel
    /// The position after which the client gets events.
    var position: Int64
}

extension EventBus {
    /// Replaces the records of `EventBusSubscriber` by the clients that listen, before a query reads them.
    func writeSubscribers(_ database: Database) throws(OrgError) {
        guard let object = schema.object(named: EventSubscriber.object) else { return }
        let (subscribers, time) = (subscribers, WireTime.datetime(milliseconds: clock.milliseconds))
        try database.transaction { (connection) throws(OrgError) in
            try connection.change("DELETE FROM \"\(object.name)\"")
            for (row, subscriber) in zip(Int64(1)..., subscribers) {
                let (condition, topics) = subscriber.channel.condition
                let newest = "SELECT \"Replay\" FROM \"org.Event\" WHERE \(condition)"
                let last = "ORDER BY \"Replay\" DESC LIMIT 1"
                let topic = subscriber.channel.name.cut(lastByte: "/")?.after ?? ""
                try connection.change(
                    """
                    INSERT INTO "\(object.name)" (rowid, "Id", "ExternalId", "Name", "Topic", "Type", "Status",
                    "Position", "Tip", "Retries", "IsDeleted", "CreatedDate", "CreatedById", "LastModifiedDate",
                    "LastModifiedById", "SystemModstamp") VALUES (?1, ?2, ?3, ?5, ?6, ?7, 'Running',
                    coalesce((\(newest) AND "Replay" <= ?8 \(last)), -1), coalesce((\(newest) \(last)), -1), 0, 0,
                    ?9, ?10, ?9, ?10, ?9)
                    """,
                    [
                        .integer(row), .text(RecordID.make(prefix: object.keyPrefix, number: row)),
                        .text(subscriber.id), .text(topics), .text(subscriber.name), .text(String(topic)),
                        .text(subscriber.kind.rawValue), .integer(subscriber.position), .text(time),
                        .text(subscriber.user),
                    ])
            }
        }
    }
}
