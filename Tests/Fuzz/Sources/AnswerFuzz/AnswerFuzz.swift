// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import RestBase
import RestSDK
import RestTesting
import RestTransport

/// Called by libFuzzer with each input: responses of a server, which a call gets one after another.
///
/// The first byte selects the call. The responses follow, separated by zero bytes: a line with the status, header
/// lines, an empty line and the body.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    guard let choice = bytes.first else { return 0 }
    let responses = bytes.dropFirst().split(separator: 0, maxSplits: 15).map(response)
    let clock = ManualClock(alarmsBeyond: .seconds(20))
    runBlocking(passing: { clock.advance(by: .seconds($0)) }) {
        let transport = AnsweringTransport(responses)
        if choice & 1 == 0 {
            await call(Int(choice >> 1), through: transport, clock)
        } else {
            await logIn(Int(choice >> 1), through: transport, clock)
        }
    }
    return 0
}

/// Parses a response, ignoring header lines without a colon.
private func respond(_ bytes: ArraySlice<UInt8>) -> HTTPResponse {
    var rest = bytes
    func line() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }
    let status = line().flatMap { Int(outside: String(decoding: $0, as: UTF8.self), in: NumberRange(100...599)) }
    var fields = HTTPFields()
    while let field = line(), !field.isEmpty {
        guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { continue }
        let value = field[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
        fields.append(String(decoding: field[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    return HTTPResponse(head: HTTPResponse.Head(status: status ?? 200, fields: fields), body: Array(rest))
}

private func call(_ choice: Int, through transport: AnsweringTransport, _ clock: ManualClock) async {
    let configuration = RestClient.Configuration(eventSink: IgnoringSink(), transport: transport, clock: clock)
    guard
        let client = try? RestClient(
            loginURL: "https://login.example.com", clientID: "client", clientSecret: "secret",
            configuration: configuration)
    else { return require(false, "a client") }
    do throws(RestError) {
        try await FuzzedCall.allCases[choice % FuzzedCall.allCases.count].run(client)
    } catch {
        check(error)
    }
    client.shutdown()
}

/// Checks that an error can be printed, with a reasonable length.
private func check(_ error: RestError) {
    require(!error.message.isEmpty, "a message")
    require(error.description.utf8.count < 1 << 20, "a description of a decent size")
    for fault in error.faults {
        guard let position = fault.position else { continue }
        require(position.row >= 1 && position.column >= 1, "a position from 1")
    }
    _ = (error.advice, error.retryAfter, error.outcome)
}

/// Ignores all events, but requires that they are created.
private struct IgnoringSink: RestEvent.Sink {
    func record(_ event: RestEvent) { require(!"\(event)".isEmpty, "an event as text") }
}
