// SPDX-License-Identifier: Apache-2.0

import RestTransport
import RestXML

/// Where the calls go that begin and end sessions of the partner SOAP API.
struct SOAPSessionCall {
    let server: Origin
    let version: Int

    var url: HTTPURL { HTTPURL(origin: server, path: "/services/Soap/u/\(version).0") }

    func request(_ action: String, header: String, _ body: String) -> HTTPRequest {
        HTTPRequest(
            method: .post, url: url,
            fields: ["Content-Type": "text/xml; charset=UTF-8", "Accept": "text/xml", "SOAPAction": action],
            body: .bytes(Array(SOAPEnvelope.partner.text(header: header, body).utf8)))
    }
}

extension OAuthClient {
    /// Sends a call, and gives what stands in the body of its answer.
    ///
    /// - Throws: ``OAuthError``; a fault as `OAuthError(_:from:to:)` says.
    func content(
        of call: SOAPSessionCall, action: String, header: String, _ body: String, to secrets: SentSecrets,
        until deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> XMLElement {
        guard call.url.isTrustworthy else {
            throw OAuthError(
                .invalidRequest, "\(call.server) is no server for a password: use https; nothing was sent")
        }
        let request = call.request(action, header: header, body)
        let answer = OAuthAnswer(try await send(request, until: deadline), from: call.url.path, to: secrets)
        return try answer.soapContent(action + "Response")
    }

    /// Ends a session that a SOAP login gave; one that the server does not know, or no longer, counts as ended.
    ///
    /// - Throws: ``OAuthError`` with `.revocationPending` or why the server was not reached: the session may live on.
    func endSession(of login: Credential, _ deadline: ContinuousClock.Instant) async throws(OAuthError) {
        let call = SOAPSessionCall(server: login.instance, version: PasswordGrant.SOAP.lastVersion)
        let token = login.accessToken
        let session = SOAPEnvelope.session(XMLText.escaped(token.reveal()))
        do throws(OAuthError) {
            _ = try await content(
                of: call, action: "logout", header: session, "<logout/>", to: SentSecrets([token]), until: deadline)
        } catch {
            switch error.code {
            case .invalidToken: return
            case .unreachable, .timedOut, .cancelled: throw error
            default:
                throw OAuthError(
                    .revocationPending, "\(error.message); until then the session may still be good",
                    retryAfter: error.retryAfter)
            }
        }
    }
}
