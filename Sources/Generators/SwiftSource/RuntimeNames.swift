// SPDX-License-Identifier: Apache-2.0

/// The names of types that generated code must not define.
///
/// In its module, a generated type hides all imported types of the same name, so the other generated files would use
/// the wrong type. A test compares the sets of this package's modules with the source code.
package enum RuntimeNames {
    /// The types that `import RestSDK` makes visible.
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

    /// The types that `import RestModels` makes visible in addition to those of RestSDK.
    package static let restModels: Set = [
        "AnyRecord", "FieldValue", "ModelChildren", "ModelColumn", "ModelCondition", "ModelField", "ModelFields",
        "ModelOrder", "ModelOrdering", "ModelPath", "ModelRecord", "ModelSelection", "ModelShape", "MultiPicklist",
        "Picklist", "RecordAddress", "RecordID", "RecordLocation", "RecordModel", "RecordObject", "SOQLDateFormula",
        "SOQLTime",
    ]

    /// The types that `import StoneRuntime` makes visible.
    package static let stoneRuntime: Set = [
        "DescribedStoneError", "DescribedStoneValue", "Download", "DownloadCall", "DownloadEndpoint", "JobCall",
        "JobError", "JobFailure", "JobState", "PageError", "PagedCall", "RPC", "Route", "RouteCall", "RouteEndpoint",
        "RouteGroup", "RouteInfo", "RouteStyle", "StoneChecks", "StoneClient", "StoneCoding", "StoneError",
        "StoneFailure", "StoneReader", "StoneTag", "StoneTimestamp", "StoneType", "StoneValidated", "StoneValue",
        "StoneWriter", "UnknownTag", "Upload", "ValidationFailure",
    ]

    /// The types in `SOQL` and `RestClient`, in whose extensions generated code uses types of the app.
    package static let insideExtended: Set = [
        "APIAllowance", "AnonymousApexResult", "ApexTests", "Bindable", "CircuitBreakerPolicy", "Condition",
        "Configuration", "ErrorHandler", "FailedCall", "Failure", "Field", "MergeResult", "OrgLimits", "Plan",
        "RateLimits", "Row", "RowReader", "Select", "StringInterpolation", "TransferEvent", "TransferPublisher",
        "TransportLimits", "Wildcard",
    ]

    /// The types of RestSDK that generated code uses.
    package static let written: Set = [
        "CallError", "HTTPBody", "JSONValue", "QueryRecords", "RestClient", "RestError", "SOQL", "SOQLDate",
    ]

    /// The types of Swift and Foundation that generated code uses, and names that Swift reserves.
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
