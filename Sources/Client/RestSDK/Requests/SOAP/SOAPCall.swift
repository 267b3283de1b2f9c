// SPDX-License-Identifier: Apache-2.0

import RestText
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
