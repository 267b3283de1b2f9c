// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension OAuthClient {
    /// How a client shows an authorization server that it has its secret (RFC 6749 §2.3.1).
    ///
    /// A client without a secret has nothing to show: its id stands in the form, whichever way is chosen.
    public enum Authentication: String, Sendable, Hashable, CaseIterable {
        /// Id and secret in the form, which is the platform's way.
        case post = "client_secret_post"
        /// Id and secret in the `Authorization` field, which every server that keeps to RFC 6749 takes.
        case basic = "client_secret_basic"

        /// The way to go at an endpoint, by the list in the server's metadata (RFC 8414 §2).
        ///
        /// The form is chosen where it is offered: servers disagree about the encoding of a field with odd characters.
        /// Where there is no list, the standard says Basic.
        init(offered list: JSONValue?) {
            let methods = list?.array?.compactMap(\.string) ?? []
            self = methods.contains(Self.post.rawValue) ? .post : .basic
        }
    }
}

/// A request's form and fields, with the client's id and its secret where they belong.
struct ClientRequest {
    let form: [(String, String)]
    let fields: HTTPFields
    /// What must not be seen in anything that is said about the request.
    let secrets: SentSecrets

    init(
        _ parameters: [(name: String, value: Secret)], clientID: String, clientSecret: Secret?,
        by authentication: OAuthClient.Authentication
    ) {
        var form = parameters.map { ($0.name, $0.value.reveal()) }
        var fields: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        var secrets = parameters.filter { !SentSecrets.isPublic($0.name) }.map(\.value)
        if let clientSecret, authentication == .basic {
            // Both are encoded as in a form first; a space as %20 means the same to every decoder.
            let pair = [clientID, clientSecret.reveal()].map(PercentEncoding.queryComponent).joined(separator: ":")
            let login = Base64.encode(Array(pair.utf8))
            fields["Authorization"] = "Basic \(login)"
            secrets += [clientSecret, Secret(login)]
        } else {
            form.append(("client_id", clientID))
            if let clientSecret {
                form.append(("client_secret", clientSecret.reveal()))
                secrets.append(clientSecret)
            }
        }
        (self.form, self.fields, self.secrets) = (form, fields, SentSecrets(secrets))
    }
}
