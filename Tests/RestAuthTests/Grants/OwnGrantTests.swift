// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTesting
import RestTransport
import Testing

/// A token exchange (RFC 8693), as a user of the library writes it: with nothing but what is public.
private struct TokenExchangeGrant: OAuthGrant {
    let subjectToken: Secret

    var parameters: [(name: String, value: Secret)] {
        get throws(OAuthError) {
            guard !subjectToken.isEmpty else { throw OAuthError(.invalidRequest, "there is no token to exchange") }
            return [
                ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", subjectToken),
                ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ]
        }
    }
}

@Suite("Grants of one's own")
struct OwnGrantTests {
    private let transport = StubTransport()
    private let login = Origin(scheme: .https, host: "example.my.salesforce.com")

    private var client: OAuthClient {
        OAuthClient(login: login, clientID: "id", clientSecret: nil, transport: transport)
    }

    @Test("a token exchange is a value beside the library's grants, and renews like them")
    func exchange() async throws {
        transport.enqueue(#"{"access_token":"a1","token_type":"Bearer"}"#)
        let renewal = TokenManager.Renewal(client: client, grant: TokenExchangeGrant(subjectToken: "s1"))
        let tokens = TokenManager(credential: nil, renewal: renewal)
        let issued = try await tokens.credential(deadline: .now + .seconds(9))
        #expect(issued.credential.accessToken == "a1")
        guard case .bytes(let body) = transport.requests[0].body else { return }
        let form = try PercentEncoding.formPairs(String(decoding: body, as: UTF8.self))
        #expect(form.map(\.name) == ["grant_type", "subject_token", "subject_token_type", "client_id"])
        #expect(form[1].value == "s1")
    }

    @Test("a grant that cannot be made sends nothing")
    func refused() async {
        let error = await #expect(throws: OAuthError.self) {
            try await client.token(for: TokenExchangeGrant(subjectToken: ""), deadline: .now + .seconds(9))
        }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }
}
