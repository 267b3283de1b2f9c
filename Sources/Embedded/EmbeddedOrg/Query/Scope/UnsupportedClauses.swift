// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

extension Compilation {
    /// The error for what is SOQL, but nothing that this org has; it names the construct.
    func unsupported(_ construct: String, at position: SOQLPosition) -> QueryError {
        error(.notEnabled, "\(construct) is not supported here", at: position)
    }

    /// Rejects a construct that the API version does not have.
    func require(
        _ feature: APIVersion.Feature, _ construct: String, at position: SOQLPosition
    ) throws(QueryError) {
        guard !options.apiVersion.has(feature) else { return }
        throw error(
            .malformedQuery, "\(construct) is not available in version \(options.version).0", at: position)
    }

    /// Refuses the clauses of a query, of whatever depth, that belong to Apex or need what this org does not have.
    func checkClauses(of query: SOQLQuery) throws(QueryError) {
        for clause in query.apexClauses { throw refusal(of: clause) }
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
            case .dataCategories(let categories): throw refusal(of: categories, query.from)
            case .setting(let setting): throw unsupported("WITH \(setting.name.text.shortened)", at: clause.position)
            }
        }
        // The user may see everything, so of the modes only this one has a meaning: what it cannot check.
        isSecurityEnforced = isSecurityEnforced || access?.value == .securityEnforced
    }

    /// The platform takes these clauses in Apex only, and says so outside of it.
    private func refusal(of clause: SOQLPlaced<SOQLApexClause>) -> QueryError {
        let reason =
            switch clause.value {
            case .forUpdate: "unexpected token: 'UPDATE'; FOR UPDATE is only allowed in Apex code"
            case .allRows: "ALL ROWS not allowed in this context"
            }
        return error(.malformedQuery, reason, at: clause.position)
    }

    /// Only articles and questions have categories, and this org has no groups of them.
    private func refusal(of categories: [SOQLDataCategory], _ source: SOQLSource) -> QueryError {
        let position = categories.first?.group.position ?? source.path.position
        let name = source.path.last.lowercased()
        guard name.hasBytes(suffix: "__kav") || ["knowledgearticleversion", "question"].contains(name) else {
            return error(
                .malformedQuery, "WITH DATA CATEGORY is for articles and questions, not \(source.path.text.shortened)",
                at: position)
        }
        return error(
            .notEnabled, "this org has no data category groups, and so no \(categories[0].group.text.shortened)",
            at: position)
    }
}
