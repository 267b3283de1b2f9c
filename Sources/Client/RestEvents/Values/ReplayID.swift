// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The server's id of an event in its channel, which is opaque: it can only be stored, compared and sent back.
///
/// CometD has numbers, the Pub/Sub API has bytes. Ids of a channel rise with gaps, but the SDK never computes with
/// them, as Salesforce requires.
public struct ReplayID: Sendable, Hashable {
    private enum Form: Sendable, Hashable {
        case number(Int64)
        case bytes([UInt8])
    }

    private let form: Form

    /// Makes the id of a CometD event, or returns `nil` for a negative number, which CometD reserves.
    package init?(number: Int64) {
        guard number >= 0 else { return nil }
        form = .number(number)
    }

    /// Makes an id of bytes, or returns `nil` if there is no byte or more than ``maximumSize``.
    package init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Self.maximumSize else { return nil }
        form = .bytes(bytes)
    }

    /// The maximum size of an id in bytes, which bounds what a server can make the app store.
    package static let maximumSize = 256

    /// The number of a CometD event, or `nil` for an id of bytes.
    package var number: Int64? { if case .number(let number) = form { number } else { nil } }
    /// The bytes of an event of the Pub/Sub API, or `nil` for a number.
    package var bytes: [UInt8]? { if case .bytes(let bytes) = form { bytes } else { nil } }
}

extension ReplayID: LosslessStringConvertible {
    /// Parses the ``description`` of an id, or returns `nil` for any other string.
    public init?(_ text: String) {
        if let digits = text.removing(prefix: "0x") {
            guard digits.utf8.count <= 2 * Self.maximumSize, let bytes = Hexadecimal.decode(Array(digits.utf8)) else {
                return nil
            }
            self.init(bytes: bytes)
        } else {
            guard text.utf8.count <= 19, text.utf8.allSatisfy(ASCII.isDigit),
                // bounded: the number is never computed with
                let number = Int64(text)
            else { return nil }
            self.init(number: number)
        }
    }

    /// The number, or `0x` and the bytes in hexadecimal digits.
    public var description: String {
        switch form {
        case .number(let number): String(number)
        case .bytes(let bytes): "0x" + String(decoding: Hexadecimal.encode(bytes), as: UTF8.self)
        }
    }
}

extension ReplayID: Codable {
    /// Decodes the string form of an id.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ReplayID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the string is not a replay id")
        }
        self = id
    }

    /// Encodes the string form of the id.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The position at which a subscription to a channel begins.
public enum EventStart: Sendable, Hashable {
    /// After the latest event, so that only new events are received.
    case latest
    /// At the earliest event that the server retains: 24 hours or 72 hours, depending on the kind of the channel.
    case earliest
    /// After the event with this id.
    ///
    /// If the server no longer has the id, ``EventOptions/invalidPosition`` decides.
    case after(ReplayID)
}

/// The position of a subscription in one channel: the last event that was handled.
public struct EventPosition: Sendable, Hashable, Codable {
    /// The channel, such as `/event/Order_Placed__e`.
    public let channel: String
    /// The id of the last event that was handled.
    public let replayID: ReplayID

    /// Makes a position.
    public init(channel: String, replayID: ReplayID) {
        (self.channel, self.replayID) = (channel, replayID)
    }
}
