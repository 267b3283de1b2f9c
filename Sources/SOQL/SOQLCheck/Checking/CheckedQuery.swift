// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// A query with all that is wrong with it, its parameters, and what it gives.
package struct CheckedQuery: Sendable {
    /// Everything that is wrong, in the order of the text.
    package let findings: [Finding]
    /// The parameters in the order in which the text has them first; none when the text is not SOQL.
    package let parameters: [QueryParameter]
    private let schema: QuerySchema?
    private let parsed: (query: SOQLQuery, standIns: StandIns)?

    /// Checks the text of a query.
    package init(_ text: String, schema: QuerySchema?) {
        self.init(Statement(text: text, written: text, line: 1, column: 1), schema: schema)
    }

    /// Checks a statement of a file.
    ///
    /// The findings have positions in the statement. Their messages name positions in the file.
    package init(_ statement: Statement, schema: QuerySchema?) {
        self.schema = schema
        let standIns: StandIns
        do throws(SOQLSyntaxError) {
            standIns = try StandIns(statement.text)
        } catch {
            (findings, parameters, parsed) = ([Finding(error)], [], nil)
            return
        }
        do throws(SOQLSyntaxError) {
            let query = try SOQLQuery(parsing: standIns.text)
            let check = QueryCheck(standIns.text, schema)
            check.run(query)
            var reader = ParameterReader(statement)
            for standIn in standIns.all { reader.add(standIn, check.uses[standIn.literalStart]) }
            let findings = check.findings.map { standIns.finding($0) } + reader.findings
            self.findings = findings.sorted { $0.position.offset < $1.position.offset }
            (parameters, parsed) = (reader.parameters, (query, standIns))
        } catch {
            (findings, parameters, parsed) = ([standIns.finding(Finding(error))], [], nil)
        }
    }

    /// What the query gives.
    ///
    /// - Throws: what the schema does not tell the type of; ask only for queries without errors.
    package func result() throws(FindingList) -> QueryResult {
        guard let parsed, let schema else { throw FindingList(findings: findings) }
        let reader = ResultReader(parsed.query, QueryCheck(parsed.standIns.text, schema))
        let result = reader.result()
        guard reader.findings.isEmpty else {
            throw FindingList(findings: reader.findings.map { parsed.standIns.finding($0) })
        }
        return result
    }
}

/// Findings that are thrown.
package struct FindingList: Error, Sendable {
    /// At least one.
    package let findings: [Finding]

    package init(findings: [Finding]) {
        self.findings = findings
    }
}
