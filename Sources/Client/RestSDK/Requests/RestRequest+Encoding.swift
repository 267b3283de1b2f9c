// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// Records and bodies made from `Encodable` types.
///
/// Values are encoded as responses are decoded: a `Decimal` digit for digit, a `Date` as the API's date-time, a `URL`
/// as a string, and `Data` as base64. As usual in Swift, a property that is `nil` is omitted. To clear a field, encode
/// `null`. If a value cannot be encoded, the call fails with ``RestError/Code/invalidRequest`` and the path of the
/// value.
extension Endpoint where Self == RestRequest.Typed<SaveResults> {
    /// Creates up to ``RestRequest/maximumRecords`` records of one type in one call.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - records: the fields of each record. Each value must encode as a JSON object.
    ///   - allOrNone: whether one rejected record undoes all others.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the request.
    public static func create(
        _ type: String, _ records: [some Encodable], allOrNone: Bool = false,
        options: JSONEncodingOptions = .foundation()
    ) -> Self {
        encoding(records, options) { create($0.map { Record.Draft(type, $0) }, allOrNone: allOrNone) }
    }

    /// Creates or updates records by an external id.
    ///
    /// - Parameters:
    ///   - type: the object's name, which is the same for all records.
    ///   - field: the external id field, which each record must contain.
    ///   - records: the fields of each record. Each value must encode as a JSON object.
    ///   - allOrNone: whether one rejected record undoes all others.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the request.
    @_disfavoredOverload
    public static func upsert(
        _ type: String, externalID field: String, _ records: [some Encodable], allOrNone: Bool = false,
        options: JSONEncodingOptions = .foundation()
    ) -> Self {
        encoding(records, options) { upsert(type, externalID: field, $0, allOrNone: allOrNone) }
    }

    private static func encoding(
        _ records: [some Encodable], _ options: JSONEncodingOptions, _ make: ([JSONObject]) -> Self
    ) -> Self {
        var fields: [JSONObject] = []
        do throws(InvalidArgument) {
            for (index, record) in records.enumerated() {
                fields.append(try JSONObject(fieldsOf: record, named: "records[\(index)]", options))
            }
        } catch {
            return make([]).with { $0.problem = error }
        }
        return make(fields)
    }
}

extension Endpoint where Self == RestRequest {
    /// Creates a record, whose `id` is in the payload.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - record: the fields to set, which must encode as a JSON object.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the request.
    @_disfavoredOverload  // a literal is a `JSONObject`, which keeps the order of its members
    public static func create(
        _ type: String, _ record: some Encodable, options: JSONEncodingOptions = .foundation()
    ) -> RestRequest {
        encoding(record, options) { create(type, $0) }
    }

    /// Updates fields of a record, with an empty response.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - record: the fields to set, which must encode as a JSON object.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the request.
    @_disfavoredOverload
    public static func update(
        _ type: String, id: String, _ record: some Encodable, options: JSONEncodingOptions = .foundation()
    ) -> RestRequest {
        encoding(record, options) { update(type, id: id, $0) }
    }

    /// Creates or updates the record with an external id.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field, or `Id`.
    ///   - value: the value of the external id, which must not be in `record` as well. For the field `Id` only, `nil`
    ///     creates a record.
    ///   - record: the fields to set, which must encode as a JSON object.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the request.
    @_disfavoredOverload
    public static func upsert(
        _ type: String, externalID field: String, _ value: String?, _ record: some Encodable,
        options: JSONEncodingOptions = .foundation()
    ) -> RestRequest {
        encoding(record, options) { upsert(type, externalID: field, value, $0) }
    }

    private static func encoding(
        _ record: some Encodable, _ options: JSONEncodingOptions, _ make: (JSONObject) -> RestRequest
    ) -> RestRequest {
        do throws(InvalidArgument) {
            return make(try JSONObject(fieldsOf: record, named: "record", options))
        } catch {
            return make([:]).refused(error.argument, error.reason)
        }
    }
}

extension RestRequest {
    /// Returns a copy of the call with a value as its JSON body.
    ///
    /// - Parameters:
    ///   - value: the value to encode.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the call.
    public func body(_ value: some Encodable, options: JSONEncodingOptions = .foundation()) -> RestRequest {
        var copy = self
        do throws(JSONEncodingError) {
            copy.body = .bytes(try value.json(options: options))
        } catch {
            return refused("body", "\(error)")
        }
        copy.fields["Content-Type"] = Self.jsonContent["Content-Type"]
        return copy
    }

    /// Returns a copy of the call with a form as its body (`application/x-www-form-urlencoded`, URL Standard).
    ///
    /// - Parameter items: names and values in order, not encoded. A name can occur more than once.
    /// - Returns: the call.
    public func form(_ items: [QueryItem]) -> RestRequest {
        with {
            $0.body = .bytes(Array(PercentEncoding.form(items.map { ($0.name, $0.value) }).utf8))
            $0.fields["Content-Type"] = "application/x-www-form-urlencoded"
        }
    }

    /// Returns a copy of the call with JSON as its body.
    func json(_ body: JSONValue) -> RestRequest {
        with {
            $0.body = .bytes(body.bytes())
            $0.fields["Content-Type"] = Self.jsonContent["Content-Type"]
        }
    }
}

extension Record.Draft {
    /// Makes a draft from an `Encodable` value.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the id of the record to update. Use `nil` for a new record, or if an external id identifies the record.
    ///   - record: the fields to set, which must encode as a JSON object.
    ///   - options: the options for names, dates and decimals.
    /// - Throws: ``RestError/Code/invalidRequest`` if the value cannot be encoded.
    @_disfavoredOverload
    public init(
        _ type: String, id: String? = nil, _ record: some Encodable, options: JSONEncodingOptions = .foundation()
    ) throws(RestError) {
        self.init(type, id: id, try JSONObject(fieldsOf: record, options))
    }
}

extension Record.Tree {
    /// Makes a record from an `Encodable` value.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - reference: the record's name in the request, which identifies its id in the response.
    ///   - record: the fields to set, which must encode as a JSON object.
    ///   - children: the child records, by relationship.
    ///   - options: the options for names, dates and decimals.
    /// - Throws: ``RestError/Code/invalidRequest`` if the value cannot be encoded.
    @_disfavoredOverload
    public init(
        _ type: String, as reference: String, _ record: some Encodable,
        children: KeyValuePairs<String, [Record.Tree]> = [:], options: JSONEncodingOptions = .foundation()
    ) throws(RestError) {
        self.init(type, as: reference, try JSONObject(fieldsOf: record, options), children: children)
    }
}

extension JSONObject {
    fileprivate init(
        fieldsOf record: some Encodable, named name: String, _ options: JSONEncodingOptions
    ) throws(InvalidArgument) {
        let value: JSONValue
        do throws(JSONEncodingError) {
            value = try JSONValue(encoding: record, options: options)
        } catch {
            throw InvalidArgument(name, "\(error)")
        }
        guard let object = value.object else {
            throw InvalidArgument(name, "must be written as a JSON object")
        }
        self = object
    }

    fileprivate init(fieldsOf record: some Encodable, _ options: JSONEncodingOptions) throws(RestError) {
        do throws(InvalidArgument) {
            try self.init(fieldsOf: record, named: "record", options)
        } catch {
            throw .invalidRequest(error.argument, error.reason)
        }
    }
}

extension Endpoint where Self == RestRequest {
    /// Runs a query, with the first page as the payload.
    ///
    /// A query that is too long for a URL is sent automatically as the only part of a composite request.
    ///
    /// - Parameters:
    ///   - soql: the query. Interpolated values are bound, not inserted as text.
    ///   - batchSize: the number of records per page, a hint within ``RestRequest/batchSizes``. The server's default is
    ///     2,000.
    /// - Returns: the request.
    public static func query(_ soql: SOQL, batchSize: Int? = nil) -> RestRequest {
        query(soql, resource: "query", batchSize: batchSize)
    }

    /// Runs a query that also returns deleted and archived records.
    public static func queryAll(_ soql: SOQL, batchSize: Int? = nil) -> RestRequest {
        query(soql, resource: "queryAll", batchSize: batchSize)
    }

    /// Reads the next page of a query.
    ///
    /// - Parameters:
    ///   - path: the `nextRecordsUrl` of the previous page.
    ///   - batchSize: the number of records per page, a hint within ``RestRequest/batchSizes``.
    /// - Returns: the request.
    public static func nextPage(_ path: String, batchSize: Int? = nil) -> RestRequest {
        RestRequest(name: "nextPage", resource: .serverPath(path)).requiring(path, "path").batches(of: batchSize)
    }

    private static func query(_ soql: SOQL, resource: String, batchSize: Int?) -> RestRequest {
        let limit = RestRequest.maximumQueryLength
        let isTooLong = soql.text.utf8.count > limit && soql.text.unicodeScalars.count > limit
        return RestRequest(name: resource, resource: .data([resource]), query: [.init("q", soql.text)])
            .refused("soql", soql.problem)
            .refused("soql", isTooLong ? "the server accepts \(limit) characters; split the query" : nil)
            .requiring(soql.text, "soql").batches(of: batchSize)
    }
}

extension RestRequest {
    /// The page sizes that the server accepts, in records.
    public static let batchSizes = 200...2_000

    /// The server's maximum length of a query, in characters.
    public static let maximumQueryLength = 100_000

    /// Whether the call runs a query, as opposed to reading a further page.
    var isQuery: Bool {
        guard method == .get, let names = resource.names, names.count == 1 else { return false }
        return names.first == "query" || names.first == "queryAll"
    }

    static func problem(ofBatchSize size: Int) -> String? {
        batchSizes.contains(size) ? nil : "\(size) is outside \(batchSizes.lowerBound)–\(batchSizes.upperBound)"
    }

    func batches(of size: Int?) -> RestRequest {
        guard let size else { return self }
        if let problem = Self.problem(ofBatchSize: size) { return refused("batchSize", problem) }
        return field("Sforce-Query-Options", "batchSize=\(size)")
    }
}

extension RestRequest {
    /// Returns a copy that fails unless the argument is a record id (15 or 18 letters and digits), a composite
    /// reference or `nil`.
    func requiringID(_ id: String?, _ argument: String = "id") -> RestRequest {
        guard let id, !id.isRecordID, !ReferencedText(id).isReference else { return self }
        return refused(argument, "must be a record id of 15 or 18 letters and digits")
    }

    /// Returns a copy that fails unless all are record ids, and no more than the server accepts.
    func requiringIDs(_ ids: [String], _ argument: String = "ids", atMost limit: Int) -> RestRequest {
        let counted = requiring(ids.count, argument, atMost: limit)
        guard counted.problem == nil else { return counted }
        return ids.enumerated().reduce(self) { $0.requiringID($1.element, "\(argument)[\($1.offset)]") }
    }

    func requiring(_ value: String?, _ argument: String) -> RestRequest {
        refused(argument, value?.isBlank == true ? "must not be empty" : nil)
    }

    /// Returns a copy that fails unless the list has at least one element, and no more than the server accepts.
    func requiring(_ count: Int, _ argument: String, atMost limit: Int) -> RestRequest {
        refused(argument, (1...limit).contains(count) ? nil : "there are \(count); the server accepts 1 to \(limit)")
    }

    /// Returns a copy that fails before it is sent, or `self` if the reason is `nil` or the request already fails.
    package func refused(_ argument: String, _ reason: String?) -> RestRequest {
        guard problem == nil, let reason else { return self }
        return with { $0.problem = InvalidArgument(argument, reason) }
    }
}

extension String {
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
