// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestXML

/// Answers of the SOAP APIs.
extension SOAPEnvelope {
    func response(_ status: Int, _ body: String) -> ServerResponse {
        .unstored(
            ServerResponse(
                status: status, fields: [("Content-Type", "text/xml;charset=UTF-8")], body: Array(text(body).utf8)))
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
