// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

#if canImport(Glibc) || canImport(Musl)
@Suite("Chromium", .timeLimit(.minutes(3)))
struct ConsoleBrowserTests {
    /// A record, a header and labels that would run a script if the page read them as HTML.
    private static let evil = "<img src=x onerror=window.hacked=1>"

    private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    @Test("the console works with keyboard and mouse, shows every text as text, and asks no other server")
    func console() async throws {
        var configuration = LocalOrgConfiguration(records: 400)
        configuration.schema = try OrgSchema(
            describe: Array(
                """
                [{"name":"Evil__c","label":"\(Self.evil)",
                "fields":[{"name":"Bad__c","label":"<script>window.hacked=1</script>","type":"string","length":20}]},
                {"name":"Note__e","fields":[{"name":"Text__c","type":"string","length":80}]}]
                """.utf8))
        let org = try await LocalOrg.start(configuration, console: true)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "console_check.py")
        let token = org.issueCredential().accessToken
        let output = try Python.run(
            [script.path, try #require(org.makeConsoleURL())], environment: ["TOKEN": token])
        let seen = try JSONValue(parsing: Array(output.utf8))
        // The door: the token is not in the location, scripts do not see the cookie, the link works once.
        #expect(seen["location"] == "/console/#requests" && seen["cookie"] == "")
        #expect(seen["again"] == "This page needs a new link")
        #expect(seen["returned"]?.string?.hasPrefix(org.instanceURL) == true)
        // Requests.
        let rows = texts(seen["rows"])
        #expect(rows.count == 2 && rows[0].contains("Nothing?a=\(Self.evil)\n404\n") && rows[1].contains("\n201\n"))
        let details = seen["details"]?.string ?? ""
        #expect(details.contains("Bearer \(Journal.fingerprint(of: token))") && !details.contains(token))
        #expect(details.contains("X-Note: \(Self.evil)$(id)`id`'\\") && details.contains(#""success": true"#))
        #expect(seen["hasToken"]?.bool == false && seen["curl"] == "HTTP/1.1 201 Created")
        #expect(seen["filtered"]?.array?.compactMap(\.int) == [2, 1, 1, 0])
        // Objects.
        #expect(texts(seen["view"]) == ["#objects", "tab-objects"] && seen["accounts"] == "462")
        #expect(seen["label"]?.string == Self.evil)
        #expect(seen["fields"]?.string?.contains("Bad__c\t<script>window.hacked=1</script>\tstring(20)") == true)
        // The editor and its results.
        #expect(texts(seen["completions"]) == ["Name"] && seen["active"] == "completion-0")
        #expect(seen["completed"] == "SELECT Id, Phone, Name FROM Account ORDER BY CreatedDate DESC")
        #expect(seen["finding"]?.string?.hasPrefix("1:19 No such column 'Namee2'") == true)
        #expect(seen["marked"] == "Namee2")
        #expect(texts(seen["columns"]) == ["Id", "Phone", "Name", "Owner.Name", "Parent.Name"])
        #expect(texts(seen["first"]).dropFirst() == ["1, \"2\"\n'3'", Self.evil, "Ada Adler", "null"])
        #expect(seen["csv"]?[0]?.int == 463 && texts(seen["csv"]?[1]) == texts(seen["columns"]))
        #expect(texts(seen["csv"]?[2]) == ["1, \"2\"\n'3'", Self.evil])
        // Faults, events and the reset.
        #expect(seen["faults"]?.array?.compactMap(\.int) == [503, 200])
        #expect(seen["event"]?.string?.contains(#""Text__c": "\#(Self.evil)""#) == true)
        #expect(seen["focus"] == "reset" && seen["reset"] == "460")
        // The page as a whole.
        #expect(seen["hacked"]?.isNull == true && seen["images"]?.int == 0)
        #expect(seen["elsewhere"]?.array?.isEmpty == true && seen["problems"]?.array?.isEmpty == true)
        #expect(seen["nameless"]?.array?.isEmpty == true)
        let backgrounds = texts(seen["backgrounds"])
        #expect(backgrounds.count == 2 && backgrounds[0] != backgrounds[1])
        await org.stop()
    }
}
#endif
