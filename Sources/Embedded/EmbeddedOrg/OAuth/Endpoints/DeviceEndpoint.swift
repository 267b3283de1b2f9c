// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// The beginning of a device login: RFC 8628 §3.1, and the platform's older form at the token endpoint.
struct DeviceEndpoint {
    let tokens: TokenService
    let clients: ClientRegistry

    /// Where the user types the code.
    static let page = "/setup/connect"

    func answer(_ request: ServerRequest) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = "device_authorization"
        var response: ServerResponse
        do throws(OAuthRefusal) {
            let form = try OAuthForm(request)
            note.clientID = form.basic?.id ?? form["client_id"]
            response = try begin(form, isPlatform: false)
            note.outcome = "granted"
        } catch {
            note.refuse(error)
            response = error.response
        }
        response.oauth = note
        return response
    }

    func begin(_ form: OAuthForm, isPlatform: Bool) throws(OAuthRefusal) -> ServerResponse {
        let client = try clients.authenticate(form, .secretIfAny)
        let scopes = try OAuthScope.granted(form.words("scope"))
        guard let codes = tokens.beginDevice(.init(clientID: client.id, scopes: scopes)) else {
            throw .rateLimited(.seconds(60))
        }
        let address = tokens.identity.instanceURL + Self.page
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device_code", codes.deviceCode)
        writer.member("user_code", codes.userCode)
        writer.member("verification_uri", address)
        writer.member("interval", Int(DeviceLogins.interval.components.seconds))
        if !isPlatform {
            writer.member("verification_uri_complete", "\(address)?user_code=\(codes.userCode)")
            writer.member("expires_in", tokens.deviceCodeSeconds)
        }
        writer.endObject()
        return .unstored(.json(200, writer.bytes))
    }
}
