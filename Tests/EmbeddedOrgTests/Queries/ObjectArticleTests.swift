// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// The article that lists the objects, compared with what the org says about itself.
@Suite("The article on objects")
struct ObjectArticleTests {
    private static let article = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appendingPathComponent("docs/EmbeddedOrg.docc/Objects.md")

    /// The fields that every object has, or every one that users look at; the article names them once.
    private static let common: Set<String> = [
        "Id", "IsDeleted", "CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp",
        "LastViewedDate", "LastReferencedDate",
    ]

    @Test("every object, field, type, external id and number of records is as the org describes it")
    func isCurrent() async throws {
        let client = try await OrgClient.start()
        let objects = try client.get("/sobjects").json["sobjects"]?.array ?? []
        var sections: [String] = []
        for object in objects { sections.append(try Self.section(object["name"]?.string ?? "", client)) }
        await client.org.stop()
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let written = text.components(separatedBy: "\n### ").dropFirst().map { "### " + $0 }
        #expect(sections.count == 33)
        #expect(written.map(Self.words) == sections.map(Self.words), "\(sections.joined(separator: "\n\n"))")
        for name in Self.common { #expect(text.contains("`\(name)`")) }
    }

    /// Where the lines break does not matter.
    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    private static func section(_ name: String, _ client: OrgClient) throws -> String {
        let describe = try client.get("/sobjects/\(name)/describe").json
        let count = try client.query("SELECT COUNT() FROM \(name)").json["totalSize"]?.int ?? 0
        let fields = describe["fields"]?.array ?? []
        let externalIDs = fields.filter { $0["externalId"]?.bool == true }.map { "`\($0["name"]?.string ?? "")`" }
        let children = describe["childRelationships"]?.array?.map { "`\($0["relationshipName"]?.string ?? "")`" } ?? []
        var lines = ["### \(name)", ""]
        let isOwn = ["createable", "updateable", "deletable"].allSatisfy { describe[$0]?.bool == false }
        lines.append(
            "\(isOwn ? "Read-only." : "\(count) sample records.") Ids begin with `\(describe["keyPrefix"]?.string ?? "")`. External id: "
                + "\(externalIDs.first ?? "none"). Child relationships: "
                + "\(children.isEmpty ? "none" : children.joined(separator: ", ")).")
        lines.append("")
        for (type, names) in grouped(fields.filter { !common.contains($0["name"]?.string ?? "") }) {
            lines.append("- \(type): \(names.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    /// The fields of each type, in the order of the first of each.
    private static func grouped(_ fields: [JSONValue]) -> [(type: String, names: [String])] {
        var groups: [(type: String, names: [String])] = []
        for field in fields {
            let type = field["type"]?.string ?? ""
            if let position = groups.firstIndex(where: { $0.type == type }) {
                groups[position].names.append(name(of: field))
            } else {
                groups.append((type, [name(of: field)]))
            }
        }
        return groups
    }

    private static func name(of field: JSONValue) -> String {
        var notes = field["referenceTo"]?.array?.compactMap(\.string) ?? []
        if field["createable"]?.bool == false {
            notes.append("read-only")
        } else if field["nillable"]?.bool == false, field["type"]?.string != "boolean" {
            notes.append("required")
        }
        let name = "`\(field["name"]?.string ?? "")`"
        return notes.isEmpty ? name : "\(name) (\(notes.joined(separator: ", ")))"
    }
}
