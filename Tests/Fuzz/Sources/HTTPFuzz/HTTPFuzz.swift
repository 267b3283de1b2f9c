// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import FuzzSupport

/// Called by libFuzzer with each input: the bytes that a client sends to an embedded org on one connection.
///
/// `{h}` is replaced by the org's host and `{t}` by one of its tokens, which change from run to run.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    runBlocking {
        guard let org = await FuzzedServer.shared.next() else { return require(false, "an org starts") }
        check(exchange(filled(bytes, org), with: org.port))
        let host = Array("127.0.0.1:\(org.port)".utf8)
        let good =
            Array("GET /services/data HTTP/1.1\r\nHost: ".utf8) + host + Array("\r\nConnection: close\r\n\r\n".utf8)
        require(exchange(good, with: org.port).starts(with: Array("HTTP/1.1 200 ".utf8)), "a good request is answered")
    }
    return 0
}

/// Returns the response to a client that sends these bytes and then reads to the end.
private func exchange(_ bytes: [UInt8], with port: Int) -> [UInt8] {
    guard let socket = FuzzSocket(port: port) else {
        require(false, "the org takes connections")
        return []
    }
    socket.send(bytes)
    return socket.receiveAll()
}

/// Checks that there is no response, or a valid one without an internal error.
private func check(_ response: [UInt8]) {
    guard !response.isEmpty else { return }
    let line = response.prefix { $0 != 0x0D }
    require(line.count > 12 && line.starts(with: Array("HTTP/1.1 ".utf8)), "a status line")
    require(line.dropFirst(9).first.map { (0x31...0x35).contains($0) } == true, "a status")
    let isInternal = line.dropFirst(9).starts(with: Array("500".utf8))
    // SOAP reports every error with status 500 (SOAP 1.1, section 6.2).
    require(
        !isInternal || String(decoding: response.prefix(2_000), as: UTF8.self).contains("text/xml"), "no internal fault"
    )
}

private func filled(_ bytes: [UInt8], _ org: (port: Int, token: String)) -> [UInt8] {
    var (result, rest) = ([UInt8](), bytes[...])
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
        result += rest[..<open]
        rest = rest[open...]
        if rest.starts(with: Array("{h}".utf8)) {
            result += Array("127.0.0.1:\(org.port)".utf8)
            rest = rest.dropFirst(3)
        } else if rest.starts(with: Array("{t}".utf8)) {
            result += Array(org.token.utf8)
            rest = rest.dropFirst(3)
        } else {
            result.append(rest.removeFirst())
        }
    }
    return result + rest
}

/// The org that gets the bytes, which is replaced after a number of inputs.
private actor FuzzedServer {
    static let shared = FuzzedServer()
    private static let mostInputs = 5_000

    private var current: (org: LocalOrg, token: String)?
    private var inputs = 0

    func next() async -> (port: Int, token: String)? {
        inputs += 1
        if inputs % Self.mostInputs == 0, let old = current {
            current = nil
            await old.org.stop()
        }
        if current == nil {
            if let org = try? await LocalOrg.start() {
                current = (org, org.issueCredential().accessToken)
            }
        }
        return current.map { ($0.org.port, $0.token) }
    }
}
