// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTesting

extension TransportConformance {
    /// The cases that apply to HTTP/2, where a front server converts the server's bytes to frames.
    package static var framedCases: [Case] { cases.filter { withoutMeaning[$0.name] == nil } }

    /// The cases about limits that apply to HTTP/2.
    package static var framedLimitCases: [LimitCase] { limitCases.filter { withoutMeaning[$0.name] == nil } }

    /// The names of all other cases, with the reason why they do not apply to HTTP/2 or to a front server.
    package static let withoutMeaning: [String: String] = Dictionary(
        uniqueKeysWithValues: groups.flatMap { group in group.names.map { ($0, group.reason) } })

    private static let groups: [(reason: String, names: [String])] = [
        (
            "frames tell where a message ends, whatever its fields say",
            [
                "rejects contradictory lengths", "rejects a transfer coding that was not requested",
                "rejects a negative length", "rejects a length with a sign", "rejects a length that overflows",
                "reads 204 with a body", "never treats bytes after a response as the next response",
            ]
        ),
        (
            "the front answers in the place of a server that does not, or not so that it can pass it on",
            [
                "rejects an empty reply", "rejects a reset instead of a response",
                "rejects a response head without its end",
                "rejects 10,000 header lines", "rejects a header line of 1 MB",
                "proves that nothing was sent when the port is closed",
                "reports a server that closes during an upload",
                "reads interim responses before the final one",
            ]
        ),
        (
            "the connection goes on for the other calls; libcurl 7.88 resets a stream with its next request",
            [
                "ends a silent call promptly at its deadline",
                "ends and closes its connection when it is cancelled while it waits for the response head",
                "ends and closes its connection when it is cancelled within the body",
                "ends and closes its connection when it is cancelled while it uploads",
                "closes the connection of a stream that is released",
            ]
        ),
        (
            "calls share a connection instead of waiting for one",
            ["sends nothing for a call that waits for a connection until its deadline"]
        ),
        (
            "the front holds a header back until its body begins",
            ["ends a stream that is being read when its transport is shut down"]
        ),
    ]
}
#endif
