// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Testing

@Suite("Faults of the server")
struct APIFaultTests {
    @Test("the place of a malformed query is read from the message")
    func position() {
        let message = "\nSELECT Id FORM Account\n          ^\nERROR at Row:1:Column:11\nunexpected token: 'FORM'"
        #expect(
            APIFault(errorCode: .malformedQuery, message: message).position == APIFault.Position(row: 1, column: 11))
        #expect(APIFault(errorCode: .malformedQuery, message: "unexpected token").position == nil)
    }

    @Test(
        "a place that no query has is none",
        arguments: [
            "99999999999999999999:Column:1", "-9223372036854775808:Column:1", "9223372036854775807:Column:1",
            "0:Column:1", "-1:Column:1", "+1:Column:1", "1:Column:0", "1:Column:-1", "1:Column:1000001",
            "1000001:Column:1", "1:Column:99999999999999999999", "1:Column:", ":Column:1",
            String(repeating: "0", count: 30) + "1:Column:1", "١:Column:1",
        ])
    func noPosition(place: String) {
        #expect(APIFault(errorCode: .malformedQuery, message: "ERROR at Row:\(place)").position == nil)
    }

    @Test("the last place that is one")
    func lastPosition() {
        let fault = APIFault(errorCode: .malformedQuery, message: "ERROR at Row:1000000:Column:1000000:x")
        #expect(fault.position == APIFault.Position(row: 1_000_000, column: 1_000_000))
    }

    @Test("codes are an open set: one without a name is as good as one with")
    func codes() {
        #expect(APIFault.Code.invalidSessionID == "INVALID_SESSION_ID")
        #expect(APIFault(errorCode: "OF_TOMORROW", message: "m").description == "OF_TOMORROW: m")
    }

    @Test(
        "faults are found wherever the platform puts them",
        arguments: [
            (#"[{"errorCode":"A","message":"m","fields":["F"]},{"errorCode":"B","message":"n"}]"#, ["A: m", "B: n"]),
            (#"{"errorCode":"A","message":"m"}"#, ["A: m"]),
            (#"{"error":"invalid_grant","error_description":"expired"}"#, ["invalid_grant: expired"]),
            (#"{"id":null,"success":false,"errors":[{"statusCode":"A","message":"m","fields":[]}]}"#, ["A: m"]),
            (
                #"[{"id":"1","success":true,"errors":[]},{"success":false,"errors":[{"statusCode":"A","message":"m"}]}]"#,
                ["A: m"]
            ),
            (
                #"{"hasErrors":true,"results":[{"referenceId":"r2","errors":[{"statusCode":"A","message":"m"}]}]}"#,
                ["r2: A: m"]
            ),
            (
                #"{"hasErrors":true,"results":[{"statusCode":200,"result":{"Id":"1"}},{"statusCode":400,"result":[{"errorCode":"A","message":"m"}]}]}"#,
                ["A: m"]
            ),
            (
                #"{"compositeResponse":[{"body":{"id":"1"},"httpStatusCode":201,"referenceId":"a"},{"body":[{"errorCode":"A","message":"m"}],"httpStatusCode":400,"referenceId":"b"}]}"#,
                ["b: A: m"]
            ),
            (#"{"totalSize":0,"done":true,"records":[]}"#, []), ("[]", []), ("7", []), ("{}", []),
            (String(repeating: #"{"body":"#, count: 200) + "1" + String(repeating: "}", count: 200), []),
        ])
    func shapes(body: String, faults: [String]) throws {
        #expect(try APIFault.faults(in: JSONValue(parsing: body)).map(\.description) == faults)
    }
}
