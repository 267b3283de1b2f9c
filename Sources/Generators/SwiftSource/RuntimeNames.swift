// SPDX-License-Identifier: Apache-2.0

/// Names of types that generated code must not take.
///
/// Inside its module a generated type hides every imported type of the same name, so the other generated files would
/// mean another type. The sets of this package's own modules are complete: a test compares them with the sources.
package enum RuntimeNames {
    /// The types that `import RestSDK` shows.
    package static let restSDK: Set = [
        "APIFault", "APIVersion", "AccountManager", "AuthorizationServer", "Batch", "CallError",
        "CallPublisher", "CallTask", "ClientCredentialsGrant", "CollectionResults",
        "Composite", "CompoundError", "Credential", "CredentialStore", "DeviceLogin",
        "Endpoint", "EndpointDelegate", "EndpointPages", "FileCredentialStore", "GraphQL", "HTTPBody",
        "HTTPFields", "HTTPMethod", "HTTPRequest", "HTTPResponse", "HTTPTransport", "HTTPURL",
        "InMemoryCredentialStore", "Interceptor", "InvocableAction", "JSONArray", "JSONDecodingError",
        "JSONDecodingOptions", "JSONDocument", "JSONEncodingError", "JSONEncodingOptions", "JSONEndpoint",
        "JSONError", "JSONObject", "JSONTimestamp", "JSONValue", "JWTBearerGrant", "LoginPresenter",
        "LoopbackPresenter", "MonotonicClock", "OAuthClient", "OAuthError", "OAuthGrant",
        "ObjectDescription", "Origin", "PagedEndpoint", "ParameterizedSearch", "PasswordGrant", "PendingLogin",
        "PercentEncoding", "PlatformTransport", "ProxyLogin", "QueryPage", "QueryPages",
        "QueryRecords", "Record", "RecordChanges", "RedirectPolicy",
        "RefreshTokenGrant", "RequestContext", "RequestEndpoint", "ResponseStream", "RestClient", "RestClientDelegate",
        "RestError", "RestEvent", "RestPayload", "RestRequest", "RestResponse", "RetryPolicy", "SOQL", "SOQLDate",
        "SOQLLiteral", "SOSL", "SalesforceCLI", "SaveResult", "SaveResults", "Secret", "SystemCredentialStore",
        "TokenManager", "TokenMigration", "TransferMetrics", "TransferProgress", "TransportError",
        "WebAuthenticationPresenter",
    ]

    /// The types that `import RestModels` shows besides those of RestSDK.
    package static let restModels: Set = [
        "AnyRecord", "FieldValue", "ModelChildren", "ModelColumn", "ModelCondition", "ModelField", "ModelFields",
        "ModelOrder", "ModelOrdering", "ModelPath", "ModelRecord", "ModelSelection", "ModelShape", "MultiPicklist",
        "Picklist", "RecordAddress", "RecordID", "RecordLocation", "RecordModel", "RecordObject", "SOQLDateFormula",
        "SOQLTime",
    ]

    /// The types that `import StoneRuntime` shows.
    package static let stoneRuntime: Set = [
        "DescribedStoneError", "DescribedStoneValue", "Download", "DownloadCall", "DownloadEndpoint", "JobCall",
        "JobError", "JobFailure", "JobState", "PageError", "PagedCall", "RPC", "Route", "RouteCall", "RouteEndpoint",
        "RouteGroup", "RouteInfo", "RouteStyle", "StoneChecks", "StoneClient", "StoneCoding", "StoneError",
        "StoneFailure", "StoneReader", "StoneTag", "StoneTimestamp", "StoneType", "StoneValidated", "StoneValue",
        "StoneWriter", "UnknownTag", "Upload", "ValidationFailure",
    ]

    /// The types inside `SOQL` and `RestClient`, in whose extensions generated code names types of the app.
    package static let insideExtended: Set = [
        "APIAllowance", "AnonymousApexResult", "Bindable", "CircuitBreakerPolicy", "Condition", "Configuration",
        "ErrorHandler", "FailedCall", "Failure", "Field", "MergeResult", "OrgLimits", "Plan", "RateLimits", "Row",
        "RowReader", "Select", "StringInterpolation", "TransferEvent", "TransferPublisher", "TransportLimits",
        "Wildcard",
    ]

    /// Types of RestSDK that generated code names.
    package static let written: Set = [
        "CallError", "HTTPBody", "JSONValue", "QueryRecords", "RestClient", "RestError", "SOQL", "SOQLDate",
    ]

    /// Types of Swift and Foundation that generated code names, and names that Swift itself needs.
    package static let swift: Set = [
        "Any", "Array", "Bool", "CaseIterable", "Data", "Date", "Decimal", "Dictionary", "Double", "Equatable", "Error",
        "Float", "Int", "Int32", "Int64", "Never", "Optional", "Protocol", "Result", "Self", "String", "Swift", "Type",
        "UInt32", "UInt64", "UInt8", "Void",
    ]

    /// Other names that an app would miss if a model hid them.
    package static let apps: Set = [
        "Actor", "AsyncSequence", "Batch", "Bundle", "Button", "Calendar", "Character", "Clock", "Codable",
        "Collection", "Color", "Comparable", "Composite", "Decodable", "Decoder", "Duration", "Encodable", "Encoder",
        "Endpoint", "Field", "Form", "Foundation", "Group", "Hashable", "ID", "Identifiable", "Image", "Iterator",
        "JSONObject", "KeyPath", "Label", "Link", "List", "Locale", "Menu", "Notification", "Observable", "Operation",
        "Picker", "Process", "Progress", "Range", "Record", "RestModels", "RestRequest", "RestSDK", "SOSL", "Section",
        "Sendable", "Sequence", "Set", "State", "Task", "TaskGroup", "Testing", "Text", "TimeZone", "Timer", "Toggle",
        "UInt", "URL", "UUID", "Unit", "View",
    ]
}
