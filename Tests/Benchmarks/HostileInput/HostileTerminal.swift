// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestTesting
import RestTransport

/// Measures how many control characters of records reach a real terminal (from `script`), in each format.
func hostileTerminalFigure() throws {
    let script = "/usr/bin/script"
    guard FileManager.default.isExecutableFile(atPath: script) else {
        return Figure.absent("hostile.terminal", peer: "script")
    }
    let soql = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("soql").path
    let scalars = [0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069]
        .joined().compactMap(Unicode.Scalar.init(_:))
    let records = scalars.map { JSONValue(["Name": JSONValue("a\(Character($0))]0;x b"), "Id": "1"]) }
    let page = JSONValue([
        "totalSize": JSONValue(records.count), "done": true, "records": JSONValue(JSONArray(records)),
    ])
    var (steered, shown) = (0, 0)
    for format in ["table", "csv", "json", "ndjson"] {
        let server = try ScriptServer([
            .readRequest,
            .respond(fields: [("Content-Type", "application/json")], String(decoding: page.bytes(), as: UTF8.self)),
        ])
        let command = "\(soql) --format \(format) 'SELECT Id, Name FROM Account'"
        let text = try output(
            script, ["-qec", command, "/dev/null"],
            environment: [
                "SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x", "SHELL": "/bin/sh",
            ])
        // The terminal converts a line feed to two characters.
        let harmful = Set(scalars).subtracting(["\r", "\n"])
        steered += text.unicodeScalars.filter { harmful.contains($0) }.count
        shown += text.split(whereSeparator: \.isNewline).filter { $0.contains("]0;x b") }.count
    }
    Figure(
        name: "hostile.terminal", value: Double(steered), unit: "characters", relation: .atMost, bound: 0,
        note: "\(scalars.count) records in 4 formats, \(shown) of them shown"
    ).print()
}
