// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A call of the SOAP API, for what the platform has nowhere else.
///
/// It goes the way of every call. The account's token stands in its body too, put there where calls are signed.
struct SOAPCall: Sendable, Hashable {
    /// The name of the call.
    let name: String
    /// Its arguments, in order.
    let arguments: [Argument]

    struct Argument: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// Stands for the token until the call is signed; no XML can hold it.
    private static let token = "\u{1}"

    /// The body, without the token.
    var body: HTTPBody {
        let inside = arguments.map { "<\($0.name)>\(XMLNode.escaped($0.value))</\($0.name)>" }.joined()
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>\
            <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com">\
            <e:Header><SessionHeader><sessionId>\(Self.token)</sessionId></SessionHeader></e:Header>\
            <e:Body><\(name)>\(inside)</\(name)></e:Body></e:Envelope>
            """
        return .bytes(Array(text.utf8))
    }

    /// The body with a token.
    static func signed(_ body: HTTPBody, _ token: String) -> HTTPBody {
        guard case .bytes(let bytes) = body else { return body }
        let parts = bytes.split(separator: UInt8(1), maxSplits: 1, omittingEmptySubsequences: false)
        return .bytes(Array(parts.joined(separator: XMLNode.escaped(token).utf8)))
    }
}

extension RestRequest {
    /// A call of the SOAP API.
    static func soap(
        _ name: String, _ call: String, _ arguments: [SOAPCall.Argument]
    ) -> RestRequest {
        var request = RestRequest(
            name: name, method: .post, resource: .serverPath("/services/Soap/u"),
            fields: ["Content-Type": "text/xml; charset=UTF-8", "Accept": "text/xml", "SOAPAction": "\"\""],
            expectation: .anything)
        request.parts = .soap(SOAPCall(name: call, arguments: arguments))
        return request
    }

    /// Whether it is a call of the SOAP API.
    var isSOAP: Bool { if case .soap = parts { true } else { false } }
}

/// What a SOAP API says of a call that it refuses.
struct SOAPFault {
    let fault: APIFault

    /// Reads the body of an answer; `nil` when it is no fault.
    init?(_ text: String) {
        guard text.contains("faultcode"), let root = XMLNode(parsing: Array(text.utf8)),
            let fault = root["Body"]?["Fault"], let code = fault.first("exceptionCode") ?? fault["faultcode"]
        else { return nil }
        let name = code.text.split(separator: ":").last.map(String.init) ?? ""
        guard !name.isEmpty else { return nil }
        let message = fault.first("exceptionMessage")?.text ?? fault["faultstring"]?.text ?? ""
        self.fault = APIFault(errorCode: .init(rawValue: name.bounded), message: message.bounded)
    }

    /// What kind of failure it is; the status is 500 whatever it is.
    var code: RestError.Code {
        switch fault.errorCode {
        case .invalidSessionID: .unauthorized
        case .requestLimitExceeded: .rateLimited
        case .insufficientAccess, .insufficientAccessOrReadonly: .forbidden
        case .serverUnavailable, .unknownException: .server
        default: .api
        }
    }
}
