// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Dates that are none")
struct RefusedDateTests {
    @Test(
        "a datetime that is none is refused",
        arguments: [
            "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+01:0", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01 00:00:00Z",
            "2026-1-01T00:00:00Z", "20260101T000000Z", "9999-12-31T23:59:59-01:00", "+026-01-01", "２026-01-01",
            "tomorrow", " ",
        ])
    func datetimes(text: String) async throws {
        let client = try await SharedOrg.client
        let answer = try client.send("POST", "\(OrgClient.data)/sobjects/Event", body: #"{"StartDateTime":"\#(text)"}"#)
        #expect(answer.status == 400)
        #expect(answer.errorCode == "JSON_PARSER_ERROR")
    }
}
