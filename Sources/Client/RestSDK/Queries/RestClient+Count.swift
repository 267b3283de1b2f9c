// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension RestClient {
    /// How many records a query finds; `SELECT COUNT() FROM …` asks for nothing else.
    ///
    /// - Throws: ``RestError``.
    public func count(_ query: SOQL) async throws(RestError) -> Int {
        try await content(of: .query(query)) { (response) throws(RestError) in try QueryPage(response).totalSize }
    }
}

extension RestClient {
    /// The pages of a query, for whoever wants to work page by page.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are seen.
    ///   - completingChildren: whether lists of children that the server cut are completed before a page is given; see
    ///     ``QueryPages``.
    /// - Returns: the pages, which are fetched as they are asked for.
    public func pages(
        _ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false, completingChildren: Bool = true
    ) -> QueryPages {
        let first: RestRequest =
            includingDeleted ? .queryAll(query, batchSize: batchSize) : .query(query, batchSize: batchSize)
        return QueryPages(client: self, first: first, completesChildren: completingChildren && query.mayHaveChildren)
    }

    /// The pages of a query over objects of the Tooling API.
    package func toolingPages(_ query: SOQL, batchSize: Int? = nil) -> QueryPages {
        QueryPages(
            client: self, first: .toolingQuery(query, batchSize: batchSize), completesChildren: query.mayHaveChildren)
    }

    /// The pages of a query from a position on, which ``RestError/queryPosition`` of a failure or a progress report
    /// gave.
    public func pages(from position: QueryPage.Position, batchSize: Int? = nil, completingChildren: Bool = true)
        -> QueryPages
    {
        var pages = QueryPages(
            client: self, first: .nextPage(position.nextRecordsPath ?? "", batchSize: batchSize),
            completesChildren: completingChildren)
        pages.start = position
        return pages
    }

    /// The records of a query, all of them, fetched as they are asked for.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are seen.
    ///   - completingChildren: whether lists of children that the server cut are completed before a record is given;
    ///     see ``QueryRecords``.
    /// - Returns: the records, which are fetched as they are asked for.
    public func records(
        _ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false, completingChildren: Bool = true
    ) -> QueryRecords<Record> {
        QueryRecords(
            pages(
                query, batchSize: batchSize, includingDeleted: includingDeleted, completingChildren: completingChildren),
            read: Record.init(reading:at:))
    }

    /// The records of a query from a position on, which ``RestError/queryPosition`` of a failure or a progress report
    /// gave.
    public func records(
        from position: QueryPage.Position, batchSize: Int? = nil, completingChildren: Bool = true
    ) -> QueryRecords<Record> {
        QueryRecords(
            pages(from: position, batchSize: batchSize, completingChildren: completingChildren),
            read: Record.init(reading:at:))
    }

    /// The records of a query as values of your own type.
    public func records<Row: Decodable & Sendable>(
        _ query: SOQL, as type: Row.Type, batchSize: Int? = nil, includingDeleted: Bool = false,
        completingChildren: Bool = true, options: JSONDecodingOptions = .foundation()
    ) -> QueryRecords<Row> {
        QueryRecords(
            pages(
                query, batchSize: batchSize, includingDeleted: includingDeleted, completingChildren: completingChildren),
            as: type, options: options)
    }

    /// The records of a query from a position on as values of your own type.
    public func records<Row: Decodable & Sendable>(
        from position: QueryPage.Position, as type: Row.Type, batchSize: Int? = nil, completingChildren: Bool = true,
        options: JSONDecodingOptions = .foundation()
    ) -> QueryRecords<Row> {
        QueryRecords(
            pages(from: position, batchSize: batchSize, completingChildren: completingChildren), as: type,
            options: options)
    }
}

extension SOQL {
    /// Whether the answer can hold lists of children: the query has a second `SELECT`.
    var mayHaveChildren: Bool {
        let bytes = Array(text.lowercased().utf8)
        return bytes.indices.count { bytes[$0...].starts(with: "select".utf8) } > 1
    }
}

extension Record {
    /// Reads an element of a page.
    ///
    /// - Parameters:
    ///   - value: the element.
    ///   - index: its place in the whole result, from 0.
    /// - Throws: ``RestError/Code/decoding`` with the place when it is no object.
    init(reading value: JSONValue, at index: Int) throws(RestError) {
        guard let fields = value.object else {
            throw RestError(.decoding, "records[\(index)] is not a JSON object")
        }
        self.init(fields: fields)
    }
}

extension QueryRecords where Element: Decodable {
    fileprivate init(_ pages: QueryPages, as type: Element.Type, options: JSONDecodingOptions) {
        self.init(pages) {
            var decoder = JSONRowDecoder(options: options)
            return { (value, index) throws(RestError) in
                do throws(JSONDecodingError) {
                    return try decoder.decode(type, from: value)
                } catch {
                    throw RestError(.decoding, "records[\(index)] is not a \(type): \(error)", underlying: error)
                }
            }
        }
    }
}
