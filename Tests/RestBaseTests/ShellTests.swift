// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestTransport
import Testing

@testable import soql

/// A shell is asked what it reads: the words of a line must be the values that were written into it.
@Suite("Lines for a shell")
struct ShellTests {
    @Test("A shell reads every text as the one word that it was", arguments: AwkwardText.seeds, ["bash", "sh"])
    func words(seed: UInt64, shell: String) throws {
        let texts = AwkwardText.texts(300, seed: seed, 1).map(\.withoutNUL)
        let quoted = texts.flatMap { [$0.shellQuoted, $0.shellWord] }
        let script = quoted.map { "printf '%s\\0' \($0)\n" }.joined()
        #expect(try Program.words(of: script, by: shell).map(\.hex) == texts.flatMap { [$0.hex, $0.hex] })
    }

    @Test(
        "A line for curl has the method, the headers, the body and the URL of the request", arguments: AwkwardText.seeds
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
