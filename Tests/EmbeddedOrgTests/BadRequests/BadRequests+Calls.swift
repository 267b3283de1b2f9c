// SPDX-License-Identifier: Apache-2.0

/// Bodies that are not JSON, or not a record.
extension BadRequest {
    private static let longText = String(repeating: "a", count: 10 << 20)
    private static let parser = "JSON_PARSER_ERROR"
    private static let range = "NUMBER_OUTSIDE_VALID_RANGE"
    private static let readOnly = "INVALID_FIELD_FOR_INSERT_UPDATE"

    static let bodies: [BadRequest] = compressed + documents + records

    private static let compressed: [BadRequest] = [
        "gzip", "deflate", "gzip, gzip", "br", "br, gzip, gzip", "compress", "zstd",
    ].map { (coding: String) -> BadRequest in
        call(
            "a body in \(coding)", "POST", "{data}/sobjects/Account", body: #"{"Name":"x"}"#,
            fields: ["Content-Encoding: \(coding)"], [415], "UNSUPPORTED_MEDIA_TYPE", at: "Content-Encoding")
    }

    private static let documents: [BadRequest] = [
        create("", parser, at: "[line:1, column:1]"), create(" \r\n", parser),
        create("{", parser, at: "column:2"),
        create(#"{"Name":"x"}y"#, parser, at: "[line:1, column:13]"), create("[]", parser, at: "object"),
        create(#"{"Name":"x",}"#, parser), create(#"{Name:"x"}"#, parser), create(#"{'Name':'x'}"#, parser),
        create("\u{FEFF}{}", parser), create("\u{0}{\u{0}\"\u{0}N\u{0}", parser),
        create(#"{"Name":"\ud800"}"#, parser), create(#"{"Name":"\udc00\ud800"}"#, parser),
        create(#"{"Name":"\u0000"}"#, parser, at: "Name"), create("{\"Name\":\"\u{0}\"}", parser),
        create("{\"Name\":\"\n\"}", parser), create(#"{"Name":"\x41"}"#, parser),
        create(String(repeating: "[", count: 100_000), parser),
        create(String(repeating: #"{"a":"#, count: 100_000), parser),
        create(#"{"Name":"# + String(repeating: "[", count: 65) + String(repeating: "]", count: 65) + "}", parser),
        create(#"{"Name":"a","Name":"b"}"#, parser, at: "Name"),
        create(#"{"Name":"a","nAME":"b"}"#, parser, at: "Name"),
        create(#"{"Name":"x","AnnualRevenue":1e400}"#, range, at: "1e400"),
        create(#"{"Name":"x","AnnualRevenue":1e-400}"#, range, at: "1e-400"),
        create(#"{"Name":"x","AnnualRevenue":9007199254740993}"#, range, at: "9007199254740993"),
        create(#"{"Name":"x","AnnualRevenue":NaN}"#, parser),
        create(#"{"Name":"x","AnnualRevenue":Infinity}"#, parser),
        create(#"{"Name":"x","AnnualRevenue":01}"#, parser),
        create(#"{"Name":"x","AnnualRevenue":+1}"#, parser),
        create(#"{"Name":"x","AnnualRevenue":"1"}"#, parser, at: "AnnualRevenue"),
        create(#"{"Name":"x","NumberOfEmployees":2147483648}"#, range, at: "2147483648"),
        create(#"{"Name":"x","NumberOfEmployees":1.5}"#, parser, at: "NumberOfEmployees"),
    ]

    private static let records: [BadRequest] = [
        create(#"{"Name":"\#(longText)"}"#, "STRING_TOO_LONG", at: "max length=255"),
        create(#"{"Name":5}"#, parser, at: "Name"), create(#"{"Name":{"a":1}}"#, parser, at: "Name"),
        create(#"{"Name":["x"]}"#, parser, at: "Name"), create(#"{}"#, "REQUIRED_FIELD_MISSING", at: "Name"),
        create(#"{"Name":null}"#, "REQUIRED_FIELD_MISSING", at: "Name"),
        create(#"{"Name":""}"#, "REQUIRED_FIELD_MISSING", at: "Name"),
        create(#"{"Name":"x","Color":1}"#, "INVALID_FIELD", at: "Color"),
        create(#"{"Name":"x","":1}"#, "INVALID_FIELD"),
        create(#"{"LastName":"x","Email":"nobody"}"#, "INVALID_EMAIL_ADDRESS", at: "nobody", object: "Contact"),
        create(#"{"LastName":"x","DoNotCall":"true"}"#, parser, at: "DoNotCall", object: "Contact"),
        create(#"{"Name":"x"}"#, "REQUIRED_FIELD_MISSING", at: "StageName", object: "Opportunity"),
        create(#"{"Name":"x","OwnerId":"' OR 1=1--"}"#, "MALFORMED_ID", at: "Owner"),
        create(#"{"Name":"x","OwnerId":"001bZ0000000001"}"#, "MALFORMED_ID", at: "Owner"),
        create(#"{"Name":"x","OwnerId":"005bZ0000zzzzzz"}"#, "INVALID_CROSS_REFERENCE_KEY"),
        create(#"{"Name":"x","CreatedDate":"2026-01-01T00:00:00Z"}"#, readOnly, at: "CreatedDate"),
        create(#"{"Name":"x","IsDeleted":true}"#, readOnly, at: "IsDeleted"),
        create(#"{"Name":"x","Id":"001bZ000000000B"}"#, readOnly, at: "Id"),
        create(#"{"Name":"x","rowid":1}"#, "INVALID_FIELD", at: "rowid"),
        create(#"{"Name":"x","_rowid_":1}"#, "INVALID_FIELD"),
        create(#"{"Name":"x","\"a\"; drop":1}"#, "INVALID_FIELD", at: "drop"),
        create(#"{"LastName":"x","Birthdate":"2026-02-29"}"#, parser, at: "Birthdate", object: "Contact"),
        create(#"{"LastName":"x","Birthdate":"0000-01-01"}"#, parser, at: "Birthdate", object: "Contact"),
        create(#"{"StartDateTime":"2026-01-01T10:00:00"}"#, parser, at: "StartDateTime", object: "Event"),
        create(#"{"StartDateTime":"10000-01-01T10:00:00Z"}"#, parser, at: "StartDateTime", object: "Event"),
    ]
}

/// Paths that do not exist, and ids without records.
extension BadRequest {
    private static func path(
        _ path: String, _ statuses: Set<Int>, _ code: String? = nil, at place: String? = nil
    ) -> BadRequest {
        call(String(path.prefix(60)), "GET", path, statuses, code, at: place)
    }

    static let paths: [BadRequest] = nowhere + malformed + ids

    private static let nowhere: [BadRequest] = [
        "/services/../../../etc/passwd", "/services/%2e%2e%2f%2e%2e%2fetc/passwd", "/services/..%5c..%5cetc",
        "/services/%252e%252e", "//etc/passwd", "/;/", "/services/data;x/v66.0", "/services//data", "/%2fetc%2fpasswd",
        "/.well-known/..", "/services/data/v66.0/../../../x", "/file:///etc/passwd", "/services/Data/v66.0",
        "{data}/sobjects/%2e%2e%2f", "{data}/sobjects/..", "{data}/sobjects/.", "{data}/sobjects/Account/..",
        "{data}//limits",
    ].map { path($0, [404], "NOT_FOUND") }

    private static let malformed: [BadRequest] = [
        "/services/%00", "/services/data%0d%0aX:1", "/services/%zz", "/services/%", "/services/%f", "/services/%ff",
        "/services/%c0%af", "{data}/query?q=%zz", "{data}/query?q=%00%ff", "/services/data%7f", "/services/data/é",
    ].map { path($0, [400], "INVALID_REQUEST") }

    private static let ids: [BadRequest] = [
        path("{data}/sobjects/Account/%27%20OR%201=1--", [404], "NOT_FOUND"),
        path("{data}/sobjects/Account/001bZ000000zzzz", [404], "NOT_FOUND"),
        path("{data}/sobjects/Account/003bZ0000000001", [400], "MALFORMED_ID", at: "003bZ0000000001"),
        path("{data}/sobjects/Account/001bZ0000000001AAA", [400], "MALFORMED_ID", at: "001bZ0000000001AAA"),
        path("{data}/sobjects/Account/%D9%A0%D9%A0%D9%A1bZ0000000001", [400], "MALFORMED_ID"),
        path("{data}/sobjects/Account/001bZ0000000001%00", [400], "INVALID_REQUEST"),
        path("{data}/sobjects/Nothing/{id}", [404], "NOT_FOUND", at: "Nothing"),
        path("{data}/sobjects/sqlite_master", [404], "NOT_FOUND", at: "sqlite_master"),
        path("{data}/sobjects/Account/{id}?fields=Id,Nope", [400], "INVALID_FIELD", at: "Nope"),
        path("{data}/sobjects/Account/Name/x", [404], "NOT_FOUND", at: "Name"),
        path("{data}/sobjects/Account/ExternalId__c/", [404], "NOT_FOUND"),
        path("{data}/sobjects/Account/ExternalId__c/none", [404], "NOT_FOUND"),
        path("{data}/jobs/query/001", [404], "NOT_FOUND", at: "001"),
        path("{data}/jobs/ingest/750000000000009AAA", [404], "NOT_FOUND", at: "750000000000009AAA"),
        call("a wrong id to delete", "DELETE", "{data}/sobjects/Account/001bZ000000zzzz", [404], "NOT_FOUND"),
        call(
            "another object's id to change", "PATCH", "{data}/sobjects/Contact/{id}", body: #"{"LastName":"x"}"#,
            [400],
            "MALFORMED_ID"),
    ]
}

/// Invalid queries, and queries that try to inject SQL.
extension BadRequest {
    private static let from = "SELECT Id FROM Account"

    static let queries: [BadRequest] = statements + sql + locators

    private static let statements: [BadRequest] = [
        "'; DROP TABLE account;--", "\(from) UNION SELECT 1", "\(from) /* */", "\(from) -- x", "PRAGMA user_version",
        "ATTACH 'x' AS y", "SELECT load_extension('x') FROM Account", "SELECT randomblob(1000000000) FROM Account",
        "\(from) LIMIT 1;", "\(from); DELETE FROM Account", "SELECT \"Id\" FROM Account", "SELECT `Id` FROM Account",
        "SELECT [Id] FROM Account", "DELETE FROM Account", "VACUUM", "SELECT 1", "SELECT", "x", "\(from) WHERE 1 = 1",
        "WITH x AS (SELECT 1) SELECT Id FROM Account", "SELECT Id, sqlite_version() FROM Account", "EXPLAIN \(from)",
    ].map { query($0, [400]) }
    private static let sql: [BadRequest] = [
        query("SELECT Id FROM sqlite_master", [400], "INVALID_TYPE", at: "sqlite_master"),
        query("SELECT rowid FROM Account", [400], "INVALID_FIELD", at: "rowid"),
        query("SELECT Id FROM main.Account", [400]),
        query(#"\#(from) WHERE Name = '\' OR \'1\'=\'1'"#, [200]),
        query(#"\#(from) WHERE Name = '\u0027 OR \u0027'"#, [200]),
        query("\(from) WHERE Name = ‘x’", [400], "MALFORMED_QUERY"),
        call("NUL", "GET", "{data}/query?q=SELECT+Id+FROM+Account%00+WHERE", [400]),
        call("no text", "GET", "{data}/query", [400], "MALFORMED_QUERY"),
    ]

    private static let locators: [BadRequest] = [
        "0r8AAAAAAAAAAAAAAA-2000", "x", "-", "-2000", "%2e%2e", "..", "%2e%2e%2f%2e%2e", "%27%20OR%201=1", "0r8-1-2-3",
        "0r8AAAAAAAAAAAAAAA-99999999999999999999", "0r8AAAAAAAAAAAAAAA--1",
    ].map { call($0, "GET", "{data}/query/\($0)", [400], "INVALID_QUERY_LOCATOR") }
}

/// Sessions, logins, files and composite requests.
extension BadRequest {
    static let sessions: [BadRequest] = [
        call(
            "1 MB", "GET", "{data}/limits",
            fields: ["Authorization: Bearer \(String(repeating: "x", count: 1 << 20))"],
            [0, 431]),
        BadRequest(
            "in the body",
            "POST {data}/sobjects/Account HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 7\r\n\r\nsid=abc", [401], "INVALID_SESSION_ID"),
        call(
            "another org's", "GET", "{data}/sobjects/Account/{id}",
            fields: ["Authorization: Bearer 00D000000000001!ARQAQ.abcdefghijklmnopqrstuvwxyz"], [401],
            "INVALID_SESSION_ID"),
    ]

    static let logins: [BadRequest] = [
        call(
            "a broken escape", "POST", "/services/oauth2/token", body: "grant_type=%zz",
            fields: ["Content-Type: application/x-www-form-urlencoded", "Authorization:"], [400], "invalid_request"),
        call(
            "a redirect to elsewhere", "GET",
            "/services/oauth2/authorize?response_type=code&client_id=PlatformCLI&redirect_uri=http://evil.com/", [400]),
        call(
            "SOAP with an entity", "POST", "/services/Soap/u/66.0",
            body: "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>",
            fields: ["Content-Type: text/xml"],
            [400, 500]),
    ]

    private static func multipart(_ name: String, _ body: String, _ boundary: String = "b", at place: String? = nil)
        -> BadRequest
    {
        call(
            name, "POST", "{data}/sobjects/ContentVersion", body: body,
            fields: ["Content-Type: multipart/form-data; boundary=\(boundary)"], [400], "INVALID_INPUT", at: place)
    }

    private static let part =
        "Content-Disposition: form-data; name=\"entity\"\r\nContent-Type: application/json\r\n\r\n"
    private static let entity = part + #"{"Title":"x","PathOnClient":"x.txt"}"#
    private static let file = "Content-Disposition: form-data; name=\"VersionData\"; filename=\"x\"\r\n\r\nabc"

    static let files: [BadRequest] = [
        call(
            "no boundary", "POST", "{data}/sobjects/ContentVersion", body: "--b--",
            fields: ["Content-Type: multipart/form-data"], [400], "INVALID_INPUT", at: "boundary"),
        multipart("an empty boundary", "----", ""),
        multipart("a boundary of 1 kB", "--x--", String(repeating: "x", count: 1_000)),
        multipart("nothing", ""), multipart("no part", "--b--\r\n"),
        multipart("no final boundary", "--b\r\n\(entity)\r\n--b\r\n\(file)"),
        multipart("another boundary", "--c\r\n\(entity)\r\n--c--"), multipart("one part", "--b\r\n\(entity)\r\n--b--"),
        multipart("10,000 parts", String(repeating: "--b\r\n\(file)\r\n", count: 10_000) + "--b--"),
        multipart(
            "a part inside",
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\(entity)\r\n--c--\r\n--b--"),
        multipart("a boundary in the data", "--b\r\n\(entity)\r\n--b\r\n\(file)\r\n--b\r\n\(file)\r\n--b--"),
        multipart("a part without a head", "--b\r\nabc\r\n--b--"),
    ]

    private static func composite(_ name: String, _ body: String, _ code: String, at place: String? = nil)
        -> BadRequest
    {
        call(name, "POST", "{data}/composite", body: body, [400], code, at: place)
    }

    private static func parts(_ count: Int, _ path: String = "limits") -> String {
        (0..<count).map { #"{"method":"GET","url":"/services/data/v66.0/\#(path)","referenceId":"r\#($0)"}"# }
            .joined(separator: ",")
    }

    static let composites: [BadRequest] = [
        composite("no requests", "{}", "INVALID_INPUT"), composite("a list", "[]", "JSON_PARSER_ERROR"),
        composite("none", #"{"compositeRequest":[]}"#, "INVALID_INPUT"),
        composite("an empty one", #"{"compositeRequest":[{}]}"#, "INVALID_INPUT", at: "compositeRequest[0]"),
        composite("a number", #"{"compositeRequest":5}"#, "INVALID_INPUT"),
        composite(
            "elsewhere", #"{"compositeRequest":[{"method":"GET","url":"http://evil.com/","referenceId":"a"}]}"#,
            "INVALID_INPUT"),
        composite(
            "a login", #"{"compositeRequest":[{"method":"GET","url":"/services/oauth2/token","referenceId":"a"}]}"#,
            "INVALID_INPUT"),
        composite(
            "a bad name",
            #"{"compositeRequest":[{"method":"GET","url":"/services/data/v66.0/limits","referenceId":"a-b"}]}"#,
            "INVALID_INPUT", at: "a-b"),
        composite("26 requests", #"{"compositeRequest":[\#(parts(26))]}"#, "INVALID_INPUT", at: "25"),
        composite("6 queries", #"{"compositeRequest":[\#(parts(6, "query?q=x"))]}"#, "INVALID_INPUT", at: "5"),
        composite("a name twice", #"{"compositeRequest":[\#(parts(1)),\#(parts(1))]}"#, "INVALID_INPUT", at: "r0"),
        call("26 in a batch", "POST", "{data}/composite/batch", body: #"{"batchRequests":[\#(parts(26))]}"#, [400]),
        call("a graph of nothing", "POST", "{data}/composite/graph", body: #"{"graphs":[]}"#, [400]),
    ]
}
