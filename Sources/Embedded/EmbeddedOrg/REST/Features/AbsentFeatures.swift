// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// What the platform has below a version and an org without the feature refuses.
struct AbsentFeatures {
    /// The features by their first segment, in the platform's words.
    private static let names = [
        "async-queries": "Async SOQL", "chatter": "Chatter", "commerce": "Commerce", "consent": "Consent Management",
        "contact-tracing": "Contact Tracing", "dedupe": "Duplicate Management", "domino": "Domino",
        "eclair": "Geo Charts", "einstein": "Einstein", "emailConnect": "Email Connect", "event": "Event Monitoring",
        "folders": "Folders", "iot": "IoT", "jsonxform": "JSON Transformation",
        "knowledgeManagement": "Knowledge", "licensing": "Licensing", "localizedvalue": "Localized Values",
        "metadata": "Metadata REST", "mobile": "Mobile", "payments": "Payments", "prechatForms": "Live Agent",
        "scheduling": "Lightning Scheduler", "serviceTemplates": "Service Templates",
        "smartdatadiscovery": "Einstein Discovery", "support": "Knowledge", "tokenizer": "Tokenizer",
        "ui-api": "User Interface API", "wave": "Analytics",
    ]

    /// The answer, or `nil` for a resource that the platform does not have either.
    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse? {
        guard let first = call.rest.first else { return nil }
        if first == "analytics" { return try analytics(call) }
        guard let name = Self.names[first] else { return nil }
        throw .notEnabled(name)
    }

    /// The org has no dashboards and no types of reports, and cannot make any.
    private func analytics(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard call.rest.count > 1, ["dashboards", "reportTypes"].contains(call.rest[1]) else {
            throw .notFound
        }
        guard call.rest.count == 2 else {
            throw OrgFault(404, "NOT_FOUND", "The org has none of the \(call.rest[1]): \(call.rest[2].prefix(100))")
        }
        try call.allow("GET", "POST")
        guard call.method == "GET" else { throw .notEnabled("Report Builder") }
        return .json(value: [])
    }
}

extension OrgFault {
    /// What an org refuses that lacks a feature.
    static func notEnabled(_ feature: String) -> OrgFault {
        OrgFault(
            403, "FUNCTIONALITY_NOT_ENABLED",
            "The requested feature is not currently enabled for this user type or org: [\(feature)]")
    }
}
