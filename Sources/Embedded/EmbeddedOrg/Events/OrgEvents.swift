// SPDX-License-Identifier: Apache-2.0

import SOQLStore

/// Controls the events of an org, for tests of clients that listen.
public struct OrgEvents: Sendable {
    let bus: EventBus
    let endpoint: CometDEndpoint
    let pubsub: PubSubService
    let database: Database
    let userID: String

    /// A change event that reports lost changes.
    public enum Gap: String, Sendable, Hashable, CaseIterable {
        /// Records were created, updated, deleted or restored, without the values.
        case create = "GAP_CREATE", update = "GAP_UPDATE", delete = "GAP_DELETE", undelete = "GAP_UNDELETE"
        /// There were too many changes in one transaction. The event has no record IDs.
        case overflow = "GAP_OVERFLOW"
    }

    /// Publishes a change event after which clients must read records again.
    ///
    /// - Parameters:
    ///   - gap: the kind of the lost changes.
    ///   - object: the name of the object.
    ///   - ids: the IDs of the records, which an overflow does not have.
    /// - Returns: `false` if the object does not exist or the database cannot be written.
    @discardableResult
    public func report(_ gap: Gap, of object: String, ids: [String] = []) -> Bool {
        guard let object = bus.schema.object(named: object) else { return false }
        let ids = gap == .overflow ? ["000000000000000AAA"] : ids
        let payload = EventPayload.gap(gap.rawValue, of: object, ids: ids, by: userID, at: bus.clock.milliseconds)
        return (try? bus.publish([payload], to: EventChannel.topic(ofChangesOf: object.name), database)) != nil
    }

    /// Deletes all events, so that the replay IDs of clients become invalid.
    public func expire() { try? bus.expireEvents(database) }

    /// Forgets all clients of CometD, whose next request gets `403::Unknown client`.
    public func forgetClients() { endpoint.forgetClients() }

    /// Rejects the next handshakes because the server is busy.
    public func rejectHandshakes(_ count: Int = 1) { endpoint.rejectHandshakes(count) }

    /// Ends the next connects of CometD with the advice not to reconnect.
    public func adviseNone(_ count: Int = 1) { endpoint.adviseNone(count) }

    /// The number of clients of CometD.
    public var clientCount: Int { endpoint.clientCount }

    /// The number of clients of CometD that wait for events at this moment.
    public var waitingCount: Int { endpoint.waitingCount }

    /// Rejects the next calls of the Pub/Sub API.
    ///
    /// - Parameters:
    ///   - count: the number of calls.
    ///   - code: the error code without its prefix, such as `service.unavailable` or `subscription.limit.exceeded`.
    /// - Returns: `false` if the error code is unknown.
    @discardableResult
    public func rejectCalls(_ count: Int = 1, code: String = "service.unavailable") -> Bool {
        pubsub.reject(count, code)
    }

    /// Ends all streams of the Pub/Sub API because the service is unavailable.
    public func endStreams() { pubsub.endStreams() }

    /// Stops or continues all sending on streams of the Pub/Sub API, as if their connections were dead.
    public func silenceStreams(_ isSilent: Bool = true) { pubsub.setSilent(isSilent) }

    /// Breaks all connections of HTTP/2.
    public func dropConnections() { pubsub.drop() }

    /// Sends GOAWAY on all connections of HTTP/2, whose streams continue.
    public func leaveConnections() { pubsub.leave() }

    /// The number of streams of the Pub/Sub API with a subscription.
    public var streamCount: Int { pubsub.streamCount }
}
