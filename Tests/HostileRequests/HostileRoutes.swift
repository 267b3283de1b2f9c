// SPDX-License-Identifier: Apache-2.0

/// A resource with its parameters and bodies as they should be; `{…}` are the places for better and worse.
struct HostileRoute {
    /// Of the whole path, or of what is below the version.
    let path: String
    var methods = ["GET"]
    var parameters: [String] = []
    var bodies: [String] = []
    var type = "application/json"

    private static let record =
        #"{"Name":{value},"LastName":{value},"Company":{value},"AnnualRevenue":{value},"OwnerId":{value}}"#
    private static let good = "{record}"
    private static let typed = #"{"attributes":{"type":"{object}","referenceId":"r1"},"id":"{id}","Name":{value}}"#
    private static let typedGood = #"{"attributes":{"type":"Account"},"Name":"Good"}"#
    private static let part = #"{"method":"{method}","url":"{url}","referenceId":"{text}","body":{value}}"#
    private static let goodPart =
        #"{"method":"PATCH","url":"/services/data/v66.0/sobjects/{object}/{id}","referenceId":"a","body":{record}}"#

    static let all = sobjects + queries + composite + jobs + others + logins

    private static let sobjects = [
        HostileRoute(path: "sobjects", methods: ["GET", "POST"]),
        HostileRoute(path: "sobjects/{object}", methods: ["GET", "POST"], bodies: [record, good, "{value}"]),
        HostileRoute(
            path: "sobjects/{object}", methods: ["POST"],
            bodies: [multipart, multipart + "--b--\r\n", "--b--", "{text}"],
            type: "multipart/form-data; boundary=b"),
        HostileRoute(
            path: "sobjects/{object}/{id}", methods: ["GET", "PATCH", "DELETE", "POST", "PUT"],
            parameters: ["fields", "_HttpMethod"], bodies: [record, good, #"{"Name":{value}}"#]),
        HostileRoute(
            path: "sobjects/{object}/{field}/{text}", methods: ["GET", "PATCH", "DELETE", "POST"],
            parameters: ["fields", "updateOnly"], bodies: [record, good]),
        HostileRoute(path: "sobjects/{object}/{id}/{field}", methods: ["GET", "PATCH", "DELETE"], bodies: [good]),
        HostileRoute(path: "sobjects/{object}/{id}/{text}/{text}"),
        HostileRoute(path: "sobjects/{object}/describe"),
        HostileRoute(path: "sobjects/{object}/describe/{layout}/{text}"),
        HostileRoute(path: "sobjects/{object}/describe/{layout}"),
        HostileRoute(path: "sobjects/{object}/updated", parameters: ["start", "end"]),
        HostileRoute(path: "sobjects/{object}/deleted", parameters: ["start", "end"]),
        HostileRoute(path: "sobjects/{object}/listviews/{text}/{view}", parameters: ["limit", "offset"]),
        HostileRoute(path: "sobjects/{object}/listviews"),
        HostileRoute(path: "sobjects/{object}/quickActions/{text}/{view}", methods: ["GET", "POST"], bodies: [record]),
        HostileRoute(
            path: "sobjects/User/{id}/password", methods: ["GET", "POST", "DELETE"],
            bodies: [#"{"NewPassword":{value}}"#]),
        HostileRoute(path: "sobjects/{text}/{text}", methods: ["GET", "POST", "PATCH"], bodies: ["{value}"]),
    ]

    private static let queries = [
        HostileRoute(path: "query", parameters: ["q", "q", "explain", "columns"]),
        HostileRoute(path: "query/{locator}"), HostileRoute(path: "queryAll", parameters: ["q"]),
        HostileRoute(path: "queryAll/{locator}"), HostileRoute(path: "query/{text}/{text}"),
        HostileRoute(path: "search", parameters: ["q"]), HostileRoute(path: "search/scopeOrder"),
        HostileRoute(path: "search/layout", parameters: ["q"]),
        HostileRoute(path: "search/suggestions", parameters: ["q", "sobject", "limit"]),
        HostileRoute(path: "search/{text}", parameters: ["q", "language"]),
        HostileRoute(
            path: "parameterizedSearch", methods: ["GET", "POST"],
            parameters: ["q", "sobject", "Account.fields", "in"],
            bodies: [
                #"{"q":{value},"in":{value},"fields":[{value}],"sobjects":[{"name":{value},"fields":[{value}],"limit":{value}}]}"#,
                #"{"q":"Acme","fields":["Id"],"sobjects":[{"name":"Account","where":{value},"orderBy":{value}}]}"#,
            ]),
        HostileRoute(path: "tooling/query", parameters: ["q"]), HostileRoute(path: "tooling/{text}/{text}"),
        HostileRoute(path: "tooling/sobjects/{object}/{text}"),
        HostileRoute(path: "recent", parameters: ["limit"]),
        HostileRoute(path: "limits"), HostileRoute(path: "limits/recordCount", parameters: ["sObjects"]),
    ]

    private static let composite = [
        HostileRoute(
            path: "composite", methods: ["GET", "POST"],
            bodies: [
                #"{"allOrNone":{value},"compositeRequest":[\#(part),\#(goodPart)]}"#,
                #"{"allOrNone":true,"compositeRequest":[\#(goodPart)]}"#, #"{"compositeRequest":{value}}"#,
            ]),
        HostileRoute(
            path: "composite/batch", methods: ["POST"],
            bodies: [
                #"{"haltOnError":{value},"batchRequests":[{"method":"{method}","url":"{url}","richInput":{value}}]}"#,
                #"{"batchRequests":[{"method":"GET","url":"v66.0/limits"}]}"#, #"{"batchRequests":{value}}"#,
            ]),
        HostileRoute(
            path: "composite/graph", methods: ["POST"],
            bodies: [
                #"{"graphs":[{"graphId":{value},"compositeRequest":[\#(part)]}]}"#,
                #"{"graphs":[{"graphId":"1","compositeRequest":[\#(goodPart)]}]}"#, #"{"graphs":{value}}"#,
            ]),
        HostileRoute(
            path: "composite/sobjects", methods: ["GET", "POST", "PATCH", "DELETE"], parameters: ["ids", "allOrNone"],
            bodies: [
                #"{"allOrNone":{value},"records":[\#(typed),{value}]}"#, #"{"records":[\#(typed)]}"#,
                #"{"records":[\#(typedGood)]}"#,
            ]),
        HostileRoute(
            path: "composite/sobjects/{object}", methods: ["GET", "POST"], parameters: ["ids", "fields"],
            bodies: [#"{"ids":["{id}",{value}],"fields":["Id",{value}]}"#]),
        HostileRoute(
            path: "composite/sobjects/{object}/{field}", methods: ["PATCH"],
            bodies: [#"{"allOrNone":{value},"records":[\#(typed)]}"#]),
        HostileRoute(
            path: "composite/tree/{object}", methods: ["POST"],
            bodies: [
                #"{"records":[{"attributes":{"type":"{object}","referenceId":"{text}"},"Name":{value},"Contacts":{"records":[\#(typed)]}}]}"#,
                #"{"records":{value}}"#,
                #"{"records":[{"attributes":{"type":"Account","referenceId":"a"},"Name":"Good"}]}"#,
            ]),
    ]

    private static let jobs = [
        HostileRoute(
            path: "jobs/ingest", methods: ["GET", "POST"],
            bodies: [
                #"{"object":"{object}","operation":"insert","lineEnding":"LF"}"#,
                #"{"object":{value},"operation":{value},"externalIdFieldName":{value},"columnDelimiter":{value}}"#,
            ]),
        HostileRoute(
            path: "jobs/ingest/{job}", methods: ["GET", "PATCH", "DELETE"],
            bodies: [#"{"state":"UploadComplete"}"#, #"{"state":"Aborted"}"#, #"{"state":{value}}"#]),
        HostileRoute(
            path: "jobs/ingest/{job}/batches", methods: ["PUT"],
            bodies: ["Name\n{text}\n", "Name,LastName\n{text},b\n", "Name\n\"{text}", "{text}", "Id,Name\n{id},x\n"],
            type: "text/csv"),
        HostileRoute(path: "jobs/ingest/{job}/{results}"),
        HostileRoute(
            path: "jobs/query", methods: ["GET", "POST"],
            bodies: [#"{"operation":"query","query":"{query}"}"#, #"{"operation":{value},"query":{value}}"#]),
        HostileRoute(path: "jobs/query/{job}", methods: ["GET", "PATCH", "DELETE"], bodies: [#"{"state":"Aborted"}"#]),
        HostileRoute(path: "jobs/query/{job}/results", parameters: ["locator", "maxRecords"]),
        HostileRoute(path: "jobs/{text}/{text}", methods: ["GET", "POST"], bodies: ["{value}"]),
    ]

    private static let others = [
        HostileRoute(path: ""), HostileRoute(path: "{text}"), HostileRoute(path: "{text}/{text}"),
        HostileRoute(path: "actions"),
        HostileRoute(path: "actions/{text}", methods: ["GET", "POST"], bodies: ["{value}"]),
        HostileRoute(
            path: "actions/standard/{text}", methods: ["GET", "POST"], bodies: [#"{"inputs":[{value}]}"#, "{value}"]),
        HostileRoute(path: "quickActions"),
        HostileRoute(path: "quickActions/{text}", methods: ["GET", "POST"], bodies: [record]),
        HostileRoute(path: "compactLayouts", parameters: ["q"]), HostileRoute(path: "tabs"),
        HostileRoute(path: "theme"),
        HostileRoute(path: "appMenu/{text}"),
        HostileRoute(path: "process/{text}", methods: ["GET", "POST"], bodies: ["{value}"]),
        HostileRoute(path: "chatter/users/{text}/{text}"),
        HostileRoute(
            path: "connect/files/users/{user}", methods: ["GET", "POST"], parameters: ["page", "pageSize"],
            bodies: [multipart], type: "multipart/form-data; boundary=b"),
        HostileRoute(
            path: "connect/files/{file}", methods: ["GET", "POST", "PATCH", "DELETE"], parameters: ["versionNumber"],
            bodies: [#"{"title":{value}}"#, "{value}"]),
        HostileRoute(path: "connect/files/{file}/content", parameters: ["versionNumber"]),
        HostileRoute(path: "connect/files/{file}/rendition", parameters: ["type", "page", "versionNumber"]),
        HostileRoute(path: "connect/files/{file}/file-shares", parameters: ["page", "pageSize"]),
        HostileRoute(path: "connect/files/batch/{file}"), HostileRoute(path: "connect/files/{text}/{text}"),
        HostileRoute(
            path: "connect/user-profiles/{id}/photo", methods: ["GET", "POST", "DELETE"], parameters: ["versionNumber"],
            bodies: [#"{"fileId":{value},"versionNumber":{value}}"#, multipart]),
        HostileRoute(path: "connect/communities/{text}/files/{file}"),
        HostileRoute(path: "/services/data"), HostileRoute(path: "/services/data/{text}/limits"),
        HostileRoute(path: "/services/apexrest/{text}", methods: ["GET", "POST", "DELETE"], bodies: ["{value}"]),
        HostileRoute(
            path: "/services/async/66.0/job", methods: ["GET", "POST"],
            bodies: [#"{"operation":{value},"object":{value}}"#]),
        HostileRoute(
            path: "/services/async/66.0/job/{job}", methods: ["GET", "POST"],
            bodies: [#"{"state":"Closed"}"#, "{value}"]),
        HostileRoute(
            path: "/services/async/66.0/job/{job}/batch", methods: ["GET", "POST"],
            bodies: ["[{record},{record}]", "[{value}]", "{query}"]),
        HostileRoute(path: "/services/async/66.0/job/{job}/batch/{job}/{batch}/{text}"),
        HostileRoute(path: "/services/async/66.0/job/{job}/batch/{job}/{batch}"),
        HostileRoute(path: "/services/async/66.0/job/{job}/{text}", methods: ["GET", "POST"], bodies: ["{value}"]),
        HostileRoute(path: "/{text}/{text}/{text}", methods: ["GET", "POST"], bodies: ["{value}"]),
    ]

    private static let form = "application/x-www-form-urlencoded"
    private static let logins = [
        HostileRoute(
            path: "/services/oauth2/token", methods: ["POST", "GET"],
            bodies: [
                "grant_type={text}&client_id={client}&client_secret={text}&username={text}&password={text}",
                "grant_type=authorization_code&code={text}&client_id={client}&redirect_uri={text}&code_verifier={text}",
                "grant_type=refresh_token&refresh_token={text}&client_id={client}", "{text}={text}&{text}",
                "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion={text}.{text}.{text}",
            ], type: form),
        HostileRoute(
            path: "/services/oauth2/authorize", methods: ["GET", "POST"],
            parameters: ["client_id", "redirect_uri", "response_type", "state", "scope", "prompt", "code_challenge"],
            bodies: ["username={text}&password={text}&form={text}"], type: form),
        HostileRoute(
            path: "/services/oauth2/revoke", methods: ["GET", "POST"], parameters: ["token"], bodies: ["token={text}"],
            type: form),
        HostileRoute(
            path: "/services/oauth2/introspect", methods: ["POST"],
            bodies: ["token={text}&client_id={client}&client_secret={text}"], type: form),
        HostileRoute(path: "/services/oauth2/userinfo", methods: ["GET", "POST"]),
        HostileRoute(
            path: "/services/oauth2/device_authorization", methods: ["POST"],
            bodies: ["client_id={client}&scope={text}"],
            type: form),
        HostileRoute(path: "/services/oauth2/{text}", methods: ["GET", "POST"], bodies: ["{text}"], type: form),
        HostileRoute(path: "/setup/connect", methods: ["GET", "POST"], parameters: ["user_code"]),
        HostileRoute(path: "/id/{text}/{id}"), HostileRoute(path: "/.well-known/{text}"),
        HostileRoute(
            path: "/services/Soap/u/{soap}", methods: ["POST", "GET"],
            bodies: [envelope("<login><username>{text}</username><password>{text}</password></login>")]
                + ["logout", "getUserInfo", "describeSObjects", "query", "{text}"].map {
                    envelope("<\($0)>{text}</\($0)>")
                }
                + ["{text}", "<a><b></a>", "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>"],
            type: "text/xml"),
        HostileRoute(path: "/services/Soap/m/66.0", methods: ["POST"], bodies: [envelope("<x/>")], type: "text/xml"),
    ]

    private static func envelope(_ body: String) -> String {
        #"<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Header><SessionHeader><sessionId>{token}"#
            + "</sessionId></SessionHeader></Header><Body>\(body)</Body></Envelope>"
    }

    private static let multipart =
        "--b\r\nContent-Disposition: form-data; name=\"entity\"\r\nContent-Type: application/json\r\n\r\n{value}\r\n--b\r\n"
        + "Content-Disposition: form-data; name=\"VersionData\"; filename=\"{text}\"\r\n\r\n{text}\r\n--b--\r\n"
}
