// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestXML

/// The partner and enterprise SOAP APIs, as far as clients open with them; everything else is a SOAP fault, at the
/// addresses of the other SOAP APIs too.
struct SOAPEndpoint {
    let tokens: TokenService
    let users: UserLogin
    let store: RecordStore

    private static let versions = 20...APIVersion.supported.upperBound
    /// No proper call is longer, and no proper login.
    private static let (mostBytes, mostLoginBytes) = (1 << 20, 16 << 10)
    /// The APIs by the letter in their address.
    private static let services = [
        "u": "urn:partner.soap.sforce.com", "c": "urn:enterprise.soap.sforce.com",
        "m": "http://soap.sforce.com/2006/04/metadata", "s": "http://soap.sforce.com/2006/08/apex",
        "T": "urn:tooling.soap.sforce.com",
    ]

    /// Answers a call to `/services/Soap/SERVICE/VERSION`; `nil` for an address of no API.
    func answer(_ request: ServerRequest, service: String, version: String) -> ServerResponse? {
        guard let namespace = Self.services[service] else { return nil }
        var note = JournalEntry.OAuth()
        note.grantType = "soap login"
        var response: ServerResponse
        do throws(OAuthRefusal) {
            let text = try call(request, service, version)
            response = SOAPEnvelope(namespace: namespace).response(200, text)
            note.outcome = "granted"
        } catch {
            note.refuse(error)
            response = SOAPEnvelope(namespace: namespace).fault(error)
        }
        response.oauth = note
        return response
    }

    private func call(_ request: ServerRequest, _ service: String, _ version: String) throws(OAuthRefusal) -> String {
        // bounded: by the versions there are
        guard let digits = version.removing(suffix: ".0"), let number = Int(digits), Self.versions.contains(number)
        else {
            throw OAuthRefusal("UNSUPPORTED_API_VERSION", "Invalid Api version specified on URL")
        }
        guard request.method == "POST", request.mediaType == "text/xml", request.body.count <= Self.mostBytes,
            let envelope = XMLElement(parsing: request.body), let call = envelope.soapContent,
            call.name != "login" || request.body.count <= Self.mostLoginBytes
        else { throw OAuthRefusal("INVALID_OPERATION", "The body must be a SOAP call in XML, sent with POST") }
        guard service == "u" || service == "c" else { throw .noOperation(call, "this API is not a part of it") }
        if call.name == "login" {
            return try SOAPLogin(tokens: tokens, users: users).logIn(call, version, number, service)
        }
        guard SOAPCalls.knows(call) else { throw .noOperation(call, "it knows \(SOAPCalls.list)") }
        let session = envelope["Header"]?["SessionHeader"]?["sessionId"]?.text ?? ""
        guard let login = tokens.login(of: session) else {
            throw OAuthRefusal("INVALID_SESSION_ID", "Invalid Session ID found in SessionHeader: Illegal Session")
        }
        var store = store
        store.userID = login.subject
        let calls = SOAPCalls(tokens: tokens, users: users, store: store, version: APIVersion(number: number))
        return try calls.answer(call, session, of: login.subject)
    }
}

extension RESTRouter {
    /// `/services/Soap/SERVICE/VERSION`.
    func soap(_ request: ServerRequest, _ segments: [String]) throws(OrgFault) -> ServerAnswer {
        let endpoint = SOAPEndpoint(tokens: tokens, users: oauth.users, store: records.store)
        return .later(.slow) {
            let answer = endpoint.answer(request, service: segments[2], version: segments[3])
            return .ready(ServerReply(answer ?? OrgFault.notFound.response))
        }
    }
}

extension OAuthRefusal {
    fileprivate static func noOperation(_ call: XMLElement, _ reason: String) -> OAuthRefusal {
        OAuthRefusal(
            "INVALID_OPERATION",
            "No operation available for request \(call.name.prefix(60)) in the embedded org: \(reason)")
    }
}
