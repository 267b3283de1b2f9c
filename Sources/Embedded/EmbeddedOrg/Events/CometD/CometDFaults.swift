// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import SOQLStore

/// The numbers of coming responses with a fault.
struct CometDFaults {
    /// The handshakes that are rejected because the server is busy.
    var busy = 0
    /// The connects whose reply ends the client.
    var adviceNone = 0

    mutating func take(_ fault: WritableKeyPath<CometDFaults, Int>) -> Bool {
        guard self[keyPath: fault] > 0 else { return false }
        self[keyPath: fault] -= 1
        return true
    }
}

extension APIVersion {
    /// Reads the version of `/cometd/60.0`, `/cometd/60.0/connect` or `/cometd/replay/36.0`.
    init?(cometd path: RequestPath) {
        var segments = path.segments.dropFirst()
        let isReplay = segments.first == "replay"
        if isReplay { segments = segments.dropFirst() }
        guard let version = segments.first.flatMap({ APIVersion(segment: "v\($0)") }), segments.count <= 2,
            isReplay || version.number >= 37
        else { return nil }
        self = version
    }
}

extension StoredEvent {
    /// Appends the event as a message of a channel.
    func append(to bytes: inout [UInt8], on channel: String, _ schemas: EventSchemas) {
        bytes += #"{"channel":"#.utf8
        bytes.appendQuoted(ContiguousArray(channel.utf8).span)
        if let schema = schemas.schema(ofTopic: topic) {
            bytes += #","data":{"schema":"\#(schema.id)","payload":"#.utf8
            bytes += payload
            bytes += #","event":{"#.utf8
            if !uuid.isEmpty { bytes += #""EventUuid":"\#(uuid)","#.utf8 }
            bytes += #""replayId":\#(replay)}}}"#.utf8
            return
        }
        let time = WireTime.datetime(milliseconds: time).removing(suffix: "+0000") ?? ""
        bytes += #","data":{"event":{"createdDate":"\#(time)Z","replayId":\#(replay)"#.utf8
        // A PushTopic's event has a type and a record, a generic event any payload.
        bytes += (detail.isEmpty ? #"},"payload":"# : #","type":"\#(detail)"},"sobject":"#).utf8
        bytes += payload
        bytes += "}}".utf8
    }
}
