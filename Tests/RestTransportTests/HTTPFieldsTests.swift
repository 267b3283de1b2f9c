// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("HTTPFields")
struct HTTPFieldsTests {
    @Test("Names compare without case, order and repeats stay")
    func access() {
        var fields: HTTPFields = ["Accept": "a", "X-B": "1"]
        fields.append("x-b", "2")
        #expect(fields["ACCEPT"] == "a")
        #expect(fields.values(of: "X-b") == ["1", "2"])
        #expect(fields.map(\.name) == ["Accept", "X-B", "x-b"])
        fields["x-B"] = "3"
        #expect(fields.map(\.value) == ["a", "3"])
        fields["Accept"] = nil
        #expect(fields.count == 1)
        fields["New"] = "n"
        #expect(fields.map(\.name) == ["x-B", "New"])
    }

    @Test(
        "Only ASCII letters fold",
        arguments: [("a[", "A{"), ("k", "\u{212A}"), ("é", "É"), ("@a", "`a"), ("ab", "abc")])
    func foldsLettersOnly(left: String, right: String) {
        #expect(([left: "1"] as HTTPFields)[right] == nil)
    }
}
