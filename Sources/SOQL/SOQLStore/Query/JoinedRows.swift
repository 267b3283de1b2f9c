// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck
import SOQLSyntax

/// The SQL of one FROM clause: its table, the joined children, and one LEFT JOIN for each parent that values use.
final class JoinedRows {
    let compilation: Compilation
    let object: SObjectSchema
    let alias: SQLFragment
    private var rows: [String: Row] = [:]
    private var joinClauses: SQLFragment = .empty
    /// The row that drives the statement: the child that was joined last, or the row of the object in FROM.
    private var driver: Row.Target
    /// The inner joins from the driver to the row of the object in FROM.
    private var chain: SQLFragment = .empty
    private(set) var children: [Row.Target] = []
    /// The names of the object's fields that the query uses.
    private var ownFields: Set<String> = []

    /// The row of one object, or of several objects of which at most one has the row.
    struct Row {
        struct Target {
            let object: SObjectSchema
            let alias: SQLFragment
        }

        let targets: [Target]

        /// The id of the row, or null if the row does not exist.
        var id: SQLFragment { coalesced(targets.map { "\($0.alias).\"Id\"" }) }

        func coalesced(_ columns: [SQLFragment]) -> SQLFragment {
            switch columns.count {
            case 0: "NULL"
            case 1: columns[0]
            default: "coalesce(\(columns.joined(separator: ", ")))"
            }
        }
    }

    /// Creates the rows of a FROM clause, or throws for a second list of children, which this org does not support.
    init(
        _ compilation: Compilation, _ object: ObjectDescription, _ query: SOQLQuery, joined: [ResolvedRow]
    ) throws(OrgError) {
        self.compilation = compilation
        self.object = compilation.object(object)
        alias = compilation.makeAlias()
        driver = Row.Target(object: self.object, alias: alias)
        for (row, source) in zip(joined, query.joined) {
            guard case .child(let parent, let relationship) = row.origin else {
                _ = self.row(row)
                continue
            }
            guard let parent = self.row(parent).targets.first, parent.alias == driver.alias else {
                throw compilation.unsupported("a second list of children in FROM", at: source.path.position)
            }
            join(row, relationship, parent)
        }
    }

    /// Joins the children of a row, which drive the statement because each child determines its parent.
    private func join(
        _ row: ResolvedRow, _ relationship: ObjectDescription.ChildRelationship, _ parent: Row.Target
    ) {
        let child = Row.Target(object: compilation.object(row.objects[0]), alias: compilation.makeAlias())
        chain =
            """
             JOIN \(compilation.table(of: parent.object)) AS \(parent.alias) \
            ON \(parent.alias)."Id" = \(child.alias).\(name: relationship.field)\(chain)
            """
        driver = child
        children.append(child)
        rows[row.key] = Row(targets: [child])
    }

    /// The table of FROM with its joins, which is complete after all values of the query are compiled.
    var source: QuerySource {
        QuerySource(table: compilation.table(of: driver.object), alias: driver.alias, joins: chain + joinClauses)
    }

    var fromClause: SQLFragment { source.clause }

    var rowOrder: SQLFragment { isLatestFirst ? "\(driver.alias).rowid DESC" : "\(driver.alias).rowid" }

    /// Whether rows are in descending order even without ORDER BY.
    var isLatestFirst: Bool { driver.object.name == RecentlyViewed.object.name }

    /// The test that excludes deleted rows, or `nil` if the query includes them.
    var deletedFilter: SQLFragment? {
        guard !compilation.options.includesDeleted else { return nil }
        let rows = [alias] + children.map(\.alias)
        return rows.map { "\($0).\"IsDeleted\" = 0" }.joined(separator: " AND ")
    }

    /// Whether the index of a field contains all fields that the query uses, apart from a counted id.
    func isCovered(by terms: [Operand]) -> Bool {
        guard terms.count == 1, let term = terms.first, term.isColumn, !term.isOfParent, let field = term.field else {
            return false
        }
        return field.isOrdered && ownFields.isSubset(of: [field.name, "Id"]) && rows.isEmpty
    }

    // MARK: Rows

    /// Returns the tables of a row, which are joined on first use.
    func row(_ row: ResolvedRow) -> Row {
        if let known = rows[row.key] { return known }
        switch row.origin {
        case .from, .child: return Row(targets: [Row.Target(object: object, alias: alias)])
        case .branch(let whole):
            let name = row.objects.first?.name
            return Row(targets: self.row(whole).targets.filter { $0.object.name == name })
        case .parent(let child, let reference):
            // The origin of a reference is a row of one object.
            let origin = self.row(child).targets.first?.alias ?? alias
            let targets = row.objects.map {
                Row.Target(object: compilation.object($0), alias: compilation.makeAlias())
            }
            for target in targets {
                joinClauses += """
                     LEFT JOIN \(compilation.table(of: target.object)) AS \(target.alias) \
                    ON \(target.alias)."Id" = \(origin).\(name: reference.name)
                    """
            }
            let joined = Row(targets: targets)
            rows[row.key] = joined
            return joined
        }
    }

    // MARK: Columns

    /// Returns the column of a field, which for files is the path to their bytes.
    func column(of field: FieldSchema, _ target: Row.Target) -> SQLFragment {
        if target.alias == alias { ownFields.insert(field.name) }
        let column: SQLFragment = "\(target.alias).\(name: field.name)"
        if let usage = field.usage { return compilation.time(of: usage, target.alias) }
        if field.type.isCompound { return Self.compound(field, target) }
        guard field.type == .base64 else { return column }
        let path = SQLValue.text(compilation.recordPath(of: target.object))
        let end = SQLValue.text("/" + field.name)
        return "CASE WHEN \(column) IS NOT NULL THEN \(path) || \(target.alias).\"Id\" || \(end) END"
    }

    /// The JSON of a compound field, or null if all components are null.
    private static func compound(_ field: FieldSchema, _ target: Row.Target) -> SQLFragment {
        let values = field.components.map { "\(target.alias).\(name: $0.field)" as SQLFragment }
        let pairs = zip(field.components, values).map { "\(string: $0.key), \($1)" as SQLFragment }
        return """
            CASE WHEN coalesce(NULL, \(values.joined(separator: ", "))) IS NOT NULL \
            THEN json_object(\(pairs.joined(separator: ", "))) END
            """
    }
}
