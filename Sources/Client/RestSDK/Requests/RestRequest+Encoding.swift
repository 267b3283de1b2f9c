// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// Records and bodies made of your own `Encodable` types.
///
/// They are written as answers are read: a `Decimal` digit for digit, a `Date` as the API's date-time, a `URL` as text,
/// `Data` as text in base 64. A property that is `nil` is left out, as Swift's own encoding does; encode `null` to
/// empty a field. A value that cannot be written is refused by the call, as ``RestError/Code/invalidRequest`` with its
/// place.
extension Endpoint where Self == RestRequest.Typed<SaveResults> {
    /// Creates up to ``RestRequest/maximumRecords`` records of one type in one call.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - records: the fields of each; must be written as JSON objects.
    ///   - allOrNone: whether one that is refused undoes all others.
    ///   - options: how names, dates and decimals are written.
    /// - Returns: the request.
    public static func create(
        _ type: String, _ records: [some Encodable], allOrNone: Bool = false,
        options: JSONEncodingOptions = .foundation()
    ) -> Self {
        encoding(records, options) { create($0.map { Record.Draft(type, $0) }, allOrNone: allOrNone) }
    }

    /// Creates or changes records by an external id.
    ///
    /// - Parameters:
    ///   - type: the object's name, which is that of all records.
    ///   - field: the external id field; each record has it among its fields.
    ///   - records: the fields of each; must be written as JSON objects.
    ///   - allOrNone: whether one that is refused undoes all others.
    ///   - options: how names, dates and decimals are written.
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
    /// Creates a record; the payload holds its `id`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - record: the fields to set; must be written as a JSON object.
    ///   - options: how names, dates and decimals are written.
    /// - Returns: the request.
    @_disfavoredOverload  // a literal is a `JSONObject`, which keeps the order of its members
    public static func create(
        _ type: String, _ record: some Encodable, options: JSONEncodingOptions = .foundation()
    ) -> RestRequest {
        encoding(record, options) { create(type, $0) }
    }

    /// Changes fields of a record; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - record: the fields to set; must be written as a JSON object.
    ///   - options: how names, dates and decimals are written.
    /// - Returns: the request.
    @_disfavoredOverload
    public static func update(
        _ type: String, id: String, _ record: some Encodable, options: JSONEncodingOptions = .foundation()
    ) -> RestRequest {
        encoding(record, options) { update(type, id: id, $0) }
    }

    /// Creates or changes the record whose external id has the given value.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field, or `Id`.
    ///   - value: its value; must not be among the fields of `record` too. `nil` creates a record, for the field `Id`
    ///     only.
    ///   - record: the fields to set; must be written as a JSON object.
    ///   - options: how names, dates and decimals are written.
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
    /// The same call with a value as its JSON body.
    ///
    /// - Parameters:
    ///   - value: what to send.
    ///   - options: how names, dates and decimals are written.
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

    /// The same call with a form as its body, `application/x-www-form-urlencoded` by the rules of the URL Standard.
    ///
    /// - Parameter items: names and values, in order, as they are; a name may occur more than once.
    /// - Returns: the call.
    public func form(_ items: [QueryItem]) -> RestRequest {
        var copy = self
        copy.body = .bytes(Array(PercentEncoding.form(items.map { ($0.name, $0.value) }).utf8))
        copy.fields["Content-Type"] = "application/x-www-form-urlencoded"
        return copy
    }

    private func with(problem: InvalidArgument) -> RestRequest {
        var copy = self
        copy.problem = problem
        return copy
    }
}

extension Record.Draft {
    /// Makes a draft of a value of your own.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the id of the record to change; `nil` for a new one, and where an external id names it.
    ///   - record: the fields to set; must be written as a JSON object.
    ///   - options: how names, dates and decimals are written.
    /// - Throws: ``RestError/Code/invalidRequest`` for a value that cannot be written.
    @_disfavoredOverload
    public init(
        _ type: String, id: String? = nil, _ record: some Encodable, options: JSONEncodingOptions = .foundation()
    ) throws(RestError) {
        self.init(type, id: id, try JSONObject(fieldsOf: record, options))
    }
}

extension Record.Tree {
    /// Makes a record of a value of your own.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - reference: the record's name in the request, by which the answer gives its id.
    ///   - record: the fields to set; must be written as a JSON object.
    ///   - children: the records below it, by relationship.
    ///   - options: how names, dates and decimals are written.
    /// - Throws: ``RestError/Code/invalidRequest`` for a value that cannot be written.
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
            throw InvalidArgument(argument: name, reason: "\(error)")
        }
        guard let object = value.object else {
            throw InvalidArgument(argument: name, reason: "must be written as a JSON object")
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
    /// Runs a query; the payload is the first page.
    ///
    /// A query that is too long for a URL goes as the only part of a composite request by itself.
    ///
    /// - Parameters:
    ///   - soql: the query; interpolated values are bound, never pasted.
    ///   - batchSize: records per page, a hint within ``RestRequest/batchSizes``; the server's default is 2,000.
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
    ///   - batchSize: records per page, a hint within ``RestRequest/batchSizes``.
    /// - Returns: the request.
    public static func nextPage(_ path: String, batchSize: Int? = nil) -> RestRequest {
        RestRequest(name: "nextPage", resource: .serverPath(path)).requiring(path, "path").batches(of: batchSize)
    }

    private static func query(_ soql: SOQL, resource: String, batchSize: Int?) -> RestRequest {
        var request = RestRequest(
            name: resource, resource: .data([resource]), query: [RestRequest.QueryItem("q", soql.text)])
        request.problem = soql.problem.map { InvalidArgument(argument: "soql", reason: $0) }
        if soql.text.utf8.count > RestRequest.maximumQueryLength,
            soql.text.unicodeScalars.count > RestRequest.maximumQueryLength
        {
            request = request.refused(
                "soql", "the server accepts \(RestRequest.maximumQueryLength) characters; split the query")
        }
        return request.requiring(soql.text, "soql").batches(of: batchSize)
    }
}

extension RestRequest {
    /// The sizes that the server accepts for a page of records.
    public static let batchSizes = 200...2_000

    /// The longest query that the server accepts, in characters.
    public static let maximumQueryLength = 100_000

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
