// SPDX-License-Identifier: Apache-2.0

/// Sessions, logins, files, composites and conditions.
extension BadInput {
    static let sessions: [BadInput] = oddTokens + oddPlaces

    private static let oddTokens: [BadInput] = [
        "", "Bearer", "Bearer ", "Basic {token}", "Bearer {token} x", "Bearer x y", "{token}", "Bearer {token}A",
        "Bearer A{token}", "Bearer \u{E9}", "Bearer  \(String(repeating: "x", count: 15_000))", "Bearer \"{token}\"",
        "Bearer {token}, Bearer {token}",
    ].map {
        call(
            71, String($0.prefix(40)), "GET", "{data}/limits", fields: ["Authorization: \($0)"], [401],
            "INVALID_SESSION_ID")
    }

    private static let oddPlaces: [BadInput] = [
        BadInput(
            71, "none", "GET {data}/limits HTTP/1.1\r\nHost: {host}\r\n\r\n", [401], "INVALID_SESSION_ID", ends: false),
        call(
            71, "two", "GET", "{data}/limits", fields: ["Authorization: Bearer {token}", "Authorization: Bearer x"],
            [400],
            "INVALID_AUTH_HEADER", ends: true),
        call(
            71, "1 MB", "GET", "{data}/limits",
            fields: ["Authorization: Bearer \(String(repeating: "x", count: 1 << 20))"],
            [0, 431], ends: true),
        call(71, "small letters", "GET", "{data}/limits", fields: ["Authorization: bearer {token}"], [200]),
        BadInput(
            72, "in the address", "GET {data}/limits?access_token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n", [401],
            "INVALID_SESSION_ID", ends: false),
        BadInput(
            72, "in the body",
            "POST {data}/sobjects/Account HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 7\r\n\r\nsid=abc", [401], "INVALID_SESSION_ID"),
        call(
            73, "another org's", "GET", "{data}/sobjects/Account/{id}",
            fields: ["Authorization: Bearer 00D000000000001!ARQAQ.abcdefghijklmnopqrstuvwxyz"], [401],
            "INVALID_SESSION_ID"),
    ]

    private static func form(_ row: Int, _ name: String, _ body: String, _ code: String, at path: String = "token")
        -> BadInput
    {
        call(
            row, name, "POST", "/services/oauth2/\(path)", body: body,
            fields: ["Content-Type: application/x-www-form-urlencoded", "Authorization:"], [400], code)
    }

    static let logins: [BadInput] = [
        form(75, "an empty form", "", "unsupported_grant_type"),
        form(75, "a grant that is none", "grant_type=magic&client_id=x", "unsupported_grant_type"),
        form(75, "a field twice", "grant_type=password&grant_type=password", "invalid_request"),
        form(75, "a broken escape", "grant_type=%zz", "invalid_request"),
        form(
            75, "a client that is none", "grant_type=client_credentials&client_id=x&client_secret=y",
            "invalid_client_id"),
        call(75, "GET", "GET", "/services/oauth2/token", [405], "METHOD_NOT_ALLOWED"),
        call(75, "JSON", "POST", "/services/oauth2/token", body: "{}", [400], "invalid_request"),
        call(
            75, "a redirect to elsewhere", "GET",
            "/services/oauth2/authorize?response_type=code&client_id=PlatformCLI&redirect_uri=http://evil.com/", [400]),
        call(
            74, "SOAP with a session of nobody", "POST", "/services/Soap/u/66.0",
            body: "<Envelope><Header><sessionId>x</sessionId></Header><Body><getUserInfo/></Body></Envelope>",
            fields: ["Content-Type: text/xml"], [500]),
        call(
            74, "SOAP that is no XML", "POST", "/services/Soap/u/66.0", body: "{}", fields: ["Content-Type: text/xml"],
            [400, 500]),
        call(
            74, "SOAP with an entity", "POST", "/services/Soap/u/66.0",
            body: "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>",
            fields: ["Content-Type: text/xml"],
            [400, 500]),
    ]

    private static func multipart(_ name: String, _ body: String, _ boundary: String = "b", at place: String? = nil)
        -> BadInput
    {
        call(
            80, name, "POST", "{data}/sobjects/ContentVersion", body: body,
            fields: ["Content-Type: multipart/form-data; boundary=\(boundary)"], [400], "INVALID_INPUT", at: place)
    }

    private static let part =
        "Content-Disposition: form-data; name=\"entity\"\r\nContent-Type: application/json\r\n\r\n"
    private static let record = part + #"{"Title":"x","PathOnClient":"x.txt"}"#
    private static let file = "Content-Disposition: form-data; name=\"VersionData\"; filename=\"x\"\r\n\r\nabc"

    static let files: [BadInput] = [
        call(
            80, "no boundary", "POST", "{data}/sobjects/ContentVersion", body: "--b--",
            fields: ["Content-Type: multipart/form-data"], [400], "INVALID_INPUT", at: "boundary"),
        multipart("an empty boundary", "----", ""),
        multipart("a boundary of 1 kB", "--x--", String(repeating: "x", count: 1_000)),
        multipart("nothing", ""), multipart("no part", "--b--\r\n"),
        multipart("no final boundary", "--b\r\n\(record)\r\n--b\r\n\(file)"),
        multipart("another boundary", "--c\r\n\(record)\r\n--c--"), multipart("one part", "--b\r\n\(record)\r\n--b--"),
        multipart("10,000 parts", String(repeating: "--b\r\n\(file)\r\n", count: 10_000) + "--b--"),
        multipart(
            "a part inside",
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\(record)\r\n--c--\r\n--b--"),
        multipart("a boundary in the data", "--b\r\n\(record)\r\n--b\r\n\(file)\r\n--b\r\n\(file)\r\n--b--"),
        multipart("a part without a head", "--b\r\nabc\r\n--b--"),
        call(
            79, "a picture", "POST", "{data}/sobjects/ContentVersion", body: "abc", fields: ["Content-Type: image/png"],
            [415],
            "UNSUPPORTED_MEDIA_TYPE", at: "application/json", ends: true),
    ]

    private static func composite(_ row: Int, _ name: String, _ body: String, _ code: String, at place: String? = nil)
        -> BadInput
    {
        call(row, name, "POST", "{data}/composite", body: body, [400], code, at: place)
    }

    private static func parts(_ count: Int, _ path: String = "limits") -> String {
        (0..<count).map { #"{"method":"GET","url":"/services/data/v66.0/\#(path)","referenceId":"r\#($0)"}"# }
            .joined(separator: ",")
    }

    static let composites: [BadInput] = [
        composite(83, "no requests", "{}", "INVALID_INPUT"), composite(83, "a list", "[]", "JSON_PARSER_ERROR"),
        composite(83, "none", #"{"compositeRequest":[]}"#, "INVALID_INPUT"),
        composite(83, "an empty one", #"{"compositeRequest":[{}]}"#, "INVALID_INPUT", at: "compositeRequest[0]"),
        composite(83, "a number", #"{"compositeRequest":5}"#, "INVALID_INPUT"),
        composite(
            83, "elsewhere", #"{"compositeRequest":[{"method":"GET","url":"http://evil.com/","referenceId":"a"}]}"#,
            "INVALID_INPUT"),
        composite(
            83, "a login", #"{"compositeRequest":[{"method":"GET","url":"/services/oauth2/token","referenceId":"a"}]}"#,
            "INVALID_INPUT"),
        composite(
            83, "a bad name",
            #"{"compositeRequest":[{"method":"GET","url":"/services/data/v66.0/limits","referenceId":"a-b"}]}"#,
            "INVALID_INPUT", at: "a-b"),
        composite(83, "26 requests", #"{"compositeRequest":[\#(parts(26))]}"#, "INVALID_INPUT", at: "25"),
        composite(83, "6 queries", #"{"compositeRequest":[\#(parts(6, "query?q=x"))]}"#, "INVALID_INPUT", at: "5"),
        composite(83, "a name twice", #"{"compositeRequest":[\#(parts(1)),\#(parts(1))]}"#, "INVALID_INPUT", at: "r0"),
        call(83, "26 in a batch", "POST", "{data}/composite/batch", body: #"{"batchRequests":[\#(parts(26))]}"#, [400]),
        call(83, "a graph of nothing", "POST", "{data}/composite/graph", body: #"{"graphs":[]}"#, [400]),
        call(
            83, "201 records", "POST", "{data}/composite/sobjects",
            body:
                #"{"records":[\#(Array(repeating: #"{"attributes":{"type":"Account"},"Name":"x"}"#, count: 201).joined(separator: ","))]}"#,
            [400], at: "200"),
    ]

    /// One that holds not, of a change that would be made.
    private static func condition(_ field: String) -> BadInput {
        call(
            84, field, "PATCH", "{data}/sobjects/Account/{id}", body: #"{"Description":"changed"}"#, fields: [field],
            [412],
            "PRECONDITION_FAILED")
    }

    /// One that does not follow its grammar, which is told before anything else.
    private static func noCondition(_ field: String) -> BadInput {
        call(
            84, field, "PATCH", "{data}/sobjects/Account/{id}", body: #"{"Description":"changed"}"#, fields: [field],
            [400], "INVALID_HEADER", at: String(field.prefix { $0 != ":" }))
    }

    static let conditions: [BadInput] = [
        condition("If-Match: \"none\""), noCondition("If-Match: x"), condition("If-Match: ,"),
        condition("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT"), noCondition("If-Unmodified-Since: yesterday"),
        noCondition("If-Unmodified-Since: Sun, 32 Feb 2026 25:61:61 GMT"),
        noCondition("If-Unmodified-Since: Sun, 06 Nov 0000 08:49:37 GMT"),
        call(
            84, "a wrong day", "GET", "{data}/sobjects/Account/{id}", fields: ["If-Modified-Since: Sun, 32 Feb 9999"],
            [400], at: "If-Modified-Since"),
        call(84, "an odd tag", "GET", "{data}/sobjects/Account/{id}", fields: ["If-None-Match: \"\u{FF}\\"], [400]),
        call(84, "no window", "GET", "{data}/sobjects/Account/updated", [400]),
        call(84, "a wrong window", "GET", "{data}/sobjects/Account/updated?start=x&end=y", [400]),
        call(
            84, "a window that ends before it begins", "GET",
            "{data}/sobjects/Account/deleted?start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z", [400]),
    ]
}
