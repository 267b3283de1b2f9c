// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestTransport
import Simulation
import Testing

@testable import RestSDK

@Suite("Building HTTP requests")
struct RequestBuilderTests {
    private let builder = RequestBuilder(RestClient.Configuration(apiVersion: APIVersion(66), userAgent: "tests/1"))
    private let instance = Origin(scheme: .https, host: "example.my.salesforce.com")

    private func target(_ request: RestRequest) throws -> String {
        try builder.request(for: request, instance: instance).url.target
    }

    @Test(
        "methods and paths of the factories are as documented",
        arguments: [
            (RestRequest.versions, "GET", "/services/data"),
            (RestRequest.Typed.limits.request, "GET", "/services/data/v66.0/limits"),
            (.resources, "GET", "/services/data/v66.0"),
            (RestRequest.Typed.objects.request, "GET", "/services/data/v66.0/sobjects"),
            (.object("Account"), "GET", "/services/data/v66.0/sobjects/Account"),
            (.layout("Account"), "GET", "/services/data/v66.0/ui-api/layout/Account"),
            (
                .layout("Account", formFactor: "Small", layoutType: "Compact", mode: "Edit", recordTypeID: "012"),
                "GET",
                "/services/data/v66.0/ui-api/layout/Account?formFactor=Small&layoutType=Compact&mode=Edit&recordTypeId=012"
            ),
            (.userInfo, "GET", "/services/oauth2/userinfo"),
            (.singleAccess(to: "/lightning"), "POST", "/services/oauth2/singleaccess"),
            (RestRequest.Typed.describe("Account").request, "GET", "/services/data/v66.0/sobjects/Account/describe"),
            (.query("SELECT Id FROM Account"), "GET", "/services/data/v66.0/query?q=SELECT%20Id%20FROM%20Account"),
            (.queryAll("SELECT Id FROM A"), "GET", "/services/data/v66.0/queryAll?q=SELECT%20Id%20FROM%20A"),
            (.nextPage("/services/data/v66.0/query/0r8xx0-2000"), "GET", "/services/data/v66.0/query/0r8xx0-2000"),
            (.create("Account", ["Name": "A"]), "POST", "/services/data/v66.0/sobjects/Account"),
            (
                .retrieve("Account", id: "001000000000001AAA"), "GET",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA"
            ),
            (
                .retrieve("Account", id: "001000000000001AAA", fields: ["Id", "Name"]), "GET",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA?fields=Id%2CName"
            ),
            (
                .update("Account", id: "001000000000001AAA", ["Name": "A"]), "PATCH",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA"
            ),
            (.upsert("A", externalID: "E__c", "x/y z", [:]), "PATCH", "/services/data/v66.0/sobjects/A/E__c/x%2Fy%20z"),
            (.upsert("A", externalID: "Id", "001", [:]), "PATCH", "/services/data/v66.0/sobjects/A/Id/001"),
            (.upsert("A", externalID: "Id", nil, [:]), "POST", "/services/data/v66.0/sobjects/A/Id"),
            (
                .delete("Account", id: "001000000000001AAA"), "DELETE",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA"
            ),
        ] as [(RestRequest, String, String)])
    func paths(request: RestRequest, method: String, expected: String) throws {
        let built = try builder.request(for: request, instance: instance)
        #expect(built.method.rawValue == method)
        #expect(built.url.target == expected)
    }

    @Test("a path that the server returned is used unchanged, and query items follow its own query in order")
    func serverPath() throws {
        let userInfo = RestRequest(resource: .serverPath("/services/oauth2/userinfo"))
        #expect(try target(userInfo) == "/services/oauth2/userinfo")
        var page = RestRequest(resource: .serverPath("/services/data/v66.0/parameterizedSearch?q=A%20B"))
        #expect(try target(page) == "/services/data/v66.0/parameterizedSearch?q=A%20B")
        page.query = [.init("sobject", "Account"), .init("sobject", "Contact & Co")]
        #expect(
            try target(page)
                == "/services/data/v66.0/parameterizedSearch?q=A%20B&sobject=Account&sobject=Contact%20%26%20Co")
        page.resource = .data(["search"])
        #expect(try target(page) == "/services/data/v66.0/search?sobject=Account&sobject=Contact%20%26%20Co")
    }

    @Test("a plus sign in a query value is escaped, and a space never becomes a plus sign")
    func plus() throws {
        let soql = SOQL(raw: "SELECT Id FROM A WHERE D > 2013-01-01T00:00:00.000+0000")
        #expect(try target(.query(soql)).hasSuffix("D%20%3E%202013-01-01T00%3A00%3A00.000%2B0000"))
    }

    @Test("a body goes with its content type, and a caller's header takes precedence over the client's")
    func fields() throws {
        let request = RestRequest.create("Account", ["Name": "Ä"]).field("User-Agent", "mine")
        let built = try builder.request(for: request, instance: instance)
        #expect(built.fields["content-type"] == "application/json; charset=UTF-8")
        #expect(built.fields["user-agent"] == "mine")
        #expect(built.fields.values(of: "User-Agent").count == 1)
        #expect(built.body == .bytes(Array(#"{"Name":"Ä"}"#.utf8)))
    }

    @Test("every value of a repeated header of the caller is sent, and the client's own value is not")
    func repeatedFields() throws {
        var request = RestRequest.plainLimits
        request.fields.append("Accept", "application/json;q=0.9")
        request.fields.append("Sforce-Call-Options", "client=a")
        request.fields.append("accept", "text/plain")
        let built = try builder.request(for: request, instance: instance)
        #expect(built.fields.values(of: "Accept") == ["application/json;q=0.9", "text/plain"])
        #expect(built.fields.map(\.name) == ["User-Agent", "Accept", "Sforce-Call-Options", "accept"])
    }

    @Test(
        "a whole URL of the instance is accepted",
        arguments: [
            "https://example.my.salesforce.com/services/x?page=1",
            "HTTPS://EXAMPLE.my.salesforce.com:443/services/x?page=1",
        ])
    func wholeURL(url: String) throws {
        #expect(try target(RestRequest(resource: .serverPath(url))) == "/services/x?page=1")
    }

    @Test("items join the query of a path in order, and without both there is no question mark")
    func joinedQuery() throws {
        let items = [RestRequest.QueryItem("b", "1"), RestRequest.QueryItem("a", "2 3")]
        #expect(try target(RestRequest(resource: .serverPath("/x?page=10"), query: items)) == "/x?page=10&b=1&a=2%203")
        #expect(try target(RestRequest(resource: .data(["x"]), query: items)) == "/services/data/v66.0/x?b=1&a=2%203")
        #expect(try target(RestRequest(resource: .serverPath("/x?page=10"))) == "/x?page=10")
    }

    @Test("an error names the path of a whole URL, but never its credentials")
    func summary() {
        let path = RestRequest(resource: .serverPath("https://example.com/a?b=c"))
        let password = RestRequest(resource: .serverPath("https://me:secret@example.com/a"))
        #expect(builder.summary(of: path).path == "/a")
        #expect(builder.summary(of: password).path.isEmpty)
    }

    @Test("conditions are written in GMT and English, in whole seconds")
    func conditions() throws {
        let date = Date(timeIntervalSince1970: 784_111_777.9)
        let request = RestRequest.plainLimits.ifModifiedSince(date).ifUnmodifiedSince(date)
            .ifMatch("\"a\"", "W/\"b\"").ifNoneMatch("\"c\"")
        let fields = try builder.request(for: request, instance: instance).fields
        #expect(fields["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields["If-Unmodified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields["If-Match"] == "\"a\", W/\"b\"")
        #expect(fields["If-None-Match"] == "\"c\"")
    }

    @Test("the batch size goes into the query options header")
    func batchSize() throws {
        let built = try builder.request(for: .query("SELECT Id FROM A", batchSize: 250), instance: instance)
        #expect(built.fields["Sforce-Query-Options"] == "batchSize=250")
    }

    @Test("API versions can be written in several forms", arguments: ["66", "66.0", "v66.0"])
    func version(text: String) {
        #expect(APIVersion(text) == APIVersion(66))
    }

    @Test("an invalid API version is rejected", arguments: ["", "v", "66.1", "0", "-3", "66.0.0", "latest", "1000"])
    func noVersion(text: String) {
        #expect(APIVersion(text) == nil)
    }
}

@Suite("Foundation's types and plain collections")
struct FoundationBridgeTests {
    private struct Row: Decodable, Equatable {
        let CreatedDate: Date
        let Amount: Decimal
    }

    private func row(_ date: String, _ options: JSONDecodingOptions) throws -> Row {
        let text = #"{"CreatedDate":\#(date),"Amount":12345678901234567890.123456789}"#
        return try JSONValue(parsing: Array(text.utf8)).decode(Row.self, options: options)
    }

    @Test(
        "dates are read in the common text forms, and decimals keep all digits",
        arguments: [
            #""2026-01-29T10:11:12.000+0000""#, #""2026-01-29T10:11:12Z""#, #""2026-01-29T11:11:12+01:00""#,
        ])
    func text(date: String) throws {
        let row = try row(date, .foundation())
        #expect(row.CreatedDate == Date(timeIntervalSince1970: 1_769_681_472))
        #expect(row.Amount == Decimal(string: "12345678901234567890.123456789"))
    }

    @Test("dates are read as numbers, or by a custom function")
    func numbers() throws {
        let expected = Date(timeIntervalSince1970: 1_769_681_472)
        #expect(try row("1769681472", .foundation(dates: .secondsSince1970)).CreatedDate == expected)
        #expect(try row("1769681472000", .foundation(dates: .millisecondsSince1970)).CreatedDate == expected)
        #expect(try row("null", .foundation(dates: .custom { _ in expected })).CreatedDate == expected)
        #expect(throws: JSONDecodingError.self) { try row(#""soon""#, .foundation()) }
    }

    private struct Whole: Codable, Equatable {
        var date: Date
        var dates: [Date?]
        var amount: Decimal
        var byName: [String: Decimal]
        var page: URL
        var picture: Data
    }

    private let whole = Whole(
        date: Date(timeIntervalSince1970: 1_769_681_472.345),
        dates: [Date(timeIntervalSince1970: -62_135_596_800), nil],
        amount: Decimal(string: "-12345678901234567890.123456789") ?? 0, byName: ["x": 0.1],
        page: URL(fileURLWithPath: "/a b"), picture: Data([0, 255, 128]))

    @Test("dates, decimals, URLs and data are written and read back unchanged")
    func writing() throws {
        let text = String(decoding: try whole.json(options: .foundation()), as: UTF8.self)
        #expect(
            text == #"""
                {"date":"2026-01-29T10:11:12.345Z","dates":["0001-01-01T00:00:00.000Z",null],\#
                "amount":-12345678901234567890.123456789,"byName":{"x":0.1},"page":"file:///a%20b","picture":"AP+A"}
                """#)
        for form in [JSONEncodingOptions.DateForm.text, .secondsSince1970, .millisecondsSince1970] {
            let bytes = try whole.json(options: .foundation(dates: form))
            let back = try JSONValue(parsing: bytes).decode(Whole.self, options: .foundation(dates: form))
            #expect(abs(back.date.timeIntervalSince(whole.date)) < 0.000_001)
            var same = back
            same.date = whole.date
            #expect(same == whole)
        }
        let days = JSONEncodingOptions.DateForm.custom(
            { _ in nil }, write: { JSONValue(Int($0.timeIntervalSince1970) / 86_400) })
        #expect(try Date(timeIntervalSince1970: 864_000).json(options: .foundation(dates: days)) == Array("10".utf8))
    }

    @Test("a value that JSON cannot represent is rejected with its path")
    func unwritable() throws {
        var (endless, ancient, noNumber) = (whole, whole, whole)
        endless.date = Date(timeIntervalSince1970: .infinity)
        ancient.dates = [whole.date, Date(timeIntervalSince1970: -1e12)]
        noNumber.byName = ["y": .nan]
        for (value, path) in [(endless, "date"), (ancient, "dates[1]"), (noNumber, "byName.y")] {
            let error = #expect(throws: JSONEncodingError.self) { try value.json(options: .foundation()) }
            #expect(error?.path == path)
        }
        let error = #expect(throws: JSONEncodingError.self) {
            try endless.json(options: .foundation(dates: .secondsSince1970))
        }
        #expect(error?.path == "date")
        #expect(throws: JSONEncodingError.self) { try whole.json(options: .foundation(dates: .custom { _ in nil })) }
    }

    @Test("dates of every year keep their millisecond")
    func everyYear() throws {
        for day in stride(from: -719_162, to: 2_932_896, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 86_399.999)
            let bytes = try date.json(options: .foundation())
            let back = try JSONValue(parsing: bytes).decode(Date.self, options: .foundation())
            try #require(abs(back.timeIntervalSince(date)) < 0.000_5, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(
        "a decimal with an exponent of any size is read or rejected, without a trap",
        arguments: [
            "1e127", "1e128", "1e400", "1e-127", "1e-400", "1e9223372036854775807", "1e-9223372036854775808",
            "1e99999999999999999999", "0e99999999999999999999", "1e2147483648", "1e32768", "1e-32769",
        ])
    func hugeDecimals(text: String) throws {
        _ = try? JSONValue(parsing: text).decode(Decimal.self, options: .foundation())
        _ = try? JSONValue(parsing: String(repeating: "9", count: 5_000) + text.dropFirst()).decode(
            Decimal.self, options: .foundation())
        for wrong in [#""x""#, "null", "{}"] {
            #expect(throws: JSONDecodingError.self) {
                try JSONValue(parsing: wrong).decode(Decimal.self, options: .foundation())
            }
        }
        #expect(throws: JSONDecodingError.self) {
            try JSONValue(parsing: #""*""#).decode(Data.self, options: .foundation())
        }
    }

    @Test("a payload converted to a plain dictionary loses nothing")
    func dictionary() throws {
        let text =
            #"{"s":"x","i":9007199254740993,"d":0.1,"big":18446744073709551616,"b":true,"n":null,"a":[1,{"k":"v"}]}"#
        let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
        let plain = object.dictionary
        #expect(plain["s"] as? String == "x")
        #expect(plain["i"] as? Int == 9_007_199_254_740_993)
        #expect(plain["d"] as? Double == 0.1)
        #expect(plain["big"] as? Decimal == Decimal(string: "18446744073709551616"))
        #expect(plain["b"] as? Bool == true)
        #expect((plain["n"] as? JSONValue)?.isNull == true)
        let array = try #require(plain["a"] as? [any Sendable])
        #expect(array[0] as? Int == 1)
        #expect((array[1] as? [String: any Sendable])?["k"] as? String == "v")
        #expect(object["a"]?.array?.array.count == 2)
    }
}
