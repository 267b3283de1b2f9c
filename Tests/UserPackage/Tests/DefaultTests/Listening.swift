// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestEvents
import Synchronization

/// Positions in memory, for a subscription that does not outlive the process.
final class MemoryPositions: EventPositionStore {
    private let positions = Mutex<[String: [String: EventPosition]]>([:])

    func lock(_ name: String) throws -> EventLock { EventLock(name) }

    func positions(of name: String) async throws -> [EventPosition] {
        positions.withLock { Array($0[name, default: [:]].values) }
    }

    func save(_ position: EventPosition, of name: String) async throws {
        positions.withLock { $0[name, default: [:]][position.channel] = position }
    }
}

/// Positions in the app's own transaction, which is an array here.
struct OwnPositions: EventTransactionStore {
    func lock(_ name: String) throws -> EventLock { EventLock(name) }
    func positions(of name: String, in transaction: [EventPosition]) throws -> [EventPosition] { transaction }
    func advance(to position: EventPosition, of name: String, in transaction: [EventPosition]) throws {}
}

/// A screen that shows the last event.
final class EventScreen: EventDelegate {
    private(set) var last = ""

    func subscription(_ channels: [String], didReceive event: ReceivedEvent) { last = "\(event.replayID)" }
    func subscription(_ channels: [String], didFail error: EventError) { last = error.advice }
    func subscriptionDidReconnect(_ channels: [String]) { last = "connected" }
    func subscription(_ channels: [String], didMissEvents gap: EventGap) { last = "\(gap.reason)" }
}

/// Listens in every calling style.
func listen(client: RestClient, screen: EventScreen) async throws {
    let subscription = EventSubscription(name: "orders", store: MemoryPositions())
    for try await event in client.events("/event/Order__e", from: .latest, as: subscription) {
        print(event.position.channel, event.fields.count)
        break
    }
    let own = try await EventSubscription(name: "own", store: OwnPositions(), in: [])
    let events = client.events(["/event/Order__e"], from: .earliest, as: own)
    let tasks = [
        events.subscribe {
            print($0.replayID)
        } onEnd: {
            print($0)
        },
        events.subscribe(on: .main) {
            print($0.replayID)
        } onEnd: {
            print($0)
        },
    ]
    for task in tasks { task.cancel() }
}

/// Listens over the Pub/Sub API with a position at the server, and publishes over both protocols.
func publish(client: RestClient) async throws -> Int {
    var options = EventOptions()
    options.wire = .pubSub(at: Origin(scheme: .https, host: "events.example.com", port: 443))
    let managed = EventSubscription(managed: "Orders")
    for try await event in client.events("/event/Order__e", as: managed, options: options) {
        print(event.fields.count)
        break
    }
    let outcomes = try await client.publish([["Total__c": 7]], to: "/event/Order__e", over: options.wire)
    let others = try await client.publish([["Total__c": 8], ["Total__c": 9]], to: "/event/Order__e")
    return (outcomes + others).count(where: \.isApplied)
}

@MainActor func listen(client: RestClient, on screen: EventScreen) -> EventTask {
    client.events("/event/Order__e").subscribe(delegate: screen)
}
