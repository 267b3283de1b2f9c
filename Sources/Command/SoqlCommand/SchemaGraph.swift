// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestXML
import SOQLCheck

extension Verb {
    static let schemaGraph = Verb(
        "schema graph", operands: ["[OBJECT…]"], "draw objects and the references between them",
        notes: [
            """
            The graph has the named objects, or all queryable objects, of the org or of saved descriptions with \
            --schema. References to other objects are left out. Mermaid is text that Markdown pages show as a picture. \
            An SVG lists the reference fields of each object, and is dashed where a reference can be empty.
            """
        ],
        [.graphFormat, .graphOutput, .modelsSchema] + Option.connection
    ) { arguments in
        Command {
            let graph = SchemaGraph(try await DescribedObjects.chosen(arguments))
            let isSVG = arguments[.graphFormat].map { $0 == "svg" } ?? arguments[.graphOutput]?.hasBytes(suffix: ".svg")
            let text = Array((isSVG == true ? graph.svg : graph.mermaid).utf8)
            guard let path = arguments[.graphOutput], path != "-" else { return try StandardOutput.write(text) }
            let file = try OutputFile(path)
            try file.write(text)
            try file.finish()
            StandardOutput.note(
                "\(counted(graph.names.count, "object")) and \(counted(graph.references.count, "reference")) in \(path)"
                    .singleLine)
        }
    }
}

extension Option {
    fileprivate static let graphFormat = Option(
        "--format", .choice("FORMAT", ["mermaid", "svg"]),
        "write mermaid or svg (default: svg for an --output file that ends with .svg, else mermaid)")
    fileprivate static let graphOutput = Option(
        "--output", short: "-o", .output, "write to a file, which appears only when complete")
}

/// Objects and the references between them, which can form cycles.
struct SchemaGraph {
    struct Reference: Equatable {
        /// The positions of the object with the field, and of the object that it references.
        let from: Int, to: Int
        let field: String
        let isRequired: Bool
    }

    let names: [String]
    private(set) var references: [Reference] = []

    init(_ schema: QuerySchema) {
        names = schema.objects.map { $0.name.singleLine }
        let positions = Dictionary(schema.objects.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in first }
        for (position, object) in schema.objects.enumerated() {
            for field in object.fields {
                for target in field.referenceTo {
                    guard let to = positions[target.lowercased()] else { continue }
                    references.append(
                        Reference(from: position, to: to, field: field.name.singleLine, isRequired: !field.isNillable))
                }
            }
        }
    }

    /// An entity relationship diagram of Mermaid.
    var mermaid: String {
        // A quoted name cannot have these characters, and there is no escape for them.
        let quoted = names.map { name in
            "\"" + String(name.map { "\"%\\".contains($0) ? "_" : $0 }) + "\""  // prose: names for people
        }
        let lines = references.map { reference in
            let field = reference.field.replacing(bytes: "\"", with: "_")
            let sign = reference.isRequired ? "||--o{" : "|o--o{"
            return "\(quoted[reference.to]) \(sign) \(quoted[reference.from]) : \"\(field)\""
        }
        return (["erDiagram"] + (quoted + lines).map { "    " + $0 }).map { $0 + "\n" }.joined()
    }
}

// MARK: - SVG

extension SchemaGraph {
    /// The distance of each object from the objects that it references, where a cycle is broken at one object.
    private var layers: [Int] {
        var layers = names.map { _ in 0 }
        let parents = references.filter { $0.from != $0.to }
        var children = names.map { _ in [Int]() }
        var missing = names.map { _ in 0 }
        for reference in parents {
            children[reference.to].append(reference.from)
            missing[reference.from] += 1
        }
        var rest = Array(names.indices)
        while !rest.isEmpty {
            let ready = rest.filter { missing[$0] == 0 }
            let next = ready.isEmpty ? rest.min { missing[$0] < missing[$1] }.map { [$0] } ?? [] : ready
            for object in next {
                // An object with missing parents is on a cycle, and must not become ready again.
                missing[object] = -1
                for child in children[object] where missing[child] > 0 {
                    missing[child] -= 1
                    layers[child] = max(layers[child], layers[object] + 1)
                }
            }
            rest.removeAll { missing[$0] < 0 }
        }
        return layers
    }

    private struct Box {
        var x = 0, y = 0, width = 0
        var fields: [Reference] = []
    }

    /// The width of a character and the height of a line, in pixels.
    private static let (letter, line) = (8, 18)

    /// A picture with the referenced objects to the left of those with the references.
    var svg: String {
        let layers = layers
        var boxes = names.map { Box(width: ($0.columnWidth + 3) * Self.letter) }
        for reference in references where boxes[reference.from].fields.last?.field != reference.field {
            let width = (reference.field.columnWidth + 3) * Self.letter
            boxes[reference.from].fields.append(reference)
            boxes[reference.from].width = max(boxes[reference.from].width, width)
        }
        var (x, height) = (40, 0)
        for layer in 0...(layers.max() ?? 0) {
            let column = names.indices.filter { layers[$0] == layer }
            var y = 20
            for index in column {
                (boxes[index].x, boxes[index].y) = (x, y)
                y += (boxes[index].fields.count + 1) * Self.line + 32
            }
            x += (column.map { boxes[$0].width }.max() ?? 0) + 100
            height = max(height, y)
        }
        let drawn = references.map { path($0, boxes, layers) } + zip(names, boxes).map(Self.drawing)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(x)" height="\(height)" viewBox="0 0 \(x) \(height)">
            <style>
            text { font: 13px monospace; fill: #24292f } .name { font-weight: bold }
            rect { fill: #f6f8fa; stroke: #57606a } path { fill: none; stroke: #57606a } marker path { fill: #57606a }
            .optional { stroke-dasharray: 5 3 }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 } rect { fill: #161b22; stroke: #8b949e } path { stroke: #8b949e }
            marker path { fill: #8b949e }
            }
            </style>
            <marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0L8 4L0 8z"/></marker>
            \(drawn.joined(separator: "\n"))
            </svg>

            """
    }

    private static func drawing(_ name: String, _ box: Box) -> String {
        let height = (box.fields.count + 1) * line + 8
        let texts = [("name", name)] + box.fields.map { ("field", $0.field) }
        return #"<rect x="\#(box.x)" y="\#(box.y)" width="\#(box.width)" height="\#(height)" rx="4"/>"#
            + texts.enumerated().map { row, text in
                #"<text class="\#(text.0)" x="\#(box.x + letter)" y="\#(box.y + (row + 1) * line)">"#
                    + XMLText.escaped(text.1) + "</text>"
            }.joined()
    }

    /// The curve from a field to the object that it references, around the boxes if that is in the same column.
    private func path(_ reference: Reference, _ boxes: [Box], _ layers: [Int]) -> String {
        let (from, to) = (boxes[reference.from], boxes[reference.to])
        let row = from.fields.firstIndex { $0.field == reference.field } ?? 0
        let isRight = layers[reference.to] > layers[reference.from]
        let isLeft = layers[reference.to] < layers[reference.from]
        let start = (x: isRight ? from.x + from.width : from.x, y: from.y + (row + 2) * Self.line - 4)
        let end = (x: isLeft ? to.x + to.width : to.x, y: to.y + Self.line - 4)
        let bends = (start.x + (isRight ? 40 : -40), end.x + (isLeft ? 40 : -40))
        let title = "\(names[reference.from]).\(reference.field) → \(names[reference.to])"
        return #"<path class="\#(reference.isRequired ? "required" : "optional")" marker-end="url(#end)" "#
            + #"d="M\#(start.x) \#(start.y)C\#(bends.0) \#(start.y) \#(bends.1) \#(end.y) \#(end.x) \#(end.y)">"#
            + "<title>\(XMLText.escaped(title))</title></path>"
    }
}
