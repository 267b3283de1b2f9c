// SPDX-License-Identifier: Apache-2.0

extension RestRequest {
    /// The sizes that the server accepts for a page of records.
    public static let batchSizes = 200...2_000

    /// Runs a query; the payload is the first page.
    ///
    /// - Parameters:
    ///   - soql: the query; interpolated values are bound, never pasted.
    ///   - batchSize: records per page, a hint within ``batchSizes``; the server's default is 2,000.
    public static func query(_ soql: SOQL, batchSize: Int? = nil) -> RestRequest {
        query(soql, resource: "query", batchSize: batchSize)
    }

    /// Runs a query that sees deleted and archived records too.
    public static func queryAll(_ soql: SOQL, batchSize: Int? = nil) -> RestRequest {
        query(soql, resource: "queryAll", batchSize: batchSize)
    }

    /// The next page of a query.
    ///
    /// - Parameters:
    ///   - path: the `nextRecordsUrl` of the page before.
    ///   - batchSize: records per page, a hint within ``batchSizes``.
    public static func nextPage(_ path: String, batchSize: Int? = nil) -> RestRequest {
        RestRequest(name: "nextPage", resource: .serverPath(path)).requiring(path, "path").batches(of: batchSize)
    }

    private static func query(_ soql: SOQL, resource: String, batchSize: Int?) -> RestRequest {
        var request = RestRequest(name: resource, resource: .data([resource]), query: [QueryItem("q", soql.text)])
        request.problem = soql.problem.map { InvalidArgument(argument: "soql", reason: $0) }
        return request.requiring(soql.text, "soql").batches(of: batchSize)
    }

    private func batches(of size: Int?) -> RestRequest {
        guard let size else { return self }
        guard Self.batchSizes.contains(size) else {
            return refused(
                "batchSize", "\(size) is outside \(Self.batchSizes.lowerBound)–\(Self.batchSizes.upperBound)")
        }
        return field("Sforce-Query-Options", "batchSize=\(size)")
    }
}

extension RestRequest {
    /// The same call, refused before sending if the argument is blank.
    func requiring(_ value: String, _ argument: String) -> RestRequest {
        value.allSatisfy(\.isWhitespace) ? refused(argument, "must not be empty") : self
    }

    /// The same call, refused before sending.
    ///
    /// The first reason stays.
    func refused(_ argument: String, _ reason: String) -> RestRequest {
        guard problem == nil else { return self }
        var copy = self
        copy.problem = InvalidArgument(argument: argument, reason: reason)
        return copy
    }
}
