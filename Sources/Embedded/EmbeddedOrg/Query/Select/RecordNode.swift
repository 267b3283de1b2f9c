// SPDX-License-Identifier: Apache-2.0

/// A record of the answer while it is being put together: the row it is of, and its members in order.
final class RecordNode {
    enum Content {
        case value(Operand)
        case parent(RecordNode)
        /// The first of these records that exists, each of another object.
        case choice([RecordNode])
        /// SQL that gives the JSON of a child query's result.
        case children(SQLFragment)
    }

    let parent: QueryScope.Parent
    private(set) var members: [(name: String, content: Content)] = []
    private var positions: [String: Int] = [:]
    private var unnamed = 0

    init(_ parent: QueryScope.Parent) {
        self.parent = parent
    }

    /// Adds a member; `false` when there is one of that name.
    func add(_ name: String, _ content: Content) -> Bool {
        guard positions.updateValue(members.count, forKey: name.lowercased()) == nil else { return false }
        members.append((name, content))
        return true
    }

    /// Adds a member whose name is a number.
    func addUnnamed(_ content: Content) {
        _ = add("expr\(unnamed)", content)
        unnamed += 1
    }

    /// The node of a parent, which becomes a member when it is new.
    func parentNode(_ name: String, _ parent: QueryScope.Parent) -> RecordNode {
        if let position = positions[name.lowercased()], case .parent(let node) = members[position].content {
            return node
        }
        let node = RecordNode(parent)
        _ = add(name, .parent(node))
        return node
    }

    /// The node as the shape of rows, its values being columns of the statement.
    func shape(_ scope: QueryScope, _ columns: inout ColumnList) -> RecordShape {
        let id = columns.position(of: parent.id)
        let openings = parent.targets.map {
            RecordShape.Opening($0.object, path: scope.compilation.recordPath(of: $0.object))
        }
        var shapes: [RecordShape.Member] = []
        for (name, content) in members {
            switch content {
            case .value(let operand):
                shapes.append(.init(name, .value(column: columns.position(of: operand.sql), operand.kind)))
            case .parent(let node): shapes.append(.init(name, .parent(node.shape(scope, &columns))))
            case .choice(let nodes):
                shapes.append(.init(name, .choice(nodes.map { $0.shape(scope, &columns) })))
            case .children(let sql): shapes.append(.init(name, .json(column: columns.position(of: sql))))
            }
        }
        return RecordShape(idColumn: id, openings: openings, members: shapes)
    }
}
