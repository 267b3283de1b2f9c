// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLCheck
import SwiftSource
import Testing

@testable import SOQLSwift

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Swift sources of models")
struct ModelGoldenTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "OrgModels")

    private static func schema() throws -> QuerySchema {
        try QuerySchema(json: Array(try Data(contentsOf: golden.appending(path: "schema.json"))))
    }

    /// With the environment variable `WRITE_GOLDEN_FILES` the checked-in sources are written anew.
    @Test("The checked-in sources are what the describes give now")
    func golden() throws {
        let files = ModelEmitter.files(of: try Self.schema())
        for file in files {
            let url = Self.golden.appending(path: file.path)
            if ProcessInfo.processInfo.environment["WRITE_GOLDEN_FILES"] != nil {
                try Data(file.text.utf8).write(to: url)
            }
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            #expect(text == file.text, "\(file.path) is stale; run the tests once with WRITE_GOLDEN_FILES=1")
        }
        let written = try FileManager.default.contentsOfDirectory(atPath: Self.golden.path)
        #expect(Set(written.filter { $0.hasSuffix(".swift") }) == Set(files.map(\.path)))
    }

    @Test("The same objects give the same bytes, in whatever order an org tells them, and through a saved file")
    func deterministic() throws {
        let schema = try Self.schema()
        let files = ModelEmitter.files(of: schema)
        #expect(ModelEmitter.files(of: try QuerySchema(objects: schema.objects.reversed())) == files)
        #expect(ModelEmitter.files(of: try QuerySchema(json: schema.json)) == files)
    }

    @Test("A field more changes the lines about it, and the hash")
    func diffs() throws {
        let text = """
            {"name": "Thing__c", "fields": [{"name": "Id", "type": "id"}, {"name": "B__c", "type": "string"}MORE]}
            """
        func lines(_ more: String) throws -> [String] {
            let json = Array(text.replacing("MORE", with: more).utf8)
            return ModelEmitter.files(of: try QuerySchema(json: json))[0].text.split(separator: "\n").map(String.init)
        }
        let (before, after) = (try lines(""), try lines(#", {"name": "A__c", "type": "date"}"#))
        let added = after.difference(from: before)
        #expect(added.removals.count == 1, "the line with the hash")
        #expect(
            added.insertions.compactMap { change -> String? in
                guard case .insert(_, let line, _) = change else { return nil }
                return line.trimmingPrefix { $0 == " " }.description
            }.dropFirst() == [
                "A__c date", "/// A__c (`A__c`, date).", "public var a: SOQLDate? {", "get { record[\"A__c\"] }",
                "set { record[\"A__c\"] = newValue }", "}", "public var a: ModelField<SOQLDate> { _path[\"A__c\"] }",
            ])
    }

    @Test("Whatever a label, a help text or a value holds, it stays a comment or a literal")
    func hostile() throws {
        let texts = [
            "*/ }", "\nimport Evil", "\r\nimport Evil", "\u{2028}import Evil", "\u{0B}x", "\u{85}x", "\u{202E}x", "\0",
            "\\(evil)", "\"; import Evil //", "`", "```", "", " ", "\u{1B}[31m", "/*",
        ]
        for text in texts {
            let value = JSONValue(text)
            let object: JSONValue = [
                "name": "Thing__c", "label": value,
                "fields": [
                    [
                        "name": "P__c", "type": "picklist", "label": value, "inlineHelpText": value,
                        "picklistValues": [["value": value, "label": value], ["value": "b"]],
                    ],
                    [
                        "name": "R__c", "type": "reference", "referenceTo": [value], "relationshipName": value,
                    ],
                ],
                "childRelationships": [["childSObject": "x", "field": value, "relationshipName": "y"]],
            ]
            guard let schema = try? QuerySchema(json: object) else { continue }
            for file in ModelEmitter.files(of: schema) {
                let unseen: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
                #expect(
                    file.text.unicodeScalars.allSatisfy {
                        $0 == "\n" || !unseen.contains($0.properties.generalCategory)
                    })
                #expect(!file.text.split(separator: "\n").contains { $0.hasPrefix("import") }, "\(text)")
            }
        }
    }

    @Test("Nine hundred fields are written in a time that grows with their number")
    func large() throws {
        func time(_ count: Int) throws -> Duration {
            let fields = (0..<count).map { #"{"name": "F\#($0)__c", "type": "string", "label": "F"}"# }
            let json = #"{"name": "Big__c", "fields": [\#(fields.joined(separator: ","))]}"#
            let schema = try QuerySchema(json: Array(json.utf8))
            return ContinuousClock().measure {
                #expect(ModelEmitter.files(of: schema)[0].text.utf8.count > count * 200)
            }
        }
        let small = try (0..<3).map { _ in try time(300) }.min() ?? .zero
        let large = try (0..<3).map { _ in try time(2_400) }.min() ?? .zero
        #expect(large < small * 40, "eight times the fields: \(small), \(large)")
    }

    @Test(
        "A schema that is none is refused with the place",
        arguments: [
            (#"{"sobjects": [], "version": 2}"#, "version 2"), (#"{"sobjects": [{"name": "A", "fie"#, "not JSON"),
            (#"[{"name": "A", "fields": []}, {"name": "a", "fields": []}]"#, "two objects have the name"),
            (#"{"name": "A"}"#, "no 'fields'"), (#"{"name": "A b", "fields": []}"#, "is no name"),
            (
                #"{"name": "A", "fields": [{"name": "F", "type": "id"}, {"name": "f", "type": "id"}]}"#,
                "described twice"
            ),
        ])
    func refusals(json: String, message: String) {
        let error = #expect(throws: SchemaError.self) { try QuerySchema(json: Array(json.utf8)) }
        #expect(error?.description.contains(message) == true && error?.place.isEmpty == false)
    }
}
