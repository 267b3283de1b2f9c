// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzSupport
import RestJSON
import RestTransport

@testable import RestEvents

/// The function that libFuzzer calls with each input.
///
/// An input is a list of lines: responses of a CometD server, and cookies after `=`.
///
/// Unsafe by need: this is libFuzzer's C interface. The bytes are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var subscriber = FuzzedSubscriber()
    for line in unsafe fuzzedBytes(start, count).split(separator: UInt8(ascii: "\n")).prefix(200) {
        guard subscriber.take(Array(line)) else { break }
    }
    return 0
}

/// A connection and its session as `EventConnection` and `CometDTransport` drive them, without I/O.
private struct FuzzedSubscriber {
    private static let channels = ["/event/A", "/data/AccountChangeEvent", "/topic/T?Name='x'"]
    private static let member: ConnectionState.Member = 1

    private var session = BayeuxSession()
    private var state = ConnectionState()
    /// The last ids of each channel that the member got, as many as a connection recognizes.
    private var given: [String: [ReplayID]] = [:]

    init() {
        let id = ReplayID("7")
        let starts = Self.channels.enumerated().map { number, channel in
            ChannelStart(channel, number == 0 ? .latest : number == 1 ? .earliest : id.map { .after($0) } ?? .latest)
        }
        state.join(Self.member, starts, .earliest)
    }

    /// Gives a line to the next step of the connection, and returns whether the connection continues.
    mutating func take(_ line: [UInt8]) -> Bool {
        if line.first == UInt8(ascii: "=") {
            session.keepCookies(["Set-Cookie": String(decoding: line.dropFirst(), as: UTF8.self)])
            require(session.cookies.count <= 20, "a bounded number of cookies")
            return true
        }
        while true {
            switch state.next() {
            case .stop: return false
            case .wait(let delay): require(delay > .zero && delay <= .seconds(300), "a bounded delay")
            case .open:
                let (id, message) = session.handshake()
                return perform(message, line) { subscriber, response throws(WireError) in
                    try subscriber.session.opened(response.replies[id])
                    _ = subscriber.state.opened()
                    require(subscriber.session.clientID?.isEmpty == false, "a client id")
                }
            case .subscribe(let channels):
                let messages = channels.map { session.subscribe($0) }
                let list = JSONValue(JSONArray(messages.map(\.1)))
                return perform(list, line) { subscriber, response throws(WireError) in
                    var result = WireResponse()
                    result.events = response.events
                    for ((id, _), start) in zip(messages, channels) {
                        guard let rejection = subscriber.session.rejection(response.replies[id], of: start.channel)
                        else { continue }
                        guard rejection.remedy == .position || rejection.remedy == .none else { throw rejection }
                        result.rejected[start.channel] = rejection
                    }
                    subscriber.check(subscriber.state.subscribed(channels, result, epoch: subscriber.state.epoch))
                }
            case .receive:
                let (id, message) = session.connect()
                return perform(message, line) { subscriber, response throws(WireError) in
                    subscriber.check(subscriber.state.received(WireResponse(response.events), after: .zero))
                    try subscriber.session.connected(response.replies[id], response)
                }
            }
        }
    }

    /// Sends a message, reads the response, and continues with it.
    private mutating func perform(
        _ message: JSONValue, _ line: [UInt8],
        _ next: (inout FuzzedSubscriber, BayeuxSession.Response) throws(WireError) -> Void
    ) -> Bool {
        require((try? JSONValue(parsing: message.bytes())) == message, "messages are JSON")
        do throws(WireError) {
            guard let list = (try? JSONValue(parsing: line))?.array else { throw .invalid("not a list") }
            let response = try session.read(list)
            let advice = session.advice
            require(advice.interval >= .zero && advice.interval <= .seconds(300), "a bounded interval")
            require(advice.timeout >= .seconds(1) && advice.timeout <= .seconds(600), "a bounded timeout")
            try next(&self, response)
        } catch {
            require(error.error.message.utf8.count <= 5_000, "a short message")
            require(error.delay >= .zero && error.delay <= .seconds(300), "a bounded delay")
            check(state.failed(error, draw: 0.5))
        }
        return !state.isOver
    }

    /// Checks what the member gets: each event once, with valid values in the header of a change.
    private mutating func check(_ outcome: ConnectionState.Outcome) {
        require(outcome.items.keys.allSatisfy { $0 == Self.member }, "the member alone")
        for item in outcome.items[Self.member] ?? [] {
            guard case .event(let event) = item else { continue }
            require(Self.channels.contains(event.channel), "a channel of the member")
            var ids = given[event.channel] ?? []
            require(!ids.contains(event.replayID), "no repeat")
            ids.append(event.replayID)
            given[event.channel] = Array(ids.suffix(RecentIDs.capacity))
            require(ReplayID(event.replayID.description) == event.replayID, "an id as text")
            _ = CompoundFields.flattened(event.fields)
            guard let header = event.changeHeader else { continue }
            require(header.recordIDs.count <= 5_000 && header.changedFields.count <= 5_000, "bounded lists")
            require(header.sequenceNumber >= 0 && header.commitTime.timeIntervalSince1970.isFinite, "bounded numbers")
        }
    }
}
