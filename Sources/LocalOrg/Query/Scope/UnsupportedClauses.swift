// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension Compilation {
    /// The error for what is SOQL, but nothing that this org has; it names the construct.
    func unsupported(_ construct: String, at position: SOQLPosition) -> QueryError {
        error(.notEnabled, "\(construct) is not supported here", at: position)
    }

    /// Refuses the clauses of a query, of whatever depth, that need what this org does not have.
    func checkClauses(of query: SOQLQuery) throws(QueryError) {
        for clause in query.apexClauses {
            throw unsupported("\(clause.value.rawValue), which is Apex,", at: clause.position)
        }
        for statistic in query.statistics {
            throw unsupported("UPDATE \(statistic.value.rawValue), which is for articles,", at: statistic.position)
        }
        var access: SOQLPlaced<SOQLAccess>?
        for clause in query.with {
            switch clause {
            case .access(let mode):
                guard access == nil else {
                    throw error(.malformedQuery, "a query has one access mode at most", at: mode.position)
                }
                access = mode
            case .dataCategories: throw unsupported("WITH DATA CATEGORY", at: clause.position)
            case .setting(let setting): throw unsupported("WITH \(setting.name.text.shortened)", at: clause.position)
            }
        }
        // The user may see everything, so of the modes only this one has a meaning: what it cannot check.
        isSecurityEnforced = isSecurityEnforced || access?.value == .securityEnforced
    }

    /// The test of USING SCOPE; `nil` when every row is in the scope.
    func test(of name: SOQLName, _ scope: QueryScope) throws(QueryError) -> SQLFragment? {
        switch name.text.lowercased() {
        case "everything": return nil
        // There are no rules that narrow what the user sees.
        case "scopingrule": return nil
        // There are no groups, so the groups' records are none.
        case "mine", "mine_and_my_groups":
            guard scope.object.field(named: "OwnerId") != nil else {
                throw error(
                    .malformedQuery, "the object \(scope.object.name) has no owner, and so no scope '\(name.text)'",
                    at: name.position)
            }
            return "\(scope.alias).\"OwnerId\" = \(.text(options.userID ?? ""))"
        case "delegated", "my_territory", "my_team_territory", "team", "allprivate":
            throw unsupported("USING SCOPE \(name.text)", at: name.position)
        default:
            throw error(
                .malformedQuery, "unknown scope '\(name.text.shortened)': use everything, mine or mine_and_my_groups",
                at: name.position)
        }
    }
}
