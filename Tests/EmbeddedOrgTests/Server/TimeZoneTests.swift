// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("The org's time zone")
struct TimeZoneTests {
    private func start(_ zone: String?, _ storage: LocalOrgConfiguration.Storage = .memory) async throws -> OrgClient {
        var configuration = LocalOrgConfiguration(storage: storage)
        configuration.timeZone = zone
        return try await OrgClient.start(configuration)
    }

    private func value(_ soql: String, _ client: OrgClient) throws -> String? {
        let answer = try client.query(soql)
        #expect(answer.status == 200, "\(answer.text)")
        let record = answer.json["records"]?[0]?.object ?? [:]
        return record.first { $0.key != "attributes" }?.value.string
    }

    private let printed = "SELECT FORMAT(CreatedDate) FROM Account ORDER BY CreatedDate, Id LIMIT 1"

    @Test("The org and its users have the zone, and queries follow the one of the user's record")
    func users() async throws {
        let client = try await start("Asia/Tokyo")
        #expect(try value("SELECT TimeZoneSidKey FROM Organization", client) == "Asia/Tokyo")
        let mine = "FROM User WHERE Id = '\(client.org.userID)'"
        #expect(try value("SELECT TimeZoneSidKey \(mine)", client) == "Asia/Tokyo")
        let utc = try #require(try value("SELECT CreatedDate FROM Account ORDER BY CreatedDate, Id LIMIT 1", client))
        let moment = try #require(JSONTimestamp(utc))
        #expect(try value(printed, client) == Self.text(moment, hours: 9))
        let user = "\(OrgClient.data)/sobjects/User/\(client.org.userID)"
        for (zone, hours) in [("Asia/Kolkata", 5.5), ("Mars/Base", 9), ("UTC", 0)] {
            #expect(try client.send("PATCH", user, body: #"{"TimeZoneSidKey":"\#(zone)"}"#).status == 204)
            #expect(try value(printed, client) == Self.text(moment, hours: hours), "\(zone)")
        }
        await client.org.stop()
    }

    /// `1/29/2026, 3:05 PM` in a zone so many hours east of UTC.
    private static func text(_ moment: JSONTimestamp, hours: Double) -> String? {
        let shown = JSONTimestamp(seconds: moment.seconds + Int64(hours * 3_600)).text ?? ""
        let parts = shown.split { "-T:.Z".contains($0) }.compactMap { Int($0) }
        guard parts.count == 7 else { return nil }
        let minute = parts[4] < 10 ? "0\(parts[4])" : "\(parts[4])"
        let clock = "\((parts[3] + 11) % 12 + 1):\(minute) \(parts[3] < 12 ? "AM" : "PM")"
        return "\(parts[1])/\(parts[2])/\(parts[0]), \(clock)"
    }

    @Test("An org from a file keeps its zone, and gets another one only when it is told")
    func file() async throws {
        try await withTemporaryFolder { folder in
            let storage = LocalOrgConfiguration.Storage.file(folder + "/org.db")
            for (given, found) in [(nil, "GMT"), ("Asia/Tokyo", "Asia/Tokyo"), (nil, "Asia/Tokyo"), ("GMT", "GMT")] {
                let client = try await start(given, storage)
                #expect(try value("SELECT TimeZoneSidKey FROM Organization", client) == found)
                let others = "SELECT COUNT() FROM User WHERE TimeZoneSidKey != '\(found)'"
                #expect(try client.query(others).json["totalSize"]?.int == 0)
                await client.org.stop()
            }
        }
    }

    @Test("A name that is no zone's is refused", arguments: ["", "Mars/Base", "../../etc/passwd", "america new york"])
    func unknown(zone: String) async throws {
        let error = await #expect(throws: LocalOrgError.self) { _ = try await start(zone) }
        #expect(error?.code == .unknownTimeZone && error?.message.contains("'\(zone)'") == true)
    }
}
