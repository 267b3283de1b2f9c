// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Notifications of the account's user (Connect REST API).
extension Endpoint where Self == RestRequest {
    /// Reads the latest notifications, or the notifications before or after a date.
    ///
    /// - Parameters:
    ///   - size: the number of notifications, within ``RestRequest/notificationSizes``. The server's default is 10.
    ///   - before: returns only older notifications. It cannot be combined with `after`.
    ///   - after: returns only newer notifications.
    ///   - trimsMessages: whether long messages are cut, which is the server's default.
    /// - Returns: the request.
    public static func notifications(
        size: Int? = nil, before: Date? = nil, after: Date? = nil, trimsMessages: Bool? = nil
    ) -> RestRequest {
        RestRequest.connect(
            "notifications", ["notifications"],
            [
                ("size", size.map(String.init)), ("before", before.map(RestRequest.time)),
                ("after", after.map(RestRequest.time)),
                ("trimMessages", trimsMessages.map { "\($0)" }),
            ]
        )
        .refused("size", size.flatMap { RestRequest.notificationSizes.contains($0) ? nil : "\($0) is outside 1–50" })
        .refused("after", before != nil && after != nil ? "cannot be combined with 'before'" : nil)
        .requiringTime(before).requiringTime(after)
    }

    /// Reads one notification.
    public static func notification(_ id: String) -> RestRequest {
        RestRequest.connect("notification", ["notifications", id]).requiringID(id)
    }

    /// Marks a notification as read or seen, or as unread or unseen, with the notification as the payload.
    ///
    /// - Parameters:
    ///   - id: the notification's id.
    ///   - isRead: whether it is read, or `nil` for no change.
    ///   - isSeen: whether it is seen, or `nil` for no change. A read notification is always seen.
    /// - Returns: the request.
    public static func markNotification(_ id: String, isRead: Bool? = nil, isSeen: Bool? = nil) -> RestRequest {
        marking(isRead, isSeen, ["notifications", id]).requiringID(id)
    }

    /// Lists the types of notifications that the user can get (API version 64 or later).
    public static var notificationTypes: RestRequest {
        RestRequest.connect("notificationTypes", ["notifications", "types"])
    }

    /// Reads the numbers of unread and unseen notifications.
    public static var notificationStatus: RestRequest {
        RestRequest.connect("notificationStatus", ["notifications", "status"])
    }

    /// Marks notifications as read or seen, or as unread or unseen.
    ///
    /// - Parameters:
    ///   - notifications: the notifications to mark.
    ///   - isRead: whether they are read, or `nil` for no change.
    ///   - isSeen: whether they are seen, or `nil` for no change. A read notification is always seen.
    /// - Returns: the request.
    public static func markNotifications(
        _ notifications: RestRequest.Notifications, isRead: Bool? = nil, isSeen: Bool? = nil
    ) -> RestRequest {
        switch notifications {
        case .ids(let ids):
            marking(
                isRead, isSeen, ["notifications"],
                ["notificationIds": JSONValue(JSONArray(ids.map { JSONValue($0) }))]
            ).requiringIDs(ids, "notifications", atMost: RestRequest.maximumNotificationsMarked)
        case .before(let date):
            marking(isRead, isSeen, ["notifications"], ["before": JSONValue(RestRequest.time(date))])
                .requiringTime(date)
        }
    }

    /// Sends the marks as strings, as the server expects them.
    private static func marking(
        _ isRead: Bool?, _ isSeen: Bool?, _ path: [String], _ notifications: JSONObject = [:]
    ) -> RestRequest {
        var body: JSONObject = [:]
        if let isRead { body["read"] = JSONValue("\(isRead)") }
        if let isSeen { body["seen"] = JSONValue("\(isSeen)") }
        for (name, value) in notifications { body[name] = value }
        return RestRequest.connect("markNotifications", path, method: .patch)
            .effect(.writes(idempotent: true))  // a mark is set, not toggled
            .json(JSONValue(body))
            .refused("isRead", isRead == nil && isSeen == nil ? "is missing; set isRead or isSeen" : nil)
            .refused("isSeen", isRead == true && isSeen == false ? "cannot be false if isRead is true" : nil)
    }

    /// Performs an action of a notification.
    public static func notificationAction(_ action: String, of id: String) -> RestRequest {
        RestRequest.connect("notificationAction", ["notifications", id, "actions", action], method: .post)
            .requiringID(id).requiring(action, "action")
    }
}

extension RestRequest {
    /// The number of notifications that one call can return.
    public static let notificationSizes = 1...50

    /// The maximum number of notifications that one call can mark by their ids.
    public static let maximumNotificationsMarked = 50

    /// The notifications to mark.
    public enum Notifications: Sendable, Hashable {
        /// The notifications with these ids.
        case ids([String])
        /// All notifications before a date.
        case before(Date)
    }

    /// Returns the date in ISO 8601 in UTC, or an empty string if the year is out of range.
    fileprivate static func time(_ date: Date) -> String { date.soqlLiteral?.text ?? "" }

    fileprivate func requiringTime(_ date: Date?) -> RestRequest {
        refused("date", date.map(Self.time) == "" ? "must be in the years 1 to 9999" : nil)
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the records for offline use by the org's rules, as a map of objects and record types to records in the
    /// payload.
    ///
    /// - Parameters:
    ///   - relayToken: the `relayToken` of the previous response, to continue after it.
    ///   - date: returns only records that were changed later.
    /// - Returns: the request, whose response contains ``RestRequest/PrimingRecords``.
    public static func primingRecords(relayToken: String? = nil, changedAfter date: Date? = nil) -> RestRequest {
        RestRequest.connect(
            "primingRecords", ["briefcase", "priming-records"],
            [("relayToken", relayToken), ("changedAfterTimestamp", date.map(RestRequest.time))]
        ).requiringTime(date)
    }
}

extension RestRequest {
    /// The content of the response to ``RestRequest/primingRecords(relayToken:changedAfter:)``.
    ///
    /// Read it with `response.decode(RestRequest.PrimingRecords.self)`.
    public struct PrimingRecords: Decodable, Sendable, Hashable {
        /// A record.
        public struct Entry: Decodable, Sendable, Hashable {
            /// The record's id.
            public let id: String
            /// The time of the last change.
            public let systemModstamp: Date
        }

        /// A rule that could not be evaluated.
        public struct RuleError: Decodable, Sendable, Hashable {
            /// The rule's id.
            public let ruleId: String
        }

        /// The total numbers of rules and records, and the numbers that the responses so far cover.
        public struct Statistics: Decodable, Sendable, Hashable {
            /// The total number of rules.
            public let ruleCountTotal: Int
            /// The total number of records.
            public let recordCountTotal: Int
            /// The number of rules that were evaluated so far.
            public let ruleCountServed: Int
            /// The number of records that were returned so far.
            public let recordCountServed: Int
        }

        /// The records by object and record type.
        public let primingRecords: [String: [String: [Entry]]]
        /// The token to request the next records, or `nil` at the end.
        public let relayToken: String?
        /// The rules that could not be evaluated.
        public let ruleErrors: [RuleError]
        /// The numbers of rules and records.
        public let stats: Statistics
    }
}
