// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Several users")
struct UserTests {
    private static let list = """
        [{"Username": "grace@example.com", "Password": "correct horse", "FirstName": "Grace", "LastName": "Hopper"},
         {"Username": "ALAN@example.com", "Password": "enigma 1912", "Profile": "Read Only"}]
        """

    private func start() async throws -> (first: OrgClient, grace: OrgClient) {
        let first = try await OrgClient.start { $0.users = try OrgUser.list(json: Array(Self.list.utf8)) }
        var grace = first
        grace.token = try #require(first.org.issueCredential(to: "Grace@Example.com")).accessToken
        return (first, grace)
    }

    @Test("each user logs in with a separate password, and renewed tokens still belong to that user")
    func logins() async throws {
        let (client, _) = try await start()
        let org = client.org
        func login(_ name: String, _ password: String) throws -> RawClient.Response {
            try client.grant(
                "password", [("username", name), ("password", password), ("scope", "api refresh_token")])
        }
        let alan = try login("alan@example.com", "enigma 1912")
        #expect(alan.status == 200)
        #expect(try login("alan@example.com", "correct horse").oauthError == "invalid_grant")
        #expect(try login("grace@example.com", "correct horseT0KEN").status == 200)
        #expect(try login(org.username, org.password).status == 200)
        let renewed = try client.grant("refresh_token", [("refresh_token", alan.json["refresh_token"]?.string ?? "")])
        #expect(renewed.json["id"]?.string == alan.json["id"]?.string)
        let token = try #require(renewed.json["access_token"]?.string)
        let info = try client.send("GET", "/services/oauth2/userinfo", token: token).json
        #expect(info["preferred_username"]?.string == "ALAN@example.com")
        let id = try #require(info["user_id"]?.string)
        #expect(id != org.userID && info["sub"]?.string == alan.json["id"]?.string)
        let identity = try client.send("GET", "/id/\(org.organizationID)/\(id)", token: token).json
        #expect(identity["username"]?.string == "ALAN@example.com" && identity["active"]?.bool == true)
        let profile = try client.query("SELECT Profile.Name FROM User WHERE Id = '\(id)'").json
        #expect(profile["records"]?[0]?["Profile"]?["Name"]?.string == "Read Only")
        let status = try client.form(client.app + [("token", token)], to: "introspect")
        #expect(status.json["username"]?.string == "ALAN@example.com")
    }

    @Test("created records and recent records belong to the user")
    func records() async throws {
        let (first, grace) = try await start()
        let me = try grace.send("GET", "/services/oauth2/userinfo").json["user_id"]?.string
        let id = try grace.create("Account", #"{"Name":"Hers"}"#)
        let made = try first.query("SELECT CreatedById, OwnerId, LastModifiedById FROM Account WHERE Id = '\(id)'")
        let record = made.json["records"]?[0]
        #expect(record?["CreatedById"]?.string == me && record?["OwnerId"]?.string == me)
        try first.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(id)", body: #"{"Site":"x"}"#)
        let changed = try grace.get("/sobjects/Account/\(id)?fields=LastModifiedById").json
        #expect(changed["LastModifiedById"]?.string == first.org.userID)
        let part =
            #"{"compositeRequest":[{"method":"POST","url":"\#(OrgClient.data)/sobjects/Account","#
            + #""referenceId":"a","body":{"Name":"Hers too"}}]}"#
        try grace.send("POST", "\(OrgClient.data)/composite", body: part)
        #expect(try grace.query("SELECT COUNT() FROM Account USING SCOPE mine").json["totalSize"]?.int == 2)
        _ = try grace.query("SELECT Id FROM Account WHERE Id = '\(id)' FOR VIEW")
        #expect(try grace.get("/recent").json.array?.count == 1)
        #expect(try first.get("/recent").json.array?.isEmpty == true)
    }

    @Test("a user with a new password can log in, and the login belongs to that user")
    func passwords() async throws {
        let (client, grace) = try await start()
        let other = try client.query("SELECT Id, Username FROM User WHERE Id != '\(client.org.userID)' LIMIT 1")
            .json["records"]?[0]
        let (id, name) = (other?["Id"]?.string ?? "", other?["Username"]?.string ?? "")
        let path = "\(OrgClient.data)/sobjects/User/\(id)/password"
        #expect(client.org.issueCredential(to: name) == nil)
        #expect(try grace.send("POST", path, body: #"{"NewPassword":"opened sesame"}"#).status == 204)
        let login = try client.grant("password", [("username", name), ("password", "opened sesame")])
        #expect(login.json["id"]?.string?.hasSuffix(id) == true)
    }

    @Test(
        "invalid users are rejected with their position",
        arguments: [
            ("{}", "must be a list"), ("[", "not JSON"), (#"[{"Username":"a@b.c"}]"#, "[0] needs strings"),
            (#"[{"Username":"a@b.c","Password":"short"}]"#, "8 bytes"),
            (#"[{"Username":"a@b.c","Password":"long enough","Profile":"Nope"}]"#, "no profile named 'Nope'"),
            (#"[{"Username":"a@b.c","Password":"long enough","Colour":1}]"#, "Colour"),
            (
                #"[{"Username":"a@b.c","Password":"long enough"},{"Username":"A@b.c","Password":"long enough"}]"#,
                "listed twice"
            ),
        ])
    func rejections(json: String, reason: String) async throws {
        let error = await #expect(throws: StartError.self) {
            try await OrgClient.start { $0.users = try OrgUser.list(json: Array(json.utf8), name: "users.json") }
        }
        #expect(error?.code == .invalidUsers && error?.message.contains(reason) == true)
    }
}

@Suite("Limits of logins")
struct LoginLimitTests {
    @Test("injected errors have the form of OAuth errors, and forgotten codes are rejected")
    func faults() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(
            .oauth("invalid_grant", description: "token request is already being processed"), matching: "/token")
        let busy = try client.grant("client_credentials")
        #expect(busy.status == 400 && busy.oauthError == "invalid_grant")
        #expect(busy.json["error_description"]?.string == "token request is already being processed")
        client.org.faults.add(.oauth("server_error", status: 503, fields: ["Retry-After": "2"]), matching: "/authorize")
        let down = try client.send("GET", "/services/oauth2/authorize", token: .some(nil))
        #expect(down.status == 503 && down.field("Retry-After") == "2")
        let codes = try client.form([("client_id", LocalOrg.publicClientID)], to: "device_authorization").json
        client.org.faults.forgetCodes()
        let poll = try client.form([
            ("grant_type", "device"), ("client_id", LocalOrg.publicClientID),
            ("code", codes["device_code"]?.string ?? ""),
        ])
        #expect(poll.oauthError == "invalid_grant")
    }

    @Test("a client authenticates once, by HTTP Basic or in the body, and a public client has no secret")
    func clientAuthentication() async throws {
        let client = try await SharedOrg.client
        let basic = "Authorization: Basic " + Array("\(client.org.clientID):\(client.org.clientSecret)".utf8).base64
        let twice = try client.form(
            [("grant_type", "client_credentials"), ("client_secret", client.org.clientSecret)], fields: [basic])
        #expect(twice.oauthError == "invalid_request")
        let none = try client.form([("grant_type", "client_credentials"), ("client_id", LocalOrg.publicClientID)])
        #expect(none.oauthError == "unauthorized_client")
        let invented = try client.form([
            ("grant_type", "client_credentials"), ("client_id", LocalOrg.publicClientID), ("client_secret", "x"),
        ])
        #expect(invented.oauthError == "invalid_client")
        let long = String(repeating: "x", count: 70_000)
        #expect(try client.form([("grant_type", "refresh_token"), ("x", long)]).oauthError == "invalid_request")
    }
}
