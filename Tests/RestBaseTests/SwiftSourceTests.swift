// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON
import SOQLCheck
import SOQLSwift
import SOQLSyntax
import StoneCompiler
import SwiftSource
import Testing

/// The Swift compiler reads the written sources.
@Suite("Swift sources", .timeLimit(.minutes(5)))
struct SwiftSourceTests {
    @Test("a literal has the value that was written, and so has a query", arguments: AwkwardText.seeds)
    func literals(seed: UInt64) throws {
        let texts = AwkwardText.texts(100, seed: seed, 10)
        let queries = AwkwardText.texts(40, seed: seed, 11).map {
            [
                "SELECT Id FROM Account WHERE Name = \(SOQLEscaping.quoted($0))",
                "SELECT Id FROM Account WHERE Name = \(plain($0))",
            ]
        }.joined()
        var source =
            "func show(_ text: String) { print(text.utf8.map { String($0, radix: 16) }.joined(separator: \" \")) }\n"
        for text in texts { source += "show(\(text.swiftLiteral))\n" }
        for query in queries { source += "show(\n\(try literal(query)))\n" }
        let outcome = try Program.run(["swiftc", "-frontend", "-interpret", "-"], input: source)
        #expect(outcome.status == 0, "\(outcome.errors.prefix(2_000))")
        let shown = outcome.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        #expect(
            shown.map { String(decoding: $0, as: UTF8.self) }
                == (texts + queries).map { $0.utf8.map { String($0, radix: 16) }.joined(separator: " ") })
    }

    /// Returns a SOQL literal of the string with the minimum number of escapes.
    private func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { !["\n", "\r", "\0"].contains($0) }
        return "'" + scalars.map { ["'", "\\"].contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }

    /// Returns the Swift literal of a query in the source that is generated for it.
    private func literal(_ query: String) throws -> String {
        let schema = try QuerySchema(
            json: Array(
                #"{"name": "Account", "fields": [{"name": "Id", "type": "id"}, {"name": "Name", "type": "string"}]}"#
                    .utf8))
        let source = QuerySource(path: "some.soql", text: query)
        let text = try QueryEmitter.files(of: [source], schema: schema, QueryOptions(module: "M")).files[0].text
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
        let start = try #require(lines.firstIndex { $0.utf8.elementsEqual("    static func some() -> SOQL {".utf8) })
        let end = try #require(lines[start...].firstIndex { $0.utf8.elementsEqual("    }".utf8) })
        return lines[(start + 1)..<end].joined(separator: "\n")
    }

    @Test("comments end at their intended end for any string in a schema or a spec", arguments: AwkwardText.seeds)
    func comments(seed: UInt64) throws {
        var sources = ""
        for (number, text) in AwkwardText.texts(40, seed: seed, 12).enumerated() {
            sources += try models(text, number) + (try routes(text, number))
        }
        let outcome = try Program.run(["swiftc", "-frontend", "-parse", "-"], input: sources)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors.prefix(2_000))")
        let code = sources.utf8.split(separator: 0x0A).map { String(Substring($0)) }
        #expect(!code.contains { $0.utf8.contains(0x0D) })
    }

    /// Returns the source of an object whose labels, help and values are `text`.
    private func models(_ text: String, _ number: Int) throws -> String {
        let value = JSONValue(text)
        let object: JSONValue = [
            "name": JSONValue("Thing\(number)__c"), "label": value,
            "fields": [
                [
                    "name": "P__c", "type": "picklist", "label": value, "inlineHelpText": value,
                    "picklistValues": [["value": value, "label": value], ["value": "b"]],
                ]
            ],
        ]
        return ModelEmitter.files(of: try QuerySchema(json: object.bytes())).map(\.text).joined(separator: "\n")
    }

    /// Returns the source of a route whose documentation, pattern and attribute are `text`.
    private func routes(_ text: String, _ number: Int) throws -> String {
        let quoted = text.withoutNUL.unicodeScalars.map { ["\"", "\\"].contains($0) ? "\\\($0)" : String($0) }.joined()
        let line = quoted.split { $0.isNewline }.joined(separator: " ")
        let spec = """
            namespace space\(number)

            struct S
                "\(line)"
                x String = "\(line)"
                    "\(line)"

            route r (S, Void, Void)
                "\(line)"

            """
        guard let api = try? StoneAPI(compiling: [StoneSource(path: "a.stone", text: spec)]) else { return "" }
        return try SwiftEmitter.files(of: api, SwiftOptions(module: "M")).map(\.text).joined(separator: "\n")
    }
}
