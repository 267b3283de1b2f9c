// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Actions, tools, formats and features")
struct FeatureTests {
    @Test("custom actions are described and run by the program's handlers")
    func customActions() async throws {
        let client = try await OrgClient.start()
        client.org.actions.handle(
            .flow, "Divide", label: "Divide numbers",
            inputs: [.init("of", .number, isRequired: true), .init("by", .number, isRequired: true)],
            outputs: [.init("result", .number)]
        ) { input in
            guard let by = input["by"]?.double, by != 0 else {
                return .failure(code: "DIVISION", message: "by must not be 0")
            }
            return .success(["result": JSONValue(floatLiteral: (input["of"]?.double ?? 0) / by)])
        }
        let path = "/actions/custom/flow"
        let list = try client.get(path).json["actions"]?[0]
        #expect(list?["name"]?.string == "Divide" && list?["type"]?.string == "FLOW")
        let action = try client.get(path + "/Divide").json
        #expect(action["inputs"]?[1]?["required"]?.bool == true && action["standard"]?.bool == false)
        func run(_ inputs: String) throws -> RawClient.Answer {
            try client.send("POST", OrgClient.data + path + "/Divide", body: #"{"inputs":[\#(inputs)]}"#)
        }
        let done = try run(#"{"of":8,"by":2}"#)
        #expect(done.status == 200 && done.json[0]?["outputValues"]?["result"]?.double == 4)
        let mixed = try run(#"{"of":8,"by":2},{"of":1,"by":0},{"of":1},{"of":"1","by":1},{"of":1,"by":1,"x":1},7"#)
        #expect(mixed.status == 400)
        #expect(mixed.json.array?.compactMap { $0["isSuccess"]?.bool } == [true, false, false, false, false, false])
        let codes = mixed.json.array?.dropFirst().map { $0["errors"]?[0]?["statusCode"]?.string }
        #expect(codes == ["DIVISION"] + Array(repeating: "INVALID_API_INPUT", count: 4))
        #expect(try run("").errorCode == "INVALID_INPUT")
        #expect(try client.get("/actions/custom/apex").json["actions"]?.array?.isEmpty == true)
        for wrong in ["/actions/custom/nope", "/actions/custom/flow/Nope", "/actions/standard/nope", "/actions/nope"] {
            #expect(try client.get(wrong).status == 404, "\(wrong)")
        }
        await client.org.stop()
    }

    @Test("code without a name is refused as a compiler does, or runs in the program")
    func anonymousCode() async throws {
        let client = try await OrgClient.start()
        let path = "/tooling/executeAnonymous?anonymousBody="
        let refused = try client.get(path + "x").json
        #expect(refused["compiled"]?.bool == false && refused["success"]?.bool == false)
        client.org.apex.handleAnonymous { code in
            switch code {
            case "fail": .failure("System.Exception: no")
            case "wrong": .notCompiled("unexpected token")
            default: .success
            }
        }
        #expect(try client.get(path + "ok").json["success"]?.bool == true)
        let failed = try client.get(path + "fail").json
        #expect(failed["compiled"]?.bool == true && failed["exceptionMessage"]?.string == "System.Exception: no")
        #expect(try client.get(path + "wrong").json["compileProblem"]?.string == "unexpected token")
        #expect(try client.get("/tooling/executeAnonymous").errorCode == "MISSING_ARGUMENT")
        #expect(try client.get("/tooling/completions?type=apex").json["publicDeclarations"] != nil)
        #expect(try client.get("/tooling/runTestsSynchronous").errorCode == "FUNCTIONALITY_NOT_ENABLED")
        #expect(try client.get("/tooling/nope").status == 404)
        await client.org.stop()
    }

    @Test("a feature that the org lacks is named; a path that nobody has is not found")
    func features() async throws {
        let client = try await SharedOrg.client
        for (path, name) in [
            ("/chatter/feeds/news", "Chatter"), ("/wave/datasets", "Analytics"), ("/support", "Knowledge"),
            ("/knowledgeManagement/settings", "Knowledge"),
        ] {
            let answer = try client.get(path)
            #expect(answer.status == 403 && answer.errorCode == "FUNCTIONALITY_NOT_ENABLED", "\(path)")
            #expect(answer.text.contains("[\(name)]"))
        }
        #expect(try client.get("/analytics/dashboards").text == "[]")
        #expect(try client.get("/analytics/reports/00O000000000000").status == 404)
        #expect(try client.get("/nope").status == 404)
    }

    @Test("answers are XML for clients that ask for it, by the path or by Accept")
    func xml() async throws {
        let client = try await SharedOrg.client
        let id = try client.create("Account", #"{"Name":"<A> & \"B\"","Site":"a\u0001b"}"#)
        let record = try client.get("/sobjects/Account/\(id)")
        let accept = ["Accept: application/xml"]
        let path = "\(OrgClient.data)/sobjects/Account/\(id)"
        let answer = try client.send("GET", path + "?fields=Name,Site,Phone", fields: accept)
        #expect(record.field("Content-Type")?.contains("json") == true)
        #expect(answer.field("Content-Type") == "application/xml;charset=UTF-8")
        #expect(
            answer.text == """
                <?xml version="1.0" encoding="UTF-8"?><Account type="Account" url="\(path)">\
                <Name>&lt;A&gt; &amp; &quot;B&quot;</Name><Site>a\u{FFFD}b</Site>\
                <Phone xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></Account>
                """)
        let query = "/query.xml?q=SELECT+Id+FROM+Account+WHERE+Id='\(id)'"
        #expect(
            try client.get(query).text.contains(
                "<QueryResult><totalSize>1</totalSize><done>true</done><records type=\"Account\""))
        let refused = try client.send("GET", "\(OrgClient.data)/nope", fields: accept)
        #expect(refused.status == 404 && refused.text.contains("<Errors><Error><message>"))
        #expect(try client.send("GET", "/services/data", fields: accept).text.contains("<Versions><Version><label>"))
        #expect(try client.get("/limits.xml").text.contains("<LimitsSnapshot><DailyApiRequests><Max>15000</Max>"))
        let plain = try client.send("GET", path, fields: ["Accept: application/json, application/xml"])
        #expect(plain.json["Id"]?.string == id)
        let body = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Account", body: "<Account/>", fields: ["Content-Type: application/xml"])
        #expect(body.status == 415)
    }

    @Test("processes, layouts of the User Interface API and default values")
    func otherResources() async throws {
        let client = try await SharedOrg.client
        let id = try client.create("Account", #"{"Name":"A"}"#)
        let rules = try client.send("POST", "\(OrgClient.data)/process/rules", body: #"{"contextIds":["\#(id)"]}"#)
        #expect(rules.json["success"]?.bool == true)
        let wrong = try client.send("POST", "\(OrgClient.data)/process/rules", body: #"{"contextIds":["x"]}"#)
        #expect(wrong.errorCode == "MALFORMED_ID")
        let approvals = try client.send(
            "POST", "\(OrgClient.data)/process/approvals",
            body: #"{"requests":[{"actionType":"Submit","contextId":"\#(id)"},{"actionType":"Approve"},{}]}"#)
        let codes = approvals.json.array?.compactMap { $0["errors"]?[0]?["statusCode"]?.string }
        #expect(codes == ["NO_APPLICABLE_PROCESS", "INVALID_CROSS_REFERENCE_KEY", "INVALID_INPUT"])
        let layout = try client.get("/ui-api/layout/Account?layoutType=Compact&mode=Edit&formFactor=Small").json
        #expect(layout["layoutType"]?.string == "Compact" && layout["sections"]?[0]?["rows"]?.int == 1)
        #expect(try client.get("/ui-api/layout/Account?mode=Sideways").status == 400)
        #expect(try client.get("/ui-api/layout/Account?recordTypeId=x").status == 404)
        let values = try client.get("/sobjects/Account/quickActions/NewContact/defaultValues/\(id)").json
        #expect(values["AccountId"]?.string == id)
        #expect(try client.get("/sobjects/Account/quickActions/NewContact/defaultValues/x").status == 404)
        #expect(try client.get("/quickActions/NewContact/defaultValues/\(id)").status == 400)
        let root = try client.get("").json
        #expect(root["identity"]?.string?.hasSuffix(client.org.userID) == true)
    }
}
