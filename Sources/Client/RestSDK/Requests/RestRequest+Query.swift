// SPDX-License-Identifier: Apache-2.0

import RestText

extension RestRequest {
    /// The sizes that the server accepts for a page of records.
    public static let batchSizes = 200...2_000

    /// The longest query that the server accepts, in characters.
    public static let maximumQueryLength = 100_000

    /// Runs a query; the payload is the first page.
    ///
    /// A query that is too long for a URL goes as the only part of a composite request by itself.
    ///
    /// - Parameters:
    ///   - soql: the query; interpolated values are bound, never pasted.
    ///   - batchSize: records per page, a hint within ``batchSizes``; the server's default is 2,000.
    /// - Returns: the request.
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
    /// - Returns: the request.
    public static func nextPage(_ path: String, batchSize: Int? = nil) -> RestRequest {
        RestRequest(name: "nextPage", resource: .serverPath(path)).requiring(path, "path").batches(of: batchSize)
    }

    private static func query(_ soql: SOQL, resource: String, batchSize: Int?) -> RestRequest {
        var request = RestRequest(name: resource, resource: .data([resource]), query: [QueryItem("q", soql.text)])
        request.problem = soql.problem.map { InvalidArgument(argument: "soql", reason: $0) }
        if soql.text.utf8.count > maximumQueryLength, soql.text.unicodeScalars.count > maximumQueryLength {
            request = request.refused("soql", "the server accepts \(maximumQueryLength) characters; split the query")
        }
        return request.requiring(soql.text, "soql").batches(of: batchSize)
    }

    /// Whether the call runs a query, as opposed to asking for a page of one.
    var isQuery: Bool { method == .get && (resource == .data(["query"]) || resource == .data(["queryAll"])) }

    func batches(of size: Int?) -> RestRequest {
        guard let size else { return self }
        guard Self.batchSizes.contains(size) else {
            return refused(
                "batchSize", "\(size) is outside \(Self.batchSizes.lowerBound)–\(Self.batchSizes.upperBound)")
        }
        return field("Sforce-Query-Options", "batchSize=\(size)")
    }
}

extension RestRequest {
    /// The same call, refused before sending if the argument is no record id: 15 or 18 letters and digits, or, in a
    /// part of a composite request, a reference to one.
    func requiringID(_ id: String, _ argument: String = "id") -> RestRequest {
        id.isRecordID || ReferencedText(id).isReference
            ? self : refused(argument, "must be a record id of 15 or 18 letters and digits")
    }

    /// The same call, refused before sending if the argument is blank.
    func requiring(_ value: String, _ argument: String) -> RestRequest {
        value.isBlank ? refused(argument, "must not be empty") : self
    }

    /// The same call, refused before sending.
    ///
    /// The first reason stays.
    package func refused(_ argument: String, _ reason: String) -> RestRequest {
        guard problem == nil else { return self }
        var copy = self
        copy.problem = InvalidArgument(argument: argument, reason: reason)
        return copy
    }
}

extension String {
    /// Whether the text can be a record's id.
    package var isRecordID: Bool { (utf8.count == 15 || utf8.count == 18) && utf8.allSatisfy(\.isASCIIAlphanumeric) }
}

extension UInt8 {
    var isASCIIAlphanumeric: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
