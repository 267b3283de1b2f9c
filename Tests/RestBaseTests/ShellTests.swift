// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestTransport
import Testing

@testable import SoqlCommand

/// The words that a shell reads must be the values that were written into the lines.
@Suite("Lines for a shell")
struct ShellTests {
    @Test("a shell reads every quoted string as one unchanged word", arguments: AwkwardText.seeds, ["bash", "sh"])
    func words(seed: UInt64, shell: String) throws {
        let texts = AwkwardText.texts(300, seed: seed, 1).map(\.withoutNUL)
        let quoted = texts.flatMap { [$0.shellQuoted, $0.shellWord] }
        let script = quoted.map { "printf '%s\\0' \($0)\n" }.joined()
        #expect(try Program.words(of: script, by: shell).map(\.hex) == texts.flatMap { [$0.hex, $0.hex] })
    }

    @Test(
        "a curl command has the method, the headers, the body and the URL of the request", arguments: AwkwardText.seeds
    )
    func curl(seed: UInt64) throws {
        var (script, expected) = ("curl() { printf '%s\\0' \"$@\"; }\n", [String]())
        let url = try HTTPURL(parsing: "https://a.example/q?a='b'&c=d")
        for text in AwkwardText.texts(100, seed: seed, 2).map(\.withoutNUL) {
            var request = HTTPRequest(
                method: HTTPMethod(rawValue: "P" + text), url: url, body: .bytes(Array(text.utf8)))
            request.fields["X-Text"] = text
            request.fields["Content-Type"] = "text/plain"
            let head = ["--request", "P" + text, "--header", "X-Text: " + text, "--header", "Content-Type: text/plain"]
            script += request.curlCommand + "\n" + CurlLine(request).text + "\n"
            expected +=
                head + ["--data-binary", "@BODY", url.description] + head + ["--data-raw", text, url.description]
        }
        #expect(try Program.words(of: script, by: "bash").map(\.hex) == expected.map(\.hex))
    }

    @Test("`eval` sets the variables of an org to its values", arguments: AwkwardText.seeds)
    func settings(seed: UInt64) throws {
        let names = [
            "SF_INSTANCE_URL", "SF_ACCESS_TOKEN", "SF_CLIENT_ID", "SF_CLIENT_SECRET", "SF_USERNAME", "SF_PASSWORD",
            "NODE_EXTRA_CA_CERTS",
        ]
        let keys = ["address", "token", "clientID", "clientSecret", "username", "password", "certificateFile"]
        var texts = AwkwardText.texts(40, seed: seed, 3).map(\.withoutNUL)[...]
        var (script, expected) = ("", [String]())
        while texts.count >= keys.count {
            let values = Array(texts.prefix(keys.count))
            texts = texts.dropFirst(keys.count)
            let members = zip(keys, values).map { (key: $0, value: JSONValue($1)) }
            let json = JSONValue(JSONObject(members: [("process", 1), ("started", "now")] + members))
            let org = try json.decode(RunningOrg.self)
            script += "eval \(org.settings.shellQuoted)\n"
            script += names.map { "printf '%s\\0' \"$\($0)\"\n" }.joined()
            expected += values
        }
        #expect(try Program.words(of: script, by: "bash").map(\.hex) == expected.map(\.hex))
    }
}

@Suite("Strings by their bytes")
struct StringBytesTests {
    @Test("a combining mark after a separator, a quote or a line feed does not hide it")
    func marks() {
        #expect("a:\u{301}b".split(byte: ":").map { String($0).hex } == ["a".hex, "\u{301}b".hex])
        #expect("a\r\n\u{301}b\n".split(byte: "\n", omittingEmptySubsequences: false).count == 3)
        #expect("x=\u{200D}y".cut(byte: "=").map { [String($0).hex, String($1).hex] } == ["x".hex, "\u{200D}y".hex])
        #expect("a/b/\u{301}c".cut(lastByte: "/")?.before == "a/b")
        #expect(
            "a@{\u{301}b".hasBytes("@{") && "@{\u{301}".hasBytes(prefix: "@{") && "a\u{600}.x".hasBytes(suffix: ".x"))
        #expect("it'\u{301}s".doubled("'").hex == "it''\u{301}s".hex)
        #expect("a'\u{301}b".shellQuoted.hex == "'a'\\''\u{301}b'".hex)
        #expect("a \u{301}b".words.count == 2 && " \r\n\u{301} ".trimmingBlanks.hex == "\u{301}".hex)
        #expect("a,\u{301}".without(",").hex == "a\u{301}".hex && "-\u{301}".drop(anyOf: "-").utf8.count == 2)
    }

    @Test("two encodings of one letter are two strings")
    func spellings() {
        #expect("\u{E9}" == "e\u{301}" && !"\u{E9}".hasSameBytes(as: "e\u{301}"))
        #expect(!"caf\u{E9}".hasBytes("e\u{301}") && !"caf\u{E9}".hasBytes(suffix: "e\u{301}"))
        #expect(!"e\u{301}a".hasBytes(prefix: "\u{E9}") && "e\u{301}a".removing(prefix: "e")?.utf8.count == 3)
    }

    @Test("lines end with LF, CR or CR LF, and with nothing else")
    func lines() {
        #expect("a\r\nb\n\nc\rd\u{2028}e\u{85}f\u{0B}".lines == ["a", "b", "", "c", "d\u{2028}e\u{85}f\u{0B}"])
        #expect("".lines == [""] && "\n\r".lines.count == 3 && "\r\n".lines.count == 2 && "a".lines == ["a"])
        #expect("a\n\u{301}b".lines.map { String($0).hex } == ["a".hex, "\u{301}b".hex])
    }

    @Test("searching, cutting and replacing compare bytes")
    func cutting() {
        #expect("aXXbXX".replacing(bytes: "XX", with: "Y") == "aYbY" && "aaa".replacing(bytes: "aa", with: "b") == "ba")
        #expect("abab".ranges(bytes: "ab").count == 2 && "a".firstRange(bytes: "ab") == nil && "".hasBytes(""))
        #expect("aab".firstRange(bytes: "ab").map { "aab"[$0] } == "ab" && "a.b".removing(suffix: ".b") == "a")
        #expect(
            "a=b=c".cut(byte: "=")?.after == "b=c" && "a=b=c".cut(lastByte: "=")?.after == "c"
                && "a".cut(byte: "=") == nil)
        #expect(
            "a?b#c".prefix(beforeAny: "#?") == "a" && "ab".prefix(before: "?") == "ab"
                && "a, b".split(anyOf: ", ") == ["a", "b"])
        #expect("a:b:c".split(byte: ":", maxSplits: 1) == ["a", "b:c"] && "b".removing(prefix: "a") == nil)
        #expect("plain-1/2.x_Y".shellWord == "plain-1/2.x_Y" && "".shellWord == "''" && "a b".shellWord == "'a b'")
        #expect(" \t\n".isBlank && "".isBlank && !" a ".isBlank)
    }
}
