// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// `/.well-known/…`: where the endpoints are (RFC 8414), and how the platform's own apps should log in.
struct MetadataEndpoint {
    let identity: OrgIdentity

    /// The document, or `nil` for a name that the org does not have.
    func answer(_ name: String) -> ServerResponse? {
        switch name {
        case "oauth-authorization-server", "openid-configuration": .json(200, metadata)
        case "auth-configuration": .json(200, browserAdvice)
        default: nil
        }
    }

    private var metadata: [UInt8] {
        let base = identity.instanceURL
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("issuer", base)
        for (name, path) in [
            ("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("revocation_endpoint", "revoke"),
            ("introspection_endpoint", "introspect"), ("userinfo_endpoint", "userinfo"),
            ("device_authorization_endpoint", "device_authorization"),
        ] {
            writer.member(name, "\(base)/services/oauth2/\(path)")
        }
        for (name, values) in [
            ("scopes_supported", OAuthScope.known), ("response_types_supported", ["code"]),
            ("response_modes_supported", ["query"]), ("grant_types_supported", TokenEndpoint.grantTypes),
            ("code_challenge_methods_supported", ["S256"]), ("subject_types_supported", ["public"]),
            ("token_endpoint_auth_methods_supported", ["client_secret_post", "client_secret_basic", "none"]),
            ("prompt_values_supported", AuthorizationRequest.prompts),
        ] {
            writer.key(name)
            writer.beginArray()
            for value in values { writer.string(value) }
            writer.endArray()
        }
        writer.member("authorization_response_iss_parameter_supported", true)
        writer.endObject()
        return writer.bytes
    }

    private var browserAdvice: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("MobileSDK")
        writer.beginObject()
        writer.member("UseiOSNativeBrowserForAuthentication", true)
        writer.member("UseAndroidNativeBrowserForAuthentication", true)
        writer.member("shareBrowserSessionIOS", false)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
