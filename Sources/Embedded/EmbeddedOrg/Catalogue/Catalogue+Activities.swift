// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    static let caseStatuses = ["New", "Working", "Escalated", "Closed"]
    static let caseOrigins = ["Phone", "Email", "Web"]
    static let caseReasons = ["Installation", "Equipment Complexity", "Performance", "Breakdown", "Feedback", "Other"]
    private static let persons = ["Contact", "Lead"]
    private static let topics = ["Account", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Product2"]

    /// The objects of service and activities.
    static let activities = [
        ObjectDefinition(
            "Case", "Case", "Cases", prefix: "500",
            [
                .derivedName("CaseNumber", 30),
                .reference("AccountId", to: "Account", "Account", children: "Cases", onDelete: .restrict),
                .reference("ContactId", to: "Contact", "Contact", children: "Cases", onDelete: .restrict),
                .reference("ParentId", to: "Case", "Parent", children: "Cases"),
                .reference("OwnerId", to: "User", "Owner"), .text("Subject", 255),
                .text("Description", 32_000, .textarea),
                .pick("Status", caseStatuses), .pick("Priority", ["High", "Medium", "Low"]),
                .pick("Origin", caseOrigins),
                .pick("Reason", caseReasons),
                .pick("Type", ["Mechanical", "Electrical", "Electronic", "Structural", "Other"]),
                .derived("IsClosed", .boolean), .value("IsEscalated", .boolean), .derived("ClosedDate", .datetime),
                .recordType, .masterRecord("Case"),
            ]),
        ObjectDefinition(
            "Task", "Task", "Tasks", prefix: "00T",
            [
                .name("Subject", 255, required: false), .polymorphic("WhoId", to: persons, "Who", children: "Tasks"),
                .polymorphic("WhatId", to: topics, "What", children: "Tasks"),
                .reference("OwnerId", to: "User", "Owner"),
                .reference("AccountId", to: "Account", "Account"),
                .pick("Status", ["Not Started", "In Progress", "Completed", "Waiting on someone else", "Deferred"]),
                .pick("Priority", ["High", "Normal", "Low"]), .value("ActivityDate", .date),
                .derived("IsClosed", .boolean),
                .text("Description", 32_000, .textarea),
            ]),
        ObjectDefinition(
            "Event", "Event", "Events", prefix: "00U",
            [
                .name("Subject", 255, required: false), .polymorphic("WhoId", to: persons, "Who", children: "Events"),
                .polymorphic("WhatId", to: topics, "What", children: "Events"),
                .reference("OwnerId", to: "User", "Owner"),
                .reference("AccountId", to: "Account", "Account"), .text("Location", 255),
                .value("StartDateTime", .datetime), .value("EndDateTime", .datetime), .value("DurationInMinutes", .int),
                .value("IsAllDayEvent", .boolean), .text("Description", 32_000, .textarea),
            ]),
    ]
}
