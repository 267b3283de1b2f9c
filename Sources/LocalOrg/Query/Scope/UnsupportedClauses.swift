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
        for clause in query.with {
            switch clause {
            case .access: break
            case .dataCategories: throw unsupported("WITH DATA CATEGORY", at: clause.position)
            case .setting(let setting): throw unsupported("WITH \(setting.name.text.shortened)", at: clause.position)
            }
        }
        if let scope = query.scope { throw unsupported("USING SCOPE", at: scope.position) }
        if query.grouping != .plain, let first = query.groupBy.first {
            throw unsupported("GROUP BY \(query.grouping.rawValue)", at: first.position)
        }
    }
}
