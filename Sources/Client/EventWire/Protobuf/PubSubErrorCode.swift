// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The reason of an error of the Pub/Sub API, from the trailer `error-code` ("Handle Errors" in the Pub/Sub API guide).
///
/// The reason decides what to do. The status code of gRPC does not: `service.unavailable` was seen with INTERNAL.
package struct PubSubErrorCode: Sendable, Hashable, CustomStringConvertible {
    /// The known reasons, without their common prefix.
    package enum Reason: String, Sendable, CaseIterable {
        case serviceUnavailable = "service.unavailable"
        case authError = "service.auth.error"
        case authHeadersInvalid = "service.auth.headers.invalid"
        case authRefreshInvalid = "service.auth.refresh.invalid"
        case protectionTriggered = "service.protection.triggered"
        case streamLimitTriggered = "service.protection.stream.limit.triggered"
        case tenantLicense = "service.tenant.license"
        case concurrentClients = "concurrent.client.limit.exceeded"
        case topicNotFound = "topic.not.found"
        case topicPermission = "topic.meta.permission"
        case topicUnavailable = "topic.api.unavailable"
        case topicEmpty = "topic.validation.empty"
        case schemaPermission = "schema.meta.permission"
        case schemaUnavailable = "schema.api.unavailable"
        case schemaInvalid = "schema.validation.failed"
        case replayCorrupted = "subscription.fetch.replayid.corrupted"
        case replayInvalid = "subscription.fetch.replayid.validation.failed"
        case replayRepeated = "subscription.fetch.replay.repeated"
        case fetchOverflow = "subscription.fetch.overflow"
        case fetchCountInvalid = "subscription.fetch.requested.events.invalid"
        case fetchTopicMismatch = "subscription.fetch.topic.mismatch"
        case fetchInvalid = "subscription.fetch.request.invalid"
        case deliveryLimit = "subscription.limit.exceeded"
        case cannotSubscribe = "subscription.topic.cannot.subscribe"
        case subscriptionInternal = "subscription.internal.error"
        case publishIdle = "publish.stream.sweeper.timeout"
        case publishAuthRefreshInvalid = "publish.auth.refresh.invalid"
        case publishCountInvalid = "publish.event.count.invalid"
        case publishTopicMismatch = "publish.topic.mismatch"
        case publishTopicEmpty = "publish.topic.validation.empty"
        case managedAlreadyActive = "managed.subscription.already.active"
        case managedStopped = "managed.subscription.config.stopped"
        case managedDeleted = "managed.subscription.config.deleted"
        case managedNameNotFound = "managed.subscription.developer.name.not.found"
        case managedIDNotFound = "managed.subscription.subscription.id.not.found"
    }

    package static let prefix = "sfdc.platform.eventbus.grpc."

    /// The error code as the server sent it, at most 200 characters.
    package let description: String
    /// The reason, or `nil` if the error code is unknown and the status code of gRPC must decide.
    package let reason: Reason?

    /// Reads the value of the trailer `error-code`.
    package init(_ trailer: String) {
        let text = trailer.trimmingBlanks
        description = String(text.unicodeScalars.prefix(200))
        reason = text.removing(prefix: Self.prefix).flatMap { Reason(rawValue: String($0)) }
    }

    /// Creates the error code of a reason, for servers.
    package init(_ reason: Reason) {
        description = Self.prefix + reason.rawValue
        self.reason = reason
    }
}
