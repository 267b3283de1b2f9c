// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    static let stages = [
        "Prospecting", "Qualification", "Needs Analysis", "Value Proposition", "Id. Decision Makers",
        "Perception Analysis",
        "Proposal/Price Quote", "Negotiation/Review", "Closed Won", "Closed Lost",
    ]

    /// The objects of sales.
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
