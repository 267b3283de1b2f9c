// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport
import RestXML

/// A call of the SOAP API, for what the platform has nowhere else.
///
/// It goes the way of every call. The account's token stands in its body too, put there where calls are signed.
struct SOAPCall: Sendable, Hashable {
    /// The name of the call.
    let name: String
    /// Its arguments, as XML.
    let arguments: String

    /// Stands for the token until the call is signed; no XML can hold it.
    private static let token = "\u{1}"

    /// The body, without the token.
    var body: HTTPBody {
        let text = SOAPEnvelope.partner.text(
            header: SOAPEnvelope.session(Self.token), "<\(name)>\(arguments)</\(name)>")
        return .bytes(Array(text.utf8))
    }

    /// The body with a token.
    static func signed(_ body: HTTPBody, _ token: String) -> HTTPBody {
        guard case .bytes(let bytes) = body else { return body }
        let parts = bytes.split(separator: UInt8(1), maxSplits: 1, omittingEmptySubsequences: false)
        return .bytes(Array(parts.joined(separator: XMLText.escaped(token).utf8)))
    }
}

extension RestRequest {
    /// A call of the SOAP API; the arguments are XML.
    static func soap(_ call: String, _ arguments: String) -> RestRequest {
        var request = RestRequest(
            name: call, method: .post, resource: .serverPath("/services/Soap/u"),
            fields: ["Content-Type": "text/xml; charset=UTF-8", "Accept": "text/xml", "SOAPAction": "\"\""],
            expectation: .anything)
        request.parts = .soap(SOAPCall(name: call, arguments: arguments))
        return request
    }

    /// Whether it is a call of the SOAP API.
    var isSOAP: Bool { if case .soap = parts { true } else { false } }
}

extension RestResponse {
    /// The results in an answer of the SOAP API.
    ///
    /// - Throws: ``RestError/Code/decoding`` when it is no answer to a call about so many.
    func soapResults(_ count: Int, of what: String) throws(RestError) -> [XMLElement] {
        let nodes = XMLElement(parsing: body)?.soapContent?.children ?? []
        guard nodes.count == count, nodes.allSatisfy({ $0.name == "result" }) else {
            throw RestError(notAnAnswerTo: what, self)
        }
        return nodes
    }
}

extension SOAPFault {
    /// Reads the body of an answer; `nil` when it is no fault.
    init?(inAnswer text: String) {
        guard text.hasBytes("faultcode"), let content = XMLElement(parsing: Array(text.utf8))?.soapContent else {
            return nil
        }
        self.init(content)
    }

    /// The fault as other APIs state theirs.
    var fault: APIFault { APIFault(errorCode: .init(rawValue: code.bounded), message: message.bounded) }

    /// What kind of failure it is; the status is 500 whatever it is.
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
    /// The errors in a result of the SOAP API.
    static func faults(in result: XMLElement) -> [APIFault] {
        result.children.filter { $0.name == "errors" }.map { error in
            APIFault(
                errorCode: .init(rawValue: (error["statusCode"]?.text ?? "UNKNOWN").bounded),
                message: (error["message"]?.text ?? "").bounded, fields: error.texts("fields").map(\.bounded))
        }
    }
}

/// Several records that are about the same become one, which the platform's SOAP API alone can do.
extension Endpoint where Self == RestRequest.Typed<RestClient.MergeResult> {
    /// Merges records of one object into one of them: what pointed to the others points to it from then on, and the
    /// others go to the bin.
    ///
    /// All of it is done or nothing. It is sent once: a second time would say of the others that they are deleted.
    ///
    /// - Parameters:
    ///   - type: the object's name; the platform merges accounts, contacts, leads and cases.
    ///   - ids: the ids of the other records, one or two.
    ///   - master: the id of the record that stays.
    ///   - fields: the fields of it to set, such as values that only the others have; `null` and the empty text empty
    ///     one. Moments end with `Z`, as an encoded `Date` does and those of an answer do not; parents stand by their
    ///     ids.
    /// - Returns: the request; ``RestError/Code/api`` with the server's faults when it refuses, and nothing is done.
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
                throw RestError(notAnAnswerTo: "merge of records", response)
            }
            return merged
        }
    }

    private static func request(
        _ type: String, _ ids: [String], _ master: String, _ fields: JSONObject
    ) -> RestRequest {
        let wrong = fields.first { !RestRequest.canSet($0.key, $0.value) }
        var request = RestRequest.soap("merge", wrong == nil ? RestRequest.arguments(type, ids, master, fields) : "")
        request = RestRequest.isFieldName(type) ? request : request.refused("type", "must be the name of an object")
        if let wrong {
            request = request.refused("fields", "\(wrong.key.debugDescription) must be a field with one value")
        }
        guard (1...2).contains(ids.count) else {
            return request.refused("ids", "there are \(ids.count); the server merges one or two into another record")
        }
        guard Set(([master] + ids).map { $0.prefix(15) }).count == ids.count + 1 else {
            return request.refused("ids", "each must be another record")
        }
        request = request.requiringID(master, "master")
        return ids.enumerated().reduce(request) { $0.requiringID($1.element, "ids[\($1.offset)]") }
    }
}

extension RestRequest {
    /// The record is in the names of records of any object (`o`), and in the order of their description.
    fileprivate static func arguments(_ type: String, _ ids: [String], _ master: String, _ fields: JSONObject) -> String {
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

    /// What tells the record apart has names of its own, which no field has: they are written in this way alone.
    fileprivate static func canSet(_ name: String, _ value: JSONValue) -> Bool {
        isFieldName(name) && !["type", "fieldsToNull"].contains(name) && name.lowercased() != "id"
            && value.array == nil && value.object == nil
    }

    /// Whether the text can stand as the name of an element of XML, as the names of all fields can.
    fileprivate static func isFieldName(_ name: String) -> Bool {
        guard let first = name.utf8.first, UInt8(ascii: "A") <= first, first != UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}

extension RestClient {
    /// What a merge of records did.
    public struct MergeResult: Sendable, Hashable {
        /// The id of the record that stayed.
        public let id: String
        /// The ids of the records that are in the bin.
        public let mergedIDs: [String]
        /// The ids of the records that point to the one that stayed now, as far as the user sees them.
        public let movedIDs: [String]

        /// Reads a result of the SOAP API; `nil` for another one.
        init?(_ result: XMLElement) {
            guard result["success"]?.text == "true", let id = result["id"]?.text else { return nil }
            self.id = id
            mergedIDs = result.texts("mergedRecordIds")
            movedIDs = result.texts("updatedRelatedIds")
            guard ([id] + mergedIDs + movedIDs).allSatisfy(\.isRecordID) else { return nil }
        }
    }
}

/// What the platform's SOAP API alone can do with records that were deleted.
extension Endpoint where Self == RestRequest.Typed<[SaveResult]> {
    /// Takes records out of the bin, with those that went along with them.
    ///
    /// It is sent once: a second time would say of each record that it is not in the bin.
    ///
    /// - Parameter ids: the ids of the records, of any types; at most ``RestRequest/maximumRecords``.
    /// - Returns: the request, whose content tells what became of each, in their order.
    public static func undelete(ids: [String]) -> Self { bin("undelete", ids) }

    /// Removes records from the bin for good.
    ///
    /// - Parameter ids: the ids of the records, of any types; at most ``RestRequest/maximumRecords``.
    /// - Returns: the request, whose content tells what became of each, in their order.
    public static func emptyBin(ids: [String]) -> Self { bin("emptyRecycleBin", ids) }

    private static func bin(_ call: String, _ ids: [String]) -> Self {
        var request = RestRequest.soap(call, ids.map { XMLText.element("ids", $0) }.joined())
        let (count, limit) = (ids.count, RestRequest.maximumRecords)
        if (1...limit).contains(count) {
            request = ids.enumerated().reduce(request) { $0.requiringID($1.element, "ids[\($1.offset)]") }
        } else {
            request = request.refused("ids", "there are \(count); the server accepts 1 to \(limit)")
        }
        return Self(request) { (response) throws(RestError) in
            let what = "call about \(count) records of the bin"
            let results = try response.soapResults(count, of: what).compactMap { SaveResult($0) }
            guard results.count == count else { throw RestError(notAnAnswerTo: what, response) }
            return results
        }
    }
}

extension SaveResult {
    /// Reads a result of the SOAP API; `nil` when it is none.
    fileprivate init?(_ result: XMLElement) {
        guard let text = result["success"]?.text, text == "true" || text == "false" else { return nil }
        guard text == "false" || result["id"]?.text.isRecordID == true else { return nil }
        let id = text == "true" ? result["id"]?.text : nil
        self.init(id: id, isSuccess: text == "true", faults: APIFault.faults(in: result))
    }
}
