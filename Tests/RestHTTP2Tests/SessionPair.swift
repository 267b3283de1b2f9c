// SPDX-License-Identifier: Apache-2.0

import RestHTTP2
import RestTesting
import RestTransport

/// Two sessions that feed each other, without sockets.
struct SessionPair {
    let client: HTTP2Session
    let server: HTTP2Session
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []

    init(client: HTTP2Settings = HTTP2Settings(), server: HTTP2Settings = HTTP2Settings()) throws {
        self.client = try HTTP2Session(.client, settings: client)
        self.server = try HTTP2Session(.server, settings: server)
    }

    /// Moves up to `limit` bytes in one direction, and returns whether there were any.
    mutating func deliver(toServer isToServer: Bool, limit: Int = .max) throws -> Bool {
        if isToServer {
            toServer += try client.output()
            let count = min(limit, toServer.count)
            try server.receive(toServer[..<count])
            toServer.removeFirst(count)
            return count > 0
        }
        toClient += try server.output()
        let count = min(limit, toClient.count)
        try client.receive(toClient[..<count])
        toClient.removeFirst(count)
        return count > 0
    }

    /// Moves all bytes until neither side has any.
    mutating func settle() throws {
        while try deliver(toServer: true) || deliver(toServer: false) {}
    }
}

extension HTTP2Session {
    /// Processes bytes from the peer.
    func receive(_ bytes: some Collection<UInt8>) throws(HTTP2Error) {
        let result: Result<Void, HTTP2Error> = unsafe Array(bytes).withUnsafeBytes { bytes in
            do throws(HTTP2Error) { return .success(unsafe try receive(bytes)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Returns everything that can be sent now.
    func output() throws(HTTP2Error) -> [UInt8] {
        var output: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 1)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe try fill(buffer)
            guard count > 0 else { return output }
            unsafe output.append(contentsOf: buffer[..<count])
        }
    }

    /// The events since the last call.
    func events() -> [HTTP2Event] {
        var events: [HTTP2Event] = []
        collect(into: &events)
        return events
    }
}

extension HTTP2Request {
    static func test(_ path: String = "/test", fields: HTTPFields = HTTPFields()) -> HTTP2Request {
        HTTP2Request(scheme: "http", authority: "localhost", path: path, fields: fields)
    }
}

/// A frame as bytes (RFC 9113 §4.1).
struct RawFrame {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings = RawFrame(4).bytes
    static let (data, headers, reset, ping, window, continuation) = (
        UInt8(0), UInt8(1), UInt8(3), UInt8(6), UInt8(8), UInt8(9)
    )

    let bytes: [UInt8]

    init(_ type: UInt8, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) {
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        let identifier = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
        bytes = length + [type, flags] + identifier + payload
    }
}
