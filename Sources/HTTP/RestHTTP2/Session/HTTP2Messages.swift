// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestTransport

/// The head of a request, with the pseudo-headers as properties.
package struct HTTP2Request: Sendable, Hashable {
    package var method: String
    package var scheme: String
    package var authority: String
    package var path: String
    package var fields: HTTPFields

    package init(
        method: String = "POST", scheme: String, authority: String, path: String, fields: HTTPFields = HTTPFields()
    ) {
        (self.method, self.scheme, self.authority) = (method, scheme, authority)
        (self.path, self.fields) = (path, fields)
    }

    var lines: [HTTPFields.Field] {
        let head: HTTPFields = [":method": method, ":scheme": scheme, ":authority": authority, ":path": path]
        return Array(head) + fields
    }

    /// Creates the head from lines whose pseudo-headers nghttp2 has checked.
    init(lines: HTTPFields) {
        self.init(
            method: lines[":method"] ?? "", scheme: lines[":scheme"] ?? "", authority: lines[":authority"] ?? "",
            path: lines[":path"] ?? "", fields: lines.withoutPseudoHeaders)
    }
}

package typealias HTTP2Response = HTTPResponse.Head

extension HTTP2Response {
    var lines: [HTTPFields.Field] { [HTTPFields.Field(name: ":status", value: String(status))] + fields }

    /// Creates the head, or returns `nil` if the status is not between 100 and 599.
    init?(lines: HTTPFields) {
        guard let text = lines[":status"], let status = Int(outside: text, in: .status) else { return nil }
        self.init(status: status, fields: lines.withoutPseudoHeaders)
    }
}

extension HTTPFields {
    fileprivate var withoutPseudoHeaders: HTTPFields {
        HTTPFields(lazy.filter { $0.name.utf8.first != UInt8(ascii: ":") })
    }
}

/// An event of a session, in the order in which the frames arrived.
package enum HTTP2Event: Sendable, Hashable {
    /// The head of a request arrived, which opens a stream of a server.
    case request(Int32, HTTP2Request)
    /// The final response head arrived. Interim responses (1xx) are not reported.
    case response(Int32, HTTP2Response)
    /// Bytes of the body arrived, which the reader must consume.
    case data(Int32, [UInt8])
    /// Headers after the body arrived.
    case trailers(Int32, HTTPFields)
    /// The peer has finished sending on the stream.
    case end(Int32)
    /// This number of bytes that were passed to `send` has been written to the output.
    case sent(Int32, Int)
    /// The stream is closed, with an error unless both sides had finished.
    case closed(Int32, HTTP2Error?)
    /// The peer opens no streams and processes no further ones, for a reason with at most 200 bytes of text.
    case goAway(HTTP2ErrorCode, String)
}

package struct HTTP2Settings: Sendable {
    /// The number of bytes that the peer may send on a stream before the reader takes them.
    package var streamWindow = 256 * 1024
    /// The number of bytes that may be in flight on the whole connection.
    ///
    /// Bytes that have arrived do not count, so that the slow reader of one stream does not stop the other streams. The
    /// memory for unread bytes is limited by the windows of all streams.
    package var connectionWindow = 1024 * 1024
    /// The number of streams that the peer may open concurrently.
    package var maximumStreams = 100
    /// The maximum size of a head or of trailers, counted as in RFC 9113 §6.5.2.
    package var maximumHeaderBytes = 64 * 1024
    /// The maximum number of lines in a head or in trailers.
    package var maximumHeaderLines = 256
    /// The number of frames without data that the peer may send in an interval, or before a frame with data.
    package var maximumIdleFrames = 10_000
    /// The number of frames of this side, caused by the peer's frames, that may wait for a peer that does not read.
    package var maximumQueuedFrames = 2_000

    package init() {}
}
