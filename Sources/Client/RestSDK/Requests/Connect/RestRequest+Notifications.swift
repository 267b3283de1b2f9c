// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The notifications of the account's user (Connect REST API).
extension Endpoint where Self == RestRequest {
    /// The newest notifications, or those before or after a moment.
    ///
    /// - Parameters:
    ///   - size: how many, within ``RestRequest/notificationSizes``; the server's default is 10.
    ///   - before: only older ones; not together with `after`.
    ///   - after: only newer ones.
    ///   - trimsMessages: whether long texts are cut, as the server does by default.
    /// - Returns: the request.
    public static func notifications(
        size: Int? = nil, before: Date? = nil, after: Date? = nil, trimsMessages: Bool? = nil
    ) -> RestRequest {
        let request = RestRequest.connect(
            "notifications", ["notifications"],
            [
                ("size", size.map(String.init)), ("before", before.map(RestRequest.time)),
                ("after", after.map(RestRequest.time)),
                ("trimMessages", trimsMessages.map { "\($0)" }),
            ])
        if let size, !RestRequest.notificationSizes.contains(size) {
            return request.refused("size", "\(size) is outside 1–50")
        }
        if before != nil, after != nil { return request.refused("after", "cannot be combined with 'before'") }
        return [before, after].contains { $0.map(RestRequest.time) == "" }
            ? request.refused("date", "must be in the years 1 to 9999") : request
    }

    /// One notification.
    public static func notification(_ id: String) -> RestRequest {
        RestRequest.connect("notification", ["notifications", id]).requiringID(id)
    }

    /// Marks one notification as read or seen, or as not; the payload is the notification.
    ///
    /// - Parameters:
    ///   - id: the notification's id.
    ///   - isRead: whether it is read; `nil` leaves it.
    ///   - isSeen: whether it is seen; `nil` leaves it. What is read is seen too.
    /// - Returns: the request.
    public static func markNotification(_ id: String, isRead: Bool? = nil, isSeen: Bool? = nil) -> RestRequest {
        var request = marking(isRead, isSeen, ["notifications", id])
        request.body = .bytes(JSONValue(RestRequest.marks(isRead, isSeen)).bytes())
        return request.requiringID(id)
    }

    /// The types of notifications that the user can get; needs version 64 or later.
    public static var notificationTypes: RestRequest {
        RestRequest.connect("notificationTypes", ["notifications", "types"])
    }

    /// How many notifications are unread and unseen.
    public static var notificationStatus: RestRequest {
        RestRequest.connect("notificationStatus", ["notifications", "status"])
    }

    /// Marks notifications as read or seen, or as not.
    ///
    /// - Parameters:
    ///   - notifications: which.
    ///   - isRead: whether they are read; `nil` leaves it.
    ///   - isSeen: whether they are seen; `nil` leaves it. What is read is seen too.
    /// - Returns: the request.
    public static func markNotifications(
        _ notifications: RestRequest.Notifications, isRead: Bool? = nil, isSeen: Bool? = nil
    ) -> RestRequest {
        var request = marking(isRead, isSeen, ["notifications"])
        var body = RestRequest.marks(isRead, isSeen)
        switch notifications {
        case .ids(let ids):
            body["notificationIds"] = JSONValue(JSONArray(ids.map { JSONValue($0) }))
            if !(1...RestRequest.maximumNotificationsMarked).contains(ids.count) {
                request = request.refused(
                    "notifications",
                    "there are \(ids.count); the server accepts 1 to \(RestRequest.maximumNotificationsMarked)")
            }
            request = ids.enumerated().reduce(request) { $0.requiringID($1.element, "notifications[\($1.offset)]") }
        case .before(let date):
            body["before"] = JSONValue(RestRequest.time(date))
            if RestRequest.time(date).isEmpty { request = request.refused("date", "must be in the years 1 to 9999") }
        }
        request.body = .bytes(JSONValue(body).bytes())
        return request
    }

    private static func marking(_ isRead: Bool?, _ isSeen: Bool?, _ path: [String]) -> RestRequest {
        var request = RestRequest.connect("markNotifications", path)
        request.method = .patch
        request.effect = .writes(idempotent: true)  // a mark is set, not toggled
        request.fields = RestRequest.jsonContent
        if isRead == nil, isSeen == nil { request = request.refused("isRead", "set this or isSeen") }
        guard isRead == true, isSeen == false else { return request }
        return request.refused("isSeen", "what is read is also seen")
    }

    /// Does an action of a notification.
    public static func notificationAction(_ action: String, of id: String) -> RestRequest {
        var request = RestRequest.connect("notificationAction", ["notifications", id, "actions", action])
        request.method = .post
        return request.requiringID(id).requiring(action, "action")
    }
}

extension RestRequest {
    /// How many notifications one call gives.
    public static let notificationSizes = 1...50

    /// The most notifications that one call marks by their ids.
    public static let maximumNotificationsMarked = 50

    /// Which notifications are meant.
    public enum Notifications: Sendable, Hashable {
        /// These.
        case ids([String])
        /// All that are older.
        case before(Date)
    }

    /// The marks as the server wants them: as texts.
    fileprivate static func marks(_ isRead: Bool?, _ isSeen: Bool?) -> JSONObject {
        var marks: JSONObject = [:]
        if let isRead { marks["read"] = JSONValue("\(isRead)") }
        if let isSeen { marks["seen"] = JSONValue("\(isSeen)") }
        return marks
    }

    /// The moment in ISO 8601, in UTC; empty for one that no calendar has.
    fileprivate static func time(_ date: Date) -> String { date.soqlLiteral?.text ?? "" }
}

extension Endpoint where Self == RestRequest {
    /// The records that the org's rules keep for working offline; the payload maps objects and record types to records.
    ///
    /// - Parameters:
    ///   - relayToken: the `relayToken` of the answer before, for what follows it.
    ///   - date: only records that changed after it.
    /// - Returns: the request; its answer is ``RestRequest/PrimingRecords``.
    public static func primingRecords(relayToken: String? = nil, changedAfter date: Date? = nil) -> RestRequest {
        let request = RestRequest.connect(
            "primingRecords", ["briefcase", "priming-records"],
            [("relayToken", relayToken), ("changedAfterTimestamp", date.map(RestRequest.time))])
        return date.map(RestRequest.time) == "" ? request.refused("date", "must be in the years 1 to 9999") : request
    }
}

extension RestRequest {
    /// The content of the response to ``RestRequest/primingRecords(relayToken:changedAfter:)``.
    ///
    /// Read it with `response.decode(RestRequest.PrimingRecords.self)`.
    public struct PrimingRecords: Decodable, Sendable, Hashable {
        /// One record, by its id.
        public struct Entry: Decodable, Sendable, Hashable {
            /// The record's id.
            public let id: String
            /// When the record changed last.
            public let systemModstamp: Date
        }

        /// A rule that could not be followed.
        public struct RuleError: Decodable, Sendable, Hashable {
            /// The rule's id.
            public let ruleId: String
        }

        /// How much there is, and how much of it this answer covers.
        public struct Statistics: Decodable, Sendable, Hashable {
            /// The rules in all.
            public let ruleCountTotal: Int
            /// The records in all.
            public let recordCountTotal: Int
            /// The rules that were followed so far.
            public let ruleCountServed: Int
            /// The records that were given so far.
            public let recordCountServed: Int
        }

        /// The records by object and record type.
        public let primingRecords: [String: [String: [Entry]]]
        /// What to ask with for what follows; `nil` at the end.
        public let relayToken: String?
        /// The rules that could not be followed.
        public let ruleErrors: [RuleError]
        /// How much there is.
        public let stats: Statistics
    }
}
