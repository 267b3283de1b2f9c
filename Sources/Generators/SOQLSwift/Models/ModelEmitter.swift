// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
package import SOQLCheck
package import SwiftSource

/// Writes the objects of a schema as Swift models that stand on `RestModels`, one file for each.
///
/// Equal objects give equal files, byte for byte, and a change of one field changes the lines about it alone.
package enum ModelEmitter {
    /// The emitter's version, which stands in every file.
    package static let version = "1"
    /// By what a file tells that it is one of these.
    package static let mark = SourceMark(tool: "soql models", label: "kind", value: "models")
    /// The file of the objects that models refer to and that are none themselves.
    static let others = "OtherObjects"

    /// The files of a schema's objects, in the order of their paths.
    package static func files(of schema: QuerySchema, module: String? = nil) -> [SwiftFile] {
        let names = ModelNames(schema, module: module)
        var files = schema.objects.map { ModelWriter($0, names, schema).file }
        if let others = others(schema, names) { files.append(others) }
        return files.sorted { $0.path < $1.path }
    }

    /// The objects that have their types in a file of `soql models`.
    ///
    /// It is empty for other files.
    package static func objects(in text: String) -> [String] {
        let lines = text.split(byte: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard mark.value(in: text) == mark.value, lines.count > 3 else { return [] }
        if let start = lines[2].firstRange(bytes: "; object: ") {
            return [String(lines[2][start.upperBound...].prefix(beforeAny: ";)"))]
        }
        return lines[3].split(byte: "\n").compactMap {
            $0.cut(byte: "\"").flatMap {
                $0.before.hasBytes("static let objectName") ? String($0.after.prefix(before: "\"")) : nil
            }
        }
    }

    /// The objects that have ids in the models and no model of their own.
    private static func others(_ schema: QuerySchema, _ names: ModelNames) -> SwiftFile? {
        let targets = schema.objects.flatMap(\.fields).filter { $0.referenceTo.count == 1 }.map { $0.referenceTo[0] }
        let unknown = Dictionary(
            targets.filter { schema.object(named: $0) == nil }.map { (names.type(of: $0), $0) }
        ) { min($0, $1) }
        guard !unknown.isEmpty else { return nil }
        var text = SwiftText()
        for (position, (type, object)) in unknown.sorted(by: { $0.key < $1.key }).enumerated() {
            if position > 0 { text.line() }
            text.doc(["The object \(Documentation.code(object)), of which there is no model here."])
            text.block("nonisolated public enum \(type): RecordObject") { text in
                text.doc(["The API name."])
                text.line("public static let objectName = \(object.swiftLiteral)")
            }
        }
        return SwiftFile(
            path: "\(others).swift", text: header("references") + "public import RestModels\n\n" + body(text))
    }

    /// What stands above everything in a file.
    static func header(_ note: String) -> String {
        """
        // SPDX-License-Identifier: Apache-2.0
        // swift-format-ignore-file
        // Written by soql models \(version) (kind: models; \(note)).
        // Do not change it; run soql models again when the org has changed.


        """
    }

    static func body(_ text: SwiftText) -> String { text.lines.joined(separator: "\n") + "\n" }
}
