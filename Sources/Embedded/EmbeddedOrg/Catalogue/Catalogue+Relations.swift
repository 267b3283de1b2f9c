// SPDX-License-Identifier: Apache-2.0

import SOQLStore

extension Catalogue {

    /// Objects that connect others, and purchases of customers.
    static let relations = [
        ObjectDefinition(
            "Asset", "Asset", "Assets", prefix: "02i",
            [
                .name("Name", 255),
                .reference("AccountId", to: "Account", "Account", children: "Assets", onDelete: .cascade),
                .reference("ContactId", to: "Contact", "Contact", children: "Assets", onDelete: .cascade),
                .reference("Product2Id", to: "Product2", "Product2", children: "Assets"),
                .reference("ParentId", to: "Asset", "Parent", children: "ChildAssets"),
                .reference("OwnerId", to: "User", "Owner"),
                .pick("Status", ["Shipped", "Installed", "Registered", "Obsolete", "Purchased"]),
                .text("SerialNumber", 80), .value("Price", .currency), .value("Quantity", .double),
                .value("PurchaseDate", .date), .value("InstallDate", .date), .value("UsageEndDate", .date),
                .text("Description", 32_000, .textarea),
            ]),
        ObjectDefinition(
            "Contract", "Contract", "Contracts", prefix: "800",
            [
                .derivedName("ContractNumber", 30),
                .reference(
                    "AccountId", to: "Account", "Account", children: "Contracts", required: true, onDelete: .cascade),
                .reference("Pricebook2Id", to: "Pricebook2", "Pricebook2", children: "Contracts", onDelete: .restrict),
                .reference("OwnerId", to: "User", "Owner"),
                .pick("Status", ["Draft", "In Approval Process", "Activated"]),
                .value("StartDate", .date), .value("EndDate", .date), .value("ContractTerm", .int),
                .text("SpecialTerms", 4_000, .textarea), .text("Description", 32_000, .textarea),
            ]),
        ObjectDefinition(
            "CampaignMember", "Campaign Member", "Campaign Members", prefix: "00v",
            [
                .reference(
                    "CampaignId", to: "Campaign", "Campaign", children: "CampaignMembers", required: true, fixed: true,
                    onDelete: .cascade),
                .reference(
                    "ContactId", to: "Contact", "Contact", children: "CampaignMembers", fixed: true, onDelete: .cascade),
                .reference("LeadId", to: "Lead", "Lead", children: "CampaignMembers", fixed: true, onDelete: .cascade),
                .pick("Status", ["Sent", "Responded"]), .derived("HasResponded", .boolean),
            ]),
        ObjectDefinition(
            "OpportunityContactRole", "Opportunity Contact Role", "Opportunity Contact Roles", prefix: "00K",
            [
                .reference(
                    "OpportunityId", to: "Opportunity", "Opportunity", children: "OpportunityContactRoles",
                    required: true, fixed: true, onDelete: .cascade),
                .reference(
                    "ContactId", to: "Contact", "Contact", children: "OpportunityContactRoles", required: true,
                    onDelete: .cascade),
                .pick(
                    "Role", ["Business User", "Decision Maker", "Economic Buyer", "Evaluator", "Influencer", "Other"]),
                .value("IsPrimary", .boolean),
            ]),
    ]

    /// Objects for permissions.
    static let access = [
        ObjectDefinition(
            "Group", "Group", "Groups", prefix: "00G",
            [
                .name("Name", 40), .text("DeveloperName", 80), .pick("Type", ["Regular", "Queue"]),
                .text("Email", 255, .email), .value("DoesIncludeBosses", .boolean),
            ]),
        ObjectDefinition(
            "GroupMember", "Group Member", "Group Members", prefix: "011",
            [
                .reference(
                    "GroupId", to: "Group", "Group", children: "GroupMembers", required: true, fixed: true,
                    onDelete: .cascade),
                .polymorphic("UserOrGroupId", to: ["User", "Group"], "UserOrGroup", children: "Memberships"),
            ]),
        ObjectDefinition(
            "PermissionSet", "Permission Set", "Permission Sets", prefix: "0PS",
            [
                .name("Name", 80), .text("Label", 80, required: true), .text("Description", 255),
                .value("IsCustom", .boolean), .value("IsOwnedByProfile", .boolean),
                .reference("ProfileId", to: "Profile", "Profile", children: "PermissionSets"),
            ]),
        ObjectDefinition(
            "PermissionSetAssignment", "Permission Set Assignment", "Permission Set Assignments", prefix: "0Pa",
            can: [.create, .delete],
            [
                .reference(
                    "PermissionSetId", to: "PermissionSet", "PermissionSet", children: "Assignments", required: true,
                    fixed: true, onDelete: .restrict),
                .reference(
                    "AssigneeId", to: "User", "Assignee", children: "PermissionSetAssignments", required: true,
                    fixed: true),
                .derived("IsActive", .boolean), .value("ExpirationDate", .datetime),
            ]),
        ObjectDefinition(
            "UserRole", "Role", "Roles", prefix: "00E",
            [
                .name("Name", 80), .text("DeveloperName", 80), .text("RollupDescription", 80),
                .reference("ParentRoleId", to: "UserRole", "ParentRole", children: "ChildRoles", onDelete: .restrict),
            ]),
        ObjectDefinition(
            "RecordType", "Record Type", "Record Types", prefix: "012", can: [.create, .update],
            [
                .name("Name", 80), .text("DeveloperName", 80, required: true),
                .pick(
                    "SobjectType", ["Account", "Contact", "Lead", "Opportunity", "Case", "Campaign"], required: true),
                .value("IsActive", .boolean), .text("Description", 255),
            ]),
    ]

    static let stages = [
        "Prospecting", "Qualification", "Needs Analysis", "Value Proposition", "Id. Decision Makers",
        "Perception Analysis",
        "Proposal/Price Quote", "Negotiation/Review", "Closed Won", "Closed Lost",
    ]

    static let sales = [
        ObjectDefinition(
            "Opportunity", "Opportunity", "Opportunities", prefix: "006",
            [
                .name("Name", 120),
                .reference("AccountId", to: "Account", "Account", children: "Opportunities", onDelete: .cascade),
                .pick("StageName", stages, required: true), .value("Amount", .currency),
                .value("Probability", .percent),
                .value("CloseDate", .date, required: true),
                .pick("Type", ["New Customer", "Existing Customer - Upgrade"]),
                .text("NextStep", 255), .pick("LeadSource", leadSources), .derived("IsClosed", .boolean),
                .derived("IsWon", .boolean),
                .pick("ForecastCategoryName", ["Omitted", "Pipeline", "Best Case", "Commit", "Closed"]),
                .reference("CampaignId", to: "Campaign", "Campaign", children: "Opportunities"),
                .reference(
                    "Pricebook2Id", to: "Pricebook2", "Pricebook2", children: "Opportunities", onDelete: .restrict),
                .reference("OwnerId", to: "User", "Owner"), .text("Description", 32_000, .textarea), .recordType,
            ]),
        ObjectDefinition(
            "OpportunityLineItem", "Opportunity Product", "Opportunity Products", prefix: "00k",
            [
                .derivedName("Name", 376),
                .reference(
                    "OpportunityId", to: "Opportunity", "Opportunity", children: "OpportunityLineItems", required: true,
                    fixed: true, onDelete: .cascade),
                .reference(
                    "PricebookEntryId", to: "PricebookEntry", "PricebookEntry", children: "OpportunityLineItems",
                    fixed: true, onDelete: .restrict),
                .reference(
                    "Product2Id", to: "Product2", "Product2", children: "OpportunityLineItems", fixed: true,
                    onDelete: .restrict),
                .value("Quantity", .double, required: true), .value("UnitPrice", .currency),
                .derived("ListPrice", .currency),
                .value("Discount", .percent), .derived("TotalPrice", .currency), .value("ServiceDate", .date),
                .text("Description", 255),
            ]),
        ObjectDefinition(
            "Product2", "Product", "Products", prefix: "01t",
            [
                .name("Name", 255), .text("ProductCode", 255), .pick("Family", ["Hardware", "Software", "Service"]),
                .text("Description", 4_000, .textarea), .value("IsActive", .boolean),
            ]),
        ObjectDefinition(
            "Pricebook2", "Price Book", "Price Books", prefix: "01s",
            [
                .name("Name", 255), .value("IsActive", .boolean), .value("IsStandard", .boolean),
                .text("Description", 255),
            ]),
        ObjectDefinition(
            "PricebookEntry", "Price Book Entry", "Price Book Entries", prefix: "01u",
            [
                .derivedName("Name", 255),
                .reference(
                    "Pricebook2Id", to: "Pricebook2", "Pricebook2", children: "PricebookEntries", required: true,
                    fixed: true, onDelete: .cascade),
                .reference(
                    "Product2Id", to: "Product2", "Product2", children: "PricebookEntries", required: true, fixed: true,
                    onDelete: .cascade),
                .value("UnitPrice", .currency, required: true), .value("IsActive", .boolean),
                .value("UseStandardPrice", .boolean),
            ]),
        ObjectDefinition(
            "Campaign", "Campaign", "Campaigns", prefix: "701",
            [
                .name("Name", 80),
                .pick("Type", ["Conference", "Webinar", "Trade Show", "Partners", "Email", "Advertisement", "Other"]),
                .pick("Status", ["Planned", "In Progress", "Completed", "Aborted"]), .value("StartDate", .date),
                .value("EndDate", .date), .value("BudgetedCost", .currency), .value("ActualCost", .currency),
                .value("ExpectedRevenue", .currency), .value("NumberSent", .double), .value("IsActive", .boolean),
                .reference("ParentId", to: "Campaign", "Parent", children: "ChildCampaigns"),
                .reference("OwnerId", to: "User", "Owner"), .text("Description", 32_000, .textarea), .recordType,
            ]),
    ]
}
