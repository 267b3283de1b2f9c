// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension Credential.Login {
    /// Reads the details out of a record; `nil` when they are not whole, or when their server is none that may see a
    /// secret.
    init?(record: JSONValue) {
        guard let server = record["server"]?.string, let url = try? HTTPURL(parsing: server), url.isTrustworthy,
            let clientID = record["clientID"]?.string
        else { return nil }
        let endpoints = record["endpoints"].map { AuthorizationServer(record: $0) }
        // Endpoints that cannot be read are not replaced by others.
        if case .some(nil) = endpoints { return nil }
        self.init(
            server: url.origin, endpoints: endpoints ?? nil, clientID: clientID,
            clientSecret: record["clientSecret"]?.string.map { Secret($0) },
            username: record["username"]?.string,
            notes: record["notes"]?.object?.reduce(into: [:]) { $0[$1.key] = $1.value.string } ?? [:])
    }

    /// The details as they stand in a record.
    var record: JSONValue {
        var object = JSONObject()
        object["server"] = JSONValue(server.description)
        object["endpoints"] = endpoints?.record
        object["clientID"] = JSONValue(clientID)
        object["clientSecret"] = clientSecret.map { JSONValue($0.reveal()) }
        object["username"] = username.map { JSONValue($0) }
        var noted = JSONObject()
        for (name, value) in notes.sorted(by: { $0.key < $1.key }) { noted[name] = JSONValue(value) }
        object["notes"] = notes.isEmpty ? nil : JSONValue(noted)
        return JSONValue(object)
    }
}

extension AuthorizationServer {
    /// Reads a server out of a record; `nil` when it is not whole or has an address that no token may travel to.
    init?(record: JSONValue) {
        func url(_ name: String) -> HTTPURL? { record[name]?.string.flatMap { try? HTTPURL(parsing: $0) } }
        func authentication(_ name: String) -> OAuthClient.Authentication? {
            record[name]?.string.flatMap(OAuthClient.Authentication.init(rawValue:))
        }
        guard let issuer = record["issuer"]?.string, let origin = url("origin")?.origin,
            let authorization = url("authorization"), let token = url("token")
        else { return nil }
        self.init(issuer: issuer, origin: origin, authorizationEndpoint: authorization, tokenEndpoint: token)
        (revocationEndpoint, introspectionEndpoint) = (url("revocation"), url("introspection"))
        userInfoEndpoint = url("userInfo")
        deviceEndpoint = url("device").map { .standard($0) } ?? url("platformDevice").map { .platform($0) }
        announcesIssuer = record["announcesIssuer"]?.bool ?? false
        clientAuthentication = authentication("clientAuthentication") ?? .post
        revocationAuthentication = authentication("revocationAuthentication")
        introspectionAuthentication = authentication("introspectionAuthentication")
        signsTokens = record["signsTokens"]?.bool ?? false
        let style = record["revocationStyle"]?.string ?? RevocationStyle.form.rawValue
        guard let style = RevocationStyle(rawValue: style) else { return nil }
        revocationStyle = style
        namesTeams = record["namesTeams"]?.bool ?? false
        for (name, value) in record["tokenParameters"]?.object ?? [:] { tokenParameters[name] = value.string }
        let endpoints = [token, revocationEndpoint, introspectionEndpoint, userInfoEndpoint, url("device")]
        guard endpoints.allSatisfy({ $0?.isTrustworthy != false }) else { return nil }
    }

    /// The server as it stands in a record.
    var record: JSONValue {
        let (device, platformDevice): (HTTPURL?, HTTPURL?) =
            switch deviceEndpoint {
            case .standard(let url): (url, nil)
            case .platform(let url): (nil, url)
            case nil: (nil, nil)
            }
        let texts: [(String, String?)] = [
            ("issuer", issuer), ("origin", origin.description), ("authorization", authorizationEndpoint.description),
            ("token", tokenEndpoint.description), ("revocation", revocationEndpoint?.description),
            ("introspection", introspectionEndpoint?.description), ("userInfo", userInfoEndpoint?.description),
            ("device", device?.description), ("platformDevice", platformDevice?.description),
            ("clientAuthentication", clientAuthentication.rawValue),
            ("revocationAuthentication", revocationAuthentication?.rawValue),
            ("introspectionAuthentication", introspectionAuthentication?.rawValue),
        ]
        var object = JSONObject()
        for (name, text) in texts { object[name] = text.map { JSONValue($0) } }
        object["announcesIssuer"] = JSONValue(announcesIssuer)
        object["signsTokens"] = JSONValue(signsTokens)
        object["revocationStyle"] = revocationStyle == .form ? nil : JSONValue(revocationStyle.rawValue)
        object["namesTeams"] = namesTeams ? JSONValue(true) : nil
        var parameters = JSONObject()
        for (name, value) in tokenParameters.sorted(by: { $0.key < $1.key }) { parameters[name] = JSONValue(value) }
        object["tokenParameters"] = tokenParameters.isEmpty ? nil : JSONValue(parameters)
        return JSONValue(object)
    }
}
