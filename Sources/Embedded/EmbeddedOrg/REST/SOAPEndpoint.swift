// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestXML
import SOQLStore

/// The partner SOAP API with calls that no REST resource has: `undelete`, `emptyRecycleBin` and `merge`.
///
/// Other calls return a SOAP fault.
struct SOAPEndpoint {
    let tokens: TokenService
    let store: RecordStore

    private static let versions = 20...APIVersion.supported.upperBound
    /// The maximum size of a call in bytes, and the maximum number of IDs or merges.
    private static let (mostBytes, mostRecords) = (1 << 20, 200)
    private static let names = ["undelete", "emptyRecycleBin", "merge"]
    private static let envelope = SOAPEnvelope(namespace: "urn:partner.soap.sforce.com")

    func respond(_ request: ServerRequest, version: String) -> ServerResponse {
        do throws(OAuthRejection) {
            return Self.response(200, try call(request, version))
        } catch {
            return Self.fault(error)
        }
    }

    private func call(_ request: ServerRequest, _ version: String) throws(OAuthRejection) -> String {
        // bounded: by the versions there are
        guard let digits = version.removing(suffix: ".0"), let number = Int(digits), Self.versions.contains(number)
        else {
            throw OAuthRejection("UNSUPPORTED_API_VERSION", "Invalid Api version specified on URL")
        }
        guard request.method == "POST", request.mediaType == "text/xml", request.body.count <= Self.mostBytes,
            let envelope = XMLElement(parsing: request.body), let call = envelope.soapContent
        else { throw OAuthRejection("INVALID_OPERATION", "The body must be a SOAP call in XML, sent with POST") }
        guard Self.names.contains(call.name) else {
            throw OAuthRejection(
                "INVALID_OPERATION",
                "No operation available for request \(call.name.prefix(60)) in the embedded org: "
                    + "it supports \(Self.names.joined(separator: ", "))")
        }
        let session = envelope["Header"]?["SessionHeader"]?["sessionId"]?.text ?? ""
        guard let login = tokens.bearerLogin(of: session) else {
            throw OAuthRejection("INVALID_SESSION_ID", "Invalid Session ID found in SessionHeader: Illegal Session")
        }
        var store = store
        store.userID = login.subject
        guard call.name == "merge" else {
            let ids = call.texts("ids")
            guard ids.count <= Self.mostRecords else {
                throw OAuthRejection("EXCEEDED_ID_LIMIT", "\(call.name) accepts at most 200 ids")
            }
            return Self.results(of: call, ids.map { outcome(of: call.name, $0, store) })
        }
        guard (1...Self.mostRecords).contains(call.children.count) else {
            throw OAuthRejection("EXCEEDED_ID_LIMIT", "merge accepts 1 to 200 requests")
        }
        return Self.results(of: call, call.children.map { SOAPMerge(store: store).result(of: $0) })
    }

    private func outcome(of name: String, _ id: String, _ store: RecordStore) -> String {
        do throws(OrgError) {
            guard let known = RecordID.normalized(id) else { throw .malformedID(id) }
            let object = store.schema.objects.first { known.hasBytes(prefix: $0.keyPrefix) }
            guard let object else { throw .malformedID(id) }
            if name == "undelete" {
                try store.undelete(known, of: object)
            } else {
                try store.purge(known, of: object)
            }
            return XMLText.element("id", known) + XMLText.element("success", "true")
        } catch {
            return error.soapErrors + XMLText.element("id", id) + XMLText.element("success", "false")
        }
    }

    private static func results(of call: XMLElement, _ results: [String]) -> String {
        "<\(call.name)Response>" + results.map { "<result>\($0)</result>" }.joined() + "</\(call.name)Response>"
    }

    private static func response(_ status: Int, _ body: String) -> ServerResponse {
        .unstored(
            ServerResponse(
                status: status, fields: [("Content-Type", "text/xml;charset=UTF-8")],
                body: Array(envelope.text(body).utf8)))
    }

    private static func fault(_ rejection: OAuthRejection) -> ServerResponse {
        response(
            500,
            """
            <soapenv:Fault xmlns:sf="urn:fault.partner.soap.sforce.com"><faultcode>sf:\(rejection.error)</faultcode>\
            \(XMLText.element("faultstring", "\(rejection.error): \(rejection.description)"))<detail>\
            <sf:UnexpectedErrorFault>\(XMLText.element("sf:exceptionCode", rejection.error))\
            \(XMLText.element("sf:exceptionMessage", rejection.description))\
            </sf:UnexpectedErrorFault></detail></soapenv:Fault>
            """)
    }
}

extension RESTRouter {
    func soap(_ request: ServerRequest, version: String) -> ServerAction {
        let endpoint = SOAPEndpoint(tokens: tokens, store: records.store)
        return .later(.slow) { .ready(ServerReply(endpoint.respond(request, version: version))) }
    }
}

/// A record in a SOAP call with its type, ID and fields.
struct SOAPRecord {
    let object: SObjectSchema
    let id: String
    let members: JSONObject

    init(_ element: XMLElement, _ schema: Schema) throws(OrgError) {
        let type = element["type"]?.text ?? ""
        guard let object = schema.object(named: type) else {
            throw OrgError("INVALID_TYPE", "sObject type '\(type.prefix(100))' is not supported.")
        }
        var texts: [(name: String, text: String?)] = element.texts("fieldsToNull").map { ($0, nil) }
        for child in element.children where !["type", "Id", "fieldsToNull"].contains(child.name) {
            texts.append((child.name, child.isNil || child.text.isEmpty ? nil : child.text))
        }
        var members: [(key: String, value: JSONValue)] = []
        for (name, text) in texts {
            guard let field = object.field(named: name), let column = RecordColumn(field.name, object, schema) else {
                throw .unknownColumn(name, of: object.name)
            }
            members.append(column.member(text))
        }
        (self.object, self.members) = (object, JSONObject(members: members))
        id = element["Id"]?.text ?? ""
    }
}

struct SOAPMerge {
    let store: RecordStore

    /// Returns the result with its elements in the order of the WSDL.
    func result(of request: XMLElement) -> String {
        do throws(OrgError) {
            guard request.name == "request", let master = request["masterRecord"] else {
                throw OrgError("MISSING_ARGUMENT", "masterRecord not specified")
            }
            let record = try SOAPRecord(master, store.schema)
            let merged = try store.merge(
                request.texts("recordToMergeIds"), into: record.id, with: record.members, of: record.object)
            return XMLText.element("id", merged.master)
                + merged.others.map { XMLText.element("mergedRecordIds", $0) }.joined()
                + XMLText.element("success", "true")
                + merged.moved.map { XMLText.element("updatedRelatedIds", $0) }.joined()
        } catch {
            return error.soapErrors + XMLText.element("success", "false")
        }
    }
}

extension OrgError {
    var soapErrors: String {
        let fields = fields.map { XMLText.element("fields", $0) }.joined()
        return "<errors>\(fields)\(XMLText.element("message", message))\(XMLText.element("statusCode", code))</errors>"
    }
}
