// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("PercentEncoding")
struct PercentEncodingTests {
    @Test("Everything but unreserved characters is escaped")
    func escapes() {
        #expect(PercentEncoding.pathSegment("a/b c+é~") == "a%2Fb%20c%2B%C3%A9~")
        #expect(
            PercentEncoding.queryComponent("SELECT Id FROM A WHERE B='x&y=z'+1%")
                == "SELECT%20Id%20FROM%20A%20WHERE%20B%3D%27x%26y%3Dz%27%2B1%25")
        #expect(PercentEncoding.queryComponent("\u{1F600}\0\n") == "%F0%9F%98%80%00%0A")
    }

    @Test("A dot segment is one in whatever spelling, and no other segment is")
    func dotSegments() {
        for path in ["..", "/a/..", "/a/../b", "/./a", "/a/.", "/%2e%2E/a", "/a/.%2e", "/%2E"] {
            #expect(PercentEncoding.hasDotSegment(path), "\(path)")
        }
        for path in ["", "/", "/a//b", "/...", "/a.b", "/..a", "/a..", "/%2e%2e%2e", "/.%2f.", "/%zz", "/%252e"] {
            #expect(!PercentEncoding.hasDotSegment(path), "\(path)")
        }
    }

    @Test("A form uses plus signs for blanks and keeps its order")
    func form() {
        let text = PercentEncoding.form([("grant_type", "password"), ("user name", "a+b@c.d"), ("x", "")])
        #expect(text == "grant_type=password&user+name=a%2Bb%40c.d&x=")
        #expect(PercentEncoding.form([]) == "")
    }

    @Test(
        "Decoding undoes every encoding", arguments: ["", "a b+c", "é\u{1F600}", "100%", "\0\r\n", "/?#[]@!$&'()*+,;="])
    func roundTrip(text: String) throws {
        #expect(try PercentEncoding.decode(PercentEncoding.pathSegment(text)) == text)
        #expect(try PercentEncoding.decode(PercentEncoding.queryComponent(text)) == text)
        let value = PercentEncoding.form([("", text)]).dropFirst()
        #expect(try PercentEncoding.decodeForm(String(value)) == text)
    }

    @Test(
        "Broken triplets and broken UTF-8 are refused",
        arguments: ["%", "%4", "%zz", "a%C3", "%FF", "%ED%A0%80", "%C0%80"])
    func refuses(text: String) {
        #expect(throws: HTTPURL.ParsingError.self) { try PercentEncoding.decode(text) }
    }

    @Test("A plus sign is a blank in forms only")
    func plus() throws {
        #expect(try PercentEncoding.decode("a+b%20c") == "a+b c")
        #expect(try PercentEncoding.decodeForm("a+b%20c%2B") == "a b c+")
    }
}
