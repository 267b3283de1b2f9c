// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport
import RestXML

/// A call of the SOAP API, for features that Salesforce's REST API lacks.
///
/// It passes through the same pipeline as every call. The pipeline inserts the account's token into the body.
struct SOAPCall: Sendable, Hashable {
    let name: String
    let arguments: String

    /// A placeholder for the token, which cannot occur in XML.
    private static let token = "\u{1}"

    var body: HTTPBody {
        let text = SOAPEnvelope.partner.text(
            header: SOAPEnvelope.session(Self.token), "<\(name)>\(arguments)</\(name)>")
        return .bytes(Array(text.utf8))
    }

    /// Returns the body with a token in place of the placeholder.
    static func signed(_ body: HTTPBody, _ token: String) -> HTTPBody {
        guard case .bytes(let bytes) = body else { return body }
        let parts = bytes.split(separator: UInt8(1), maxSplits: 1, omittingEmptySubsequences: false)
        return .bytes(Array(parts.joined(separator: XMLText.escaped(token).utf8)))
    }
}

extension RestRequest {
    static func soap(_ call: String, _ arguments: String) -> RestRequest {
        var request = RestRequest(
            name: call, method: .post, resource: .serverPath("/services/Soap/u"),
            fields: ["Content-Type": "text/xml; charset=UTF-8", "Accept": "text/xml", "SOAPAction": "\"\""],
            expectation: .anything)
        request.parts = .soap(SOAPCall(name: call, arguments: arguments))
        return request
    }

    var isSOAP: Bool { if case .soap = parts { true } else { false } }
}

extension RestResponse {
    /// Returns the results in a SOAP response, or throws ``RestError/Code/decoding`` if their number is not `count`.
    func soapResults(_ count: Int, of what: String) throws(RestError) -> [XMLElement] {
        let nodes = XMLElement(parsing: body)?.soapContent?.children ?? []
        guard nodes.count == count, nodes.allSatisfy({ $0.name == "result" }) else {
            throw RestError(notAResponseTo: what, self)
        }
        return nodes
    }
}

extension SOAPFault {
    /// Parses the body of a response, and returns `nil` if the body is not a SOAP fault.
    init?(inResponse text: String) {
        guard text.hasBytes("faultcode"), let content = XMLElement(parsing: Array(text.utf8))?.soapContent else {
            return nil
        }
        self.init(content)
    }

    var fault: APIFault { APIFault(errorCode: .init(rawValue: code.bounded), message: message.bounded) }

    /// The kind of the error, which the HTTP status (always 500) does not show.
    var kind: RestError.Code {
        switch fault.errorCode {
        case .invalidSessionID: .unauthorized
        case .requestLimitExceeded: .rateLimited
        case .insufficientAccess, .insufficientAccessOrReadonly: .forbidden
        case .serverUnavailable, .unknownException: .server
        default: .api
        }
    }
}

extension APIFault {
    static func faults(in result: XMLElement) -> [APIFault] {
        result.children.filter { $0.name == "errors" }.map { error in
            APIFault(
                errorCode: .init(rawValue: (error["statusCode"]?.text ?? "UNKNOWN").bounded),
                message: (error["message"]?.text ?? "").bounded, fields: error.texts("fields").map(\.bounded))
        }
    }
}

/// Merging duplicate records, which only Salesforce's SOAP API supports.
extension Endpoint where Self == RestRequest.Typed<RestClient.MergeResult> {
    /// Merges records of one object into one of them.
    ///
    /// References to the merged records then point to the remaining record, and the merged records are moved to the
    /// recycle bin. The merge is done completely or not at all. It is sent only once, because a second attempt would
    /// report that the merged records are deleted.
    ///
    /// - Parameters:
    ///   - type: the object's name. Salesforce merges accounts, contacts, leads and cases.
    ///   - ids: the ids of one or two records to merge into `master`.
    ///   - master: the id of the record that remains.
    ///   - fields: the fields to set on the remaining record, such as values that only the merged records have. `null`
    ///     and the empty string clear a field. A date-time must end with `Z`, as in an encoded `Date` but not in a
    ///     response. A parent is given by its id.
    /// - Returns: the request. If the server rejects it, it fails with ``RestError/Code/api`` and the server's errors,
    ///   and nothing is changed.
    public static func merge(
        _ type: String, ids: [String], into master: String, _ fields: JSONObject = [:]
    ) -> Self {
        Self(request(type, ids, master, fields)) { (response) throws(RestError) in
            let results = try response.soapResults(1, of: "merge of records")
            guard results.first?["success"]?.text != "false" else {
                let faults = results.flatMap(APIFault.faults)
                throw RestError(
                    .api, "nothing was merged" + (faults.first.map { ": \($0)" } ?? ""), faults: faults,
                    response: response.head, body: response.body, outcome: .notApplied)
            }
            guard let merged = results.first.flatMap(RestClient.MergeResult.init) else {
                throw RestError(notAResponseTo: "merge of records", response)
            }
            return merged
        }
    }

    private static func request(
        _ type: String, _ ids: [String], _ master: String, _ fields: JSONObject
    ) -> RestRequest {
        let wrong = fields.first { !RestRequest.canSet($0.key, $0.value) }
        let request = RestRequest.soap("merge", wrong == nil ? RestRequest.arguments(type, ids, master, fields) : "")
            .refused("type", RestRequest.isFieldName(type) ? nil : "must be the name of an object")
            .refused("fields", wrong.map { "\($0.key.debugDescription) must be a field with one value" })
        guard (1...2).contains(ids.count) else {
            return request.refused("ids", "there are \(ids.count); the server merges one or two into another record")
        }
        let isAlone = Set(([master] + ids).map { $0.prefix(15) }).count == ids.count + 1
        return request.refused("ids", isAlone ? nil : "each must be a different record than the others and the master")
            .requiringID(master, "master").requiringIDs(ids, atMost: 2)
    }
}

extension RestRequest {
    /// The record uses the element names of any object (`o`), in the order of the WSDL.
    fileprivate static func arguments(_ type: String, _ ids: [String], _ master: String, _ fields: JSONObject) -> String
    {
        var (empty, given) = ("", "")
        for (name, value) in fields {
            let text = value.string ?? value.numberText ?? value.bool.map { $0 ? "true" : "false" } ?? ""
            if text.isEmpty {
                empty += XMLText.element("o:fieldsToNull", name)
            } else {
                given += XMLText.element("o:\(name)", text)
            }
        }
        let record = XMLText.element("o:type", type) + empty + XMLText.element("o:Id", master) + given
        let others = ids.map { XMLText.element("recordToMergeIds", $0) }.joined()
        return "<request><masterRecord xmlns:o=\"urn:sobject.partner.soap.sforce.com\">\(record)</masterRecord>"
            + others + "</request>"
    }

    /// Whether the field can be set, unlike the reserved SOAP elements `type`, `fieldsToNull` and `Id`.
    fileprivate static func canSet(_ name: String, _ value: JSONValue) -> Bool {
        isFieldName(name) && !["type", "fieldsToNull"].contains(name) && name.lowercased() != "id"
            && value.array == nil && value.object == nil
    }

    /// Whether the string is valid as the name of an XML element, as are the names of all fields.
    fileprivate static func isFieldName(_ name: String) -> Bool {
        guard let first = name.utf8.first, UInt8(ascii: "A") <= first, first != UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}

extension RestClient {
    /// The result of a merge.
    public struct MergeResult: Sendable, Hashable {
        /// The id of the remaining record.
        public let id: String
        /// The ids of the merged records, which are in the recycle bin.
        public let mergedIDs: [String]
        /// The ids of the records that now refer to the remaining record, if the user can see them.
        public let movedIDs: [String]

        /// Reads a SOAP result, and returns `nil` if the result is not valid.
        init?(_ result: XMLElement) {
            guard result["success"]?.text == "true", let id = result["id"]?.text else { return nil }
            self.id = id
            mergedIDs = result.texts("mergedRecordIds")
            movedIDs = result.texts("updatedRelatedIds")
            guard ([id] + mergedIDs + movedIDs).allSatisfy(\.isRecordID) else { return nil }
        }
    }
}

/// Calls for deleted records that only Salesforce's SOAP API supports.
extension Endpoint where Self == RestRequest.Typed<[SaveResult]> {
    /// Restores records from the recycle bin, together with the records that were deleted with them.
    ///
    /// The call is sent only once, because a second attempt would report that the records are not in the recycle bin.
    ///
    /// - Parameter ids: the ids of the records, of any types, at most ``RestRequest/maximumRecords``.
    /// - Returns: the request, whose content has the result of each record, in order.
    public static func undelete(ids: [String]) -> Self { bin("undelete", ids) }

    /// Deletes records in the recycle bin permanently.
    ///
    /// - Parameter ids: the ids of the records, of any types, at most ``RestRequest/maximumRecords``.
    /// - Returns: the request, whose content has the result of each record, in order.
    public static func emptyBin(ids: [String]) -> Self { bin("emptyRecycleBin", ids) }

    private static func bin(_ call: String, _ ids: [String]) -> Self {
        let request = RestRequest.soap(call, ids.map { XMLText.element("ids", $0) }.joined())
            .requiringIDs(ids, atMost: RestRequest.maximumRecords)
        return Self(request) { (response) throws(RestError) in
            let what = "call for \(ids.count) records in the recycle bin"
            let results = try response.soapResults(ids.count, of: what).compactMap { SaveResult($0) }
            guard results.count == ids.count else { throw RestError(notAResponseTo: what, response) }
            return results
        }
    }
}

extension SaveResult {
    /// Reads a SOAP result, and returns `nil` if the result is not valid.
    fileprivate init?(_ result: XMLElement) {
        guard let text = result["success"]?.text, text == "true" || text == "false" else { return nil }
        guard text == "false" || result["id"]?.text.isRecordID == true else { return nil }
        let id = text == "true" ? result["id"]?.text : nil
        self.init(id: id, isSuccess: text == "true", faults: APIFault.faults(in: result))
    }
}
