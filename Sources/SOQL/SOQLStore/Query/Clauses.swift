// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLCheck
import SOQLSyntax

extension Compilation {
    /// Returns the error for valid SOQL that this org does not support, with the name of the construct.
    func unsupported(_ construct: String, at position: SOQLPosition) -> OrgError {
        error(.notEnabled, "\(construct) is not supported here", at: position)
    }

    /// Rejects a construct that is not available in the API version.
    private func require(
        _ feature: QueryOptions.Feature, _ construct: String, at position: SOQLPosition
    ) throws(OrgError) {
        guard !options.has(feature) else { return }
        throw error(
            .malformedQuery, "\(construct) is not available in version \(options.version).0", at: position)
    }

    /// Rejects clauses, at any depth, that need features this org does not have.
    func checkClauses(of query: SOQLQuery) throws(OrgError) {
        for item in query.select {
            switch item {
            case .fields(let group): try require(.fieldGroups, "FIELDS()", at: group.position)
            case .typeof(let typeof): try require(.typeof, "TYPEOF", at: typeof.position)
            case .children, .count, .field: break
            }
        }
        for statistic in query.statistics {
            throw unsupported("UPDATE \(statistic.value.rawValue), which is for articles,", at: statistic.position)
        }
        for clause in query.with {
            switch clause {
            // The user can see everything.
            case .access: break
            case .dataCategories(let categories):
                throw error(
                    .notEnabled,
                    "this org has no data category groups, so \(categories[0].group.text.shortened) does not exist",
                    at: clause.position)
            case .setting(let setting): throw unsupported("WITH \(setting.name.text.shortened)", at: clause.position)
            }
        }
    }
}

/// A filter of USING SCOPE, whose raw value is the name in lower case.
enum FilterScope: String {
    case everything, mine, delegated, team
    case mineAndMyGroups = "mine_and_my_groups"
    /// No scoping rules restrict what the user sees.
    case scopingRule = "scopingrule"
    case myTerritory = "my_territory", myTeamTerritory = "my_team_territory"
    /// The private folders of reports and dashboards.
    case allPrivate = "allprivate"

    /// Whether the object has the fields that the scope needs.
    fileprivate func fits(_ object: SObjectSchema) -> Bool {
        switch self {
        case .everything, .scopingRule: true
        case .mine, .mineAndMyGroups: object.field(named: "OwnerId") != nil
        case .delegated: object.name == "Task"
        case .team: ["Account", "Opportunity"].contains(object.name)
        case .myTerritory, .myTeamTerritory, .allPrivate: false
        }
    }
}

extension Compilation {
    /// Returns the test for USING SCOPE, or `nil` if every row is in the scope, or throws if the scope is unknown.
    func test(of name: SOQLName, _ rows: JoinedRows) throws(OrgError) -> SQLFragment? {
        // The resolver rejects other names.
        guard let filter = FilterScope(rawValue: name.text.lowercased()) else { return nil }
        if filter == .myTerritory || filter == .myTeamTerritory {
            throw error(
                .notEnabled, "this org has no territories, so the scope '\(name.text)' does not exist",
                at: name.position)
        }
        guard filter.fits(rows.object) else {
            throw error(
                .malformedQuery, "the object \(rows.object.name) has no scope '\(name.text)'", at: name.position)
        }
        return test(of: filter, rows)
    }

    private func test(of filter: FilterScope, _ rows: JoinedRows) -> SQLFragment? {
        let (row, user) = (rows.alias, SQLValue.text(options.userID ?? ""))
        switch filter {
        case .mine: return "\(row).\"OwnerId\" = \(user)"
        case .mineAndMyGroups:
            return """
                (\(row)."OwnerId" = \(user)\(members(of: "GroupMember", "GroupId", "UserOrGroupId", row, "OwnerId")))
                """
        // The records that the user created and assigned to another user.
        case .delegated: return "(\(row).\"CreatedById\" = \(user) AND \(row).\"OwnerId\" <> \(user))"
        case .team:
            let (object, key) = (rows.object.name + "TeamMember", rows.object.name + "Id")
            return "(0\(members(of: object, key, "UserId", row, "Id")))"
        case .everything, .scopingRule, .myTerritory, .myTeamTerritory, .allPrivate: return nil
        }
    }

    /// Returns ` OR … IN (…)` for the groups or records the user is a member of, or nothing without such an object.
    private func members(
        of object: String, _ key: String, _ member: String, _ row: SQLFragment, _ column: String
    ) -> SQLFragment {
        guard let object = schema.object(named: object), object.field(named: key) != nil,
            object.field(named: member) != nil
        else { return "" }
        return """
             OR \(row).\(name: column) IN (SELECT \(name: key) FROM \(name: object.name) \
            WHERE \(name: member) = \(.text(options.userID ?? "")) AND "IsDeleted" = 0)
            """
    }
}
