// SPDX-License-Identifier: Apache-2.0

/// Paths to nowhere, and ids of nothing.
extension BadInput {
    private static func path(
        _ row: Int, _ path: String, _ statuses: Set<Int>, _ code: String? = nil, at place: String? = nil,
        ends: Bool = false
    ) -> BadInput {
        call(row, String(path.prefix(60)), "GET", path, statuses, code, at: place, ends: ends)
    }

    static let paths: [BadInput] = nowhere + malformed + ids

    private static let nowhere: [BadInput] = [
        "/services/../../../etc/passwd", "/services/%2e%2e%2f%2e%2e%2fetc/passwd", "/services/..%5c..%5cetc",
        "/services/%252e%252e", "//etc/passwd", "/;/", "/services/data;x/v66.0", "/services//data", "/%2fetc%2fpasswd",
        "/.well-known/..", "/services/data/v66.0/../../../x", "/file:///etc/passwd", "/services/Data/v66.0",
        "{data}/sobjects/%2e%2e%2f", "{data}/sobjects/..", "{data}/sobjects/.", "{data}/sobjects/Account/..",
        "{data}//limits",
    ].map { path(60, $0, [404], "NOT_FOUND") }

    private static let malformed: [BadInput] = [
        "/services/%00", "/services/data%0d%0aX:1", "/services/%zz", "/services/%", "/services/%f", "/services/%ff",
        "/services/%c0%af", "{data}/query?q=%zz", "{data}/query?q=%00%ff", "/services/data%7f", "/services/data/é",
    ].map { path(61, $0, [400], "INVALID_REQUEST", ends: $0.hasSuffix("é")) }

    private static let ids: [BadInput] = [
        path(62, "{data}/sobjects/Account/%27%20OR%201=1--", [404], "NOT_FOUND"),
        path(62, "{data}/sobjects/Account/001bZ000000zzzz", [404], "NOT_FOUND"),
        path(62, "{data}/sobjects/Account/003bZ0000000001", [400], "MALFORMED_ID", at: "003bZ0000000001"),
        path(62, "{data}/sobjects/Account/001bZ0000000001AAA", [400], "MALFORMED_ID", at: "001bZ0000000001AAA"),
        path(62, "{data}/sobjects/Account/%D9%A0%D9%A0%D9%A1bZ0000000001", [400], "MALFORMED_ID"),
        path(62, "{data}/sobjects/Account/001bZ0000000001%00", [400], "INVALID_REQUEST"),
        path(62, "{data}/sobjects/Nothing/{id}", [404], "NOT_FOUND", at: "Nothing"),
        path(62, "{data}/sobjects/sqlite_master", [404], "NOT_FOUND", at: "sqlite_master"),
        path(62, "{data}/sobjects/Account/{id}?fields=Id,Nope", [400], "INVALID_FIELD", at: "Nope"),
        path(62, "{data}/sobjects/Account/Name/x", [404], "NOT_FOUND", at: "Name"),
        path(62, "{data}/sobjects/Account/ExternalId__c/", [404], "NOT_FOUND"),
        path(62, "{data}/sobjects/Account/ExternalId__c/none", [404], "NOT_FOUND"),
        path(62, "{data}/jobs/query/001", [404], "NOT_FOUND", at: "001"),
        path(62, "{data}/jobs/ingest/750000000000009AAA", [404], "NOT_FOUND", at: "750000000000009AAA"),
        call(62, "a wrong id to delete", "DELETE", "{data}/sobjects/Account/001bZ000000zzzz", [404], "NOT_FOUND"),
        call(
            62, "another object's id to change", "PATCH", "{data}/sobjects/Contact/{id}", body: #"{"LastName":"x"}"#,
            [400],
            "MALFORMED_ID"),
    ]
}
