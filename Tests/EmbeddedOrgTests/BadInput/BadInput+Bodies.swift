// SPDX-License-Identifier: Apache-2.0

/// Bodies that are no JSON, or no record.
extension BadInput {
    private static let long = String(repeating: "a", count: 10 << 20)
    private static let parser = "JSON_PARSER_ERROR"
    private static let range = "NUMBER_OUTSIDE_VALID_RANGE"
    private static let readOnly = "INVALID_FIELD_FOR_INSERT_UPDATE"

    static let bodies: [BadInput] = compressed + documents + records

    private static let compressed: [BadInput] = [
        "gzip", "deflate", "gzip, gzip", "br", "br, gzip, gzip", "compress", "zstd",
    ].map { (coding: String) -> BadInput in
        let isKnown = coding == "gzip" || coding == "deflate"
        return call(
            51, "\(coding) that is none", "POST", "{data}/sobjects/Account", body: #"{"Name":"x"}"#,
            fields: ["Content-Encoding: \(coding)"], [isKnown ? 400 : 415],
            isKnown ? "INVALID_REQUEST" : "UNSUPPORTED_MEDIA_TYPE", at: "Content-Encoding", ends: !isKnown)
    }

    private static let documents: [BadInput] = [
        create(52, "", parser, at: "[line:1, column:1]"), create(52, " \r\n", parser),
        create(53, "{", parser, at: "column:2"),
        create(53, #"{"Name":"x"}y"#, parser, at: "[line:1, column:13]"), create(53, "[]", parser, at: "object"),
        create(53, #"{"Name":"x",}"#, parser), create(53, #"{Name:"x"}"#, parser), create(53, #"{'Name':'x'}"#, parser),
        create(53, "\u{FEFF}{}", parser), create(53, "\u{0}{\u{0}\"\u{0}N\u{0}", parser),
        create(53, #"{"Name":"\ud800"}"#, parser), create(53, #"{"Name":"\udc00\ud800"}"#, parser),
        create(53, #"{"Name":"\u0000"}"#, parser, at: "Name"), create(53, "{\"Name\":\"\u{0}\"}", parser),
        create(53, "{\"Name\":\"\n\"}", parser), create(53, #"{"Name":"\x41"}"#, parser),
        create(54, String(repeating: "[", count: 100_000), parser),
        create(54, String(repeating: #"{"a":"#, count: 100_000), parser),
        create(54, #"{"Name":"# + String(repeating: "[", count: 65) + String(repeating: "]", count: 65) + "}", parser),
        create(55, #"{"Name":"a","Name":"b"}"#, parser, at: "Name"),
        create(55, #"{"Name":"a","nAME":"b"}"#, parser, at: "Name"),
        create(56, #"{"Name":"x","AnnualRevenue":1e400}"#, range, at: "1e400"),
        create(56, #"{"Name":"x","AnnualRevenue":1e-400}"#, range, at: "1e-400"),
        create(56, #"{"Name":"x","AnnualRevenue":9007199254740993}"#, range, at: "9007199254740993"),
        create(56, #"{"Name":"x","AnnualRevenue":NaN}"#, parser),
        create(56, #"{"Name":"x","AnnualRevenue":Infinity}"#, parser),
        create(56, #"{"Name":"x","AnnualRevenue":01}"#, parser),
        create(56, #"{"Name":"x","AnnualRevenue":+1}"#, parser),
        create(56, #"{"Name":"x","AnnualRevenue":"1"}"#, parser, at: "AnnualRevenue"),
        create(56, #"{"Name":"x","NumberOfEmployees":2147483648}"#, range, at: "2147483648"),
        create(56, #"{"Name":"x","NumberOfEmployees":1.5}"#, parser, at: "NumberOfEmployees"),
    ]

    private static let records: [BadInput] = [
        create(57, #"{"Name":"\#(long)"}"#, "STRING_TOO_LONG", at: "max length=255"),
        create(58, #"{"Name":5}"#, parser, at: "Name"), create(58, #"{"Name":{"a":1}}"#, parser, at: "Name"),
        create(58, #"{"Name":["x"]}"#, parser, at: "Name"), create(58, #"{}"#, "REQUIRED_FIELD_MISSING", at: "Name"),
        create(58, #"{"Name":null}"#, "REQUIRED_FIELD_MISSING", at: "Name"),
        create(58, #"{"Name":""}"#, "REQUIRED_FIELD_MISSING", at: "Name"),
        create(58, #"{"Name":"x","Color":1}"#, "INVALID_FIELD", at: "Color"),
        create(58, #"{"Name":"x","":1}"#, "INVALID_FIELD"),
        create(58, #"{"LastName":"x","Email":"nobody"}"#, "INVALID_EMAIL_ADDRESS", at: "nobody", object: "Contact"),
        create(58, #"{"LastName":"x","DoNotCall":"true"}"#, parser, at: "DoNotCall", object: "Contact"),
        create(58, #"{"Name":"x"}"#, "REQUIRED_FIELD_MISSING", at: "StageName", object: "Opportunity"),
        create(59, #"{"Name":"x","OwnerId":"' OR 1=1--"}"#, "MALFORMED_ID", at: "Owner"),
        create(59, #"{"Name":"x","OwnerId":"001bZ0000000001"}"#, "MALFORMED_ID", at: "Owner"),
        create(59, #"{"Name":"x","OwnerId":"005bZ0000zzzzzz"}"#, "INVALID_CROSS_REFERENCE_KEY"),
        create(59, #"{"Name":"x","CreatedDate":"2026-01-01T00:00:00Z"}"#, readOnly, at: "CreatedDate"),
        create(59, #"{"Name":"x","IsDeleted":true}"#, readOnly, at: "IsDeleted"),
        create(59, #"{"Name":"x","Id":"001bZ000000000B"}"#, readOnly, at: "Id"),
        create(59, #"{"Name":"x","rowid":1}"#, "INVALID_FIELD", at: "rowid"),
        create(59, #"{"Name":"x","_rowid_":1}"#, "INVALID_FIELD"),
        create(59, #"{"Name":"x","\"a\"; drop":1}"#, "INVALID_FIELD", at: "drop"),
        create(84, #"{"LastName":"x","Birthdate":"2026-02-29"}"#, parser, at: "Birthdate", object: "Contact"),
        create(84, #"{"LastName":"x","Birthdate":"0000-01-01"}"#, parser, at: "Birthdate", object: "Contact"),
        create(84, #"{"StartDateTime":"2026-01-01T10:00:00"}"#, parser, at: "StartDateTime", object: "Event"),
        create(84, #"{"StartDateTime":"10000-01-01T10:00:00Z"}"#, parser, at: "StartDateTime", object: "Event"),
    ]
}
