// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport
import RestXML

/// The two ways in which Bulk API 1.0 speaks of jobs and batches.
enum ClassicFormat: Sendable {
    case xml, json

    /// What a request speaks, or what it wants; XML if it does not say.
    init(_ request: ServerRequest) {
        let accepts = request.fields["Accept"]?.lowercased() ?? ""
        let isJSON = request.mediaType == "application/json" || accepts.hasBytes(prefix: "application/json")
        self = isJSON ? .json : .xml
    }

    /// The members of an element that stands alone.
    func members(of body: [UInt8]) throws(OrgFault) -> JSONObject {
        guard self == .xml else { return try RecordInput.members(body) }
        guard let root = XMLElement(parsing: body), root.name == "jobInfo" else {
            throw OrgFault(400, "INVALIDXML", "The body must be an element jobInfo of well-formed XML")
        }
        return JSONObject(
            members: root.children.filter { !$0.isNil }.map { (key: $0.name, value: JSONValue($0.text)) })
    }

    /// An answer with one element, or with the object of the same members.
    func answer(_ status: Int, _ name: String, _ value: JSONValue) -> ServerResponse {
        guard self == .xml else { return .json(status, value: value) }
        let inside = value.object.map { XMLText.content(of: $0) } ?? ""
        return Self.xml(status, "<\(name) xmlns=\"\(ClassicRules.namespace)\">\(inside)</\(name)>")
    }

    /// A time of a job, whose zone is a letter in XML.
    func time(_ text: String) -> JSONValue {
        JSONValue(self == .xml ? text.dropLast("+0000".utf8.count) + "Z" : text)
    }

    static func xml(_ status: Int, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, fields: [("Content-Type", "application/xml;charset=UTF-8")],
            body: Array((XMLText.declaration + text).utf8))
    }
}

extension OrgFault {
    /// The codes of Bulk API 1.0 for those of the REST API.
    private static let classicCodes = [
        "CLIENTINPUTERROR": "ClientInputError", "FEATURENOTENABLED": "FeatureNotEnabled",
        "INVALIDBATCH": "InvalidBatch", "INVALIDENTITY": "InvalidEntity", "INVALIDJOB": "InvalidJob",
        "INVALIDJOBSTATE": "InvalidJobState", "INVALIDVERSION": "InvalidVersion", "INVALIDXML": "InvalidXML",
        "INVALID_SESSION_ID": "InvalidSessionId", "METHOD_NOT_ALLOWED": "MethodNotAllowed",
        "NOT_FOUND": "InvalidUrl", "REQUEST_LIMIT_EXCEEDED": "ExceededQuota",
        "QUERY_TIMEOUT": "Timeout", "STORAGE_LIMIT_EXCEEDED": "ExceededQuota",
    ]

    /// The refusal in the words of Bulk API 1.0, which knows hardly any other status than 400.
    func classicResponse(to request: ServerRequest) -> ServerResponse {
        let members: JSONValue = [
            "exceptionCode": JSONValue(Self.classicCodes[code] ?? "ClientInputError"),
            "exceptionMessage": JSONValue(message),
        ]
        var response = ClassicFormat(request).answer(status == 405 ? 405 : 400, "error", members)
        if !allowed.isEmpty { response.fields.append(("Allow", allowed.joined(separator: ", "))) }
        return response
    }
}
