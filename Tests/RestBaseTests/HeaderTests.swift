// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

/// A server that records bytes is asked what it received.
@Suite("Headers")
struct HeaderTests {
    @Test("A value of a header is sent as it is, or not at all", arguments: AwkwardText.seeds)
    func values(seed: UInt64) async throws {
        let server = try ScriptServer([.readRequest, .respond(fields: [("Connection", "close")], "ok")])
        var sent: [String] = []
        for text in AwkwardText.texts(60, seed: seed, 8) {
            var request = HTTPRequest(method: .get, url: server.url())
            request.fields["X-Text"] = "<" + text + ">"
            do throws(TransportError) {
                _ = try await PlatformTransport.shared.send(request, deadline: .now + .seconds(10))
                sent.append(text)
            } catch {
                #expect(error.code == .invalidRequest, "\(text.hex): \(error)")
            }
        }
        let heads = await server.stop().requests
        #expect(heads.count == sent.count && sent.count > 10)
        for (head, text) in zip(heads, sent) {
            let lines = Array(head.utf8).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            #expect(lines.filter { $0.utf8.starts(with: "X-Text".utf8) }.map(\.hex) == ["X-Text: <\(text)>\r".hex])
            #expect(!lines.dropFirst().contains { $0.utf8.first == UInt8(ascii: "<") })
        }
    }

    @Test("A part of a form has one line with its names, and two quotes around each", arguments: AwkwardText.seeds)
    func parts(seed: UInt64) {
        for text in AwkwardText.texts(200, seed: seed, 9) {
            let part = RestRequest.FormPart.bytes(text, [], fileName: text)
            let lines = part.head(boundary: "b").split(separator: 0x0A)
            #expect(lines.count == 4 && lines[1].count { $0 == UInt8(ascii: "\"") } == 4, "\(text.hex)")
        }
    }
}
