// SPDX-License-Identifier: Apache-2.0

import RestText
import SOQLSyntax

extension QueryCheck {
    /// The names behind USING SCOPE.
    private static let scopes = [
        "everything", "mine", "delegated", "team", "mine_and_my_groups", "scopingRule", "my_territory",
        "my_team_territory", "allPrivate",
    ]

    /// Checks the clauses of a query, of whatever depth, that are about no field.
    func checkClauses(of query: SOQLQuery) {
        for clause in query.apexClauses { refuse(clause) }
        var access: SOQLPlaced<SOQLAccess>?
        for clause in query.with {
            switch clause {
            case .access(let mode):
                if access != nil { add(.duplicate, "a query has one access mode at most", at: mode.position) }
                access = mode
            case .dataCategories: checkCategories(clause, query.from)
            case .setting: break
            }
        }
        isSecurityEnforced = isSecurityEnforced || access?.value == .securityEnforced
        guard let scope = query.scope,
            !Self.scopes.contains(where: { $0.lowercased() == scope.text.lowercased() })
        else { return }
        add(
            .misplaced,
            "unknown scope '\(scope.text.shortened)': use everything, mine, mine_and_my_groups, delegated or team",
            at: scope.position, near: scope.text, Self.scopes)
    }

    private func refuse(_ clause: SOQLPlaced<SOQLApexClause>) {
        let message =
            switch clause.value {
            case .forUpdate: "unexpected token: 'UPDATE'; FOR UPDATE is only allowed in Apex code"
            case .allRows: "ALL ROWS not allowed in this context"
            }
        add(.apexOnly, message, at: clause.position)
    }

    private func checkCategories(_ clause: SOQLWith, _ source: SOQLSource) {
        let name = source.path.last.lowercased()
        guard !name.hasBytes(suffix: "__kav"), !["knowledgearticleversion", "question"].contains(name) else { return }
        add(
            .misplaced, "WITH DATA CATEGORY is for articles and questions, not \(source.path.text.shortened)",
            at: clause.position)
    }

    /// Checks LIMIT and OFFSET, those of a child query against the query around it too.
    func checkWindow(of query: SOQLQuery, insideOf outer: SOQLQuery? = nil) {
        if let limit = query.limit, limit.value < 0 {
            add(.limits, "LIMIT must not be negative: \(limit.value)", at: limit.position)
        }
        guard let offset = query.offset else { return }
        if offset.value < 0 {
            add(.limits, "OFFSET must not be negative: \(offset.value)", at: offset.position)
        } else if offset.value > 2_000 {
            add(.outsideRange, "Maximum SOQL offset allowed is 2000", at: offset.position)
        }
        if let outer, outer.limit?.value != 1 {
            add(.limits, "OFFSET in a subquery needs a parent query with LIMIT 1", at: offset.position)
        }
    }

    /// Notes FOR VIEW and FOR REFERENCE where there are no records that the user could look at.
    func refuseUsage(of query: SOQLQuery, in place: String) {
        guard let usage = query.usage else { return }
        add(.misplaced, "FOR \(usage.value.rawValue) is not allowed in \(place)", at: usage.position)
    }
}
