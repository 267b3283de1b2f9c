// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Answers of the SOAP APIs.
struct SOAPEnvelope {
    /// The names of the API that was called.
    let namespace: String

    func response(_ status: Int, _ body: String) -> ServerResponse {
        let text = """
            \(XMLText.declaration)<soapenv:Envelope \
            xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="\(namespace)" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>\(body)</soapenv:Body></soapenv:Envelope>
            """
        return .unstored(
            ServerResponse(status: status, fields: [("Content-Type", "text/xml;charset=UTF-8")], body: Array(text.utf8))
        )
    }

    func fault(_ refusal: OAuthRefusal) -> ServerResponse {
        let text = "\(refusal.error): \(refusal.description)"
        let name = refusal.error == "INVALID_LOGIN" ? "LoginFault" : "UnexpectedErrorFault"
        var response = response(
            refusal.status == 429 ? 429 : 500,
            """
            <soapenv:Fault xmlns:sf="urn:fault.partner.soap.sforce.com"><faultcode>sf:\(refusal.error)</faultcode>\
            \(XMLText.element("faultstring", text))<detail><sf:\(name)>\
            \(XMLText.element("sf:exceptionCode", refusal.error))\
            \(XMLText.element("sf:exceptionMessage", refusal.description))\
            </sf:\(name)></detail></soapenv:Fault>
            """)
        response.fields += refusal.response.fields.filter { $0.name == "Retry-After" }
        return response
    }
}
