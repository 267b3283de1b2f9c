// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable public import RestSDK

// sample: docs/adding-a-request-family.md 1
extension Endpoint where Self == RestRequest.Typed<Bool> {
    /// Returns whether a user's password has expired.
    ///
    /// Salesforce: REST API Developer Guide, "sObject User Password".
    ///
    /// - Parameter user: the user's id.
    /// - Returns: the request.
    public static func passwordHasExpired(of user: String) -> Self {
        Self(.password("passwordState", .get, user)) { (response) throws(RestError) in
            guard let isExpired = response.payload["isExpired"]?.bool else {
                throw RestError(notAResponseTo: "question about a password", response)
            }
            return isExpired
        }
    }
}

extension Endpoint where Self == RestRequest {
    /// Sets a user's password.
    ///
    /// The response is empty.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - user: the user's id.
    /// - Returns: the request.
    public static func setPassword(_ password: String, of user: String) -> RestRequest {
        var request = RestRequest.password("setPassword", .post, user).requiring(password, "password")
        request.body = .bytes(JSONValue(["NewPassword": JSONValue(password)]).bytes())
        request.fields = RestRequest.jsonContent
        request.effect = .writes(idempotent: true)  // the same password a second time changes nothing
        return request
    }

    fileprivate static func password(_ name: String, _ method: HTTPMethod, _ user: String) -> RestRequest {
        RestRequest(name: name, method: method, resource: .data(["sobjects", "User", user, "password"]))
            .requiringID(user, "user")
    }
}
// end

// sample: docs/adding-a-request-family.md 2
@Suite("Passwords of users")
struct PasswordTests {
    @Test("the state of a password is read, and the password is changed")
    func life() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))

        let hasExpired = try await client.send(.passwordHasExpired(of: org.userID))
        let changed = try await client.send(.setPassword("a/b ?&#%2F", of: org.userID))
        let other = await #expect(throws: RestError.self) {
            try await client.send(.passwordHasExpired(of: "005000000000999AAA"))
        }

        #expect(!hasExpired)
        #expect(changed.payload == .empty)
        #expect(other?.code == .notFound)
        await org.stop()
    }

    @Test("a blank argument is rejected before anything is sent")
    func blank() async throws {
        let transport = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(transport: transport))

        let error = await #expect(throws: RestError.self) {
            try await client.send(.setPassword(" ", of: "005000000000001AAA"))
        }

        #expect(error?.code == .invalidRequest && error?.outcome == .notApplied)
        #expect(transport.requests.isEmpty)
    }
}
// end

@Suite("The article on request families")
struct RequestFamilyTests {
    @Test("the code of the article is the code of this file")
    func blocks() throws {
        let file = URL(fileURLWithPath: #filePath)
        let article = URL(fileURLWithPath: "../../../docs/adding-a-request-family.md", relativeTo: file)
        let text = try String(contentsOf: article, encoding: .utf8)
        let regions = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n// sample: ").dropFirst()
        for region in regions.prefix(2) {
            let lines = region.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            #expect(text.contains(lines.prefix { $0 != "// end" }.joined(separator: "\n") + "\n```"))
        }
    }
}
