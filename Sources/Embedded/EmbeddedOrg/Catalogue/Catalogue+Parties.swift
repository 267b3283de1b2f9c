// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    static let industries = [
        "Agriculture", "Apparel", "Banking", "Biotechnology", "Chemicals", "Communications", "Construction",
        "Consulting",
        "Education", "Electronics", "Energy", "Engineering", "Entertainment", "Finance", "Food & Beverage",
        "Government",
        "Healthcare", "Hospitality", "Insurance", "Machinery", "Manufacturing", "Media", "Retail", "Technology",
        "Telecommunications", "Transportation", "Utilities", "Other",
    ]
    static let salutations = ["Mr.", "Ms.", "Mrs.", "Dr.", "Prof.", "Mx."]
    static let leadSources = ["Web", "Phone Inquiry", "Partner Referral", "Purchased List", "Trade Show", "Other"]
    static let ratings = ["Hot", "Warm", "Cold"]

    /// The objects of customers and prospects.
    static let parties = [
        ObjectDefinition(
            "Account", "Account", "Accounts", prefix: "001",
            [
                .name("Name", 255),
                .pick(
                    "Type",
                    [
                        "Prospect", "Customer - Direct", "Customer - Channel", "Technology Partner",
                        "Installation Partner", "Other",
                    ]),
                .pick("Industry", industries), .pick("Rating", ratings),
                .pick("Ownership", ["Public", "Private", "Subsidiary", "Other"]),
                .value("AnnualRevenue", .currency), .value("NumberOfEmployees", .int), .text("AccountNumber", 40),
                .text("Phone", 40, .phone), .text("Fax", 40, .phone), .text("Website", 255, .url), .text("Site", 80),
                .text("Description", 32_000, .textarea), .pick("AccountSource", leadSources),
                .reference("ParentId", to: "Account", "Parent", children: "ChildAccounts"),
                .reference("OwnerId", to: "User", "Owner"), .externalID, .recordType, .masterRecord("Account"),
            ] + FieldDefinition.address("Billing") + FieldDefinition.address("Shipping")),
        ObjectDefinition(
            "Contact", "Contact", "Contacts", prefix: "003",
            [
                .derivedName("Name", 121), .pick("Salutation", salutations), .text("FirstName", 40),
                .text("LastName", 80, required: true),
                .reference("AccountId", to: "Account", "Account", children: "Contacts", onDelete: .cascade),
                .reference("ReportsToId", to: "Contact", "ReportsTo"), .reference("OwnerId", to: "User", "Owner"),
                .text("Title", 128), .text("Department", 80), .text("Email", 80, .email), .text("Phone", 40, .phone),
                .text("MobilePhone", 40, .phone), .value("Birthdate", .date), .pick("LeadSource", leadSources),
                .value("DoNotCall", .boolean), .text("Description", 32_000, .textarea), .externalID, .recordType,
                .masterRecord("Contact"),
            ] + FieldDefinition.address("Mailing")),
        ObjectDefinition(
            "Lead", "Lead", "Leads", prefix: "00Q",
            [
                .derivedName("Name", 121), .pick("Salutation", salutations), .text("FirstName", 40),
                .text("LastName", 80, required: true), .text("Company", 255, required: true), .text("Title", 128),
                .text("Email", 80, .email), .text("Phone", 40, .phone), .text("Website", 255, .url),
                .pick(
                    "Status",
                    ["Open - Not Contacted", "Working - Contacted", "Closed - Converted", "Closed - Not Converted"],
                    required: true),
                .pick("LeadSource", leadSources), .pick("Industry", industries), .pick("Rating", ratings),
                .value("AnnualRevenue", .currency), .value("NumberOfEmployees", .int), .value("IsConverted", .boolean),
                .text("Description", 32_000, .textarea), .reference("OwnerId", to: "User", "Owner"), .recordType,
                .masterRecord("Lead"),
            ] + FieldDefinition.address("")),
    ]
}

extension Catalogue {
    /// Who works in the org.
    ///
    /// Users and profiles come with the sample data. The API can create and change them, but not delete them.
    static let people = [
        ObjectDefinition(
            "User", "User", "Users", prefix: "005", can: [.create, .update],
            [
                .derivedName("Name", 121), .text("Username", 80, required: true), .text("FirstName", 40),
                .text("LastName", 80, required: true), .text("Email", 128, .email, required: true),
                .text("Alias", 8, required: true), .text("Title", 80), .text("Department", 80),
                .text("Phone", 40, .phone),
                .value("IsActive", .boolean), .pick("UserType", ["Standard", "Guest"]),
                .pick(
                    "TimeZoneSidKey",
                    ["GMT", "Europe/London", "Europe/Berlin", "America/New_York", "America/Los_Angeles"]),
                .pick("LocaleSidKey", ["en_US", "en_GB", "de_DE"]), .pick("LanguageLocaleKey", ["en_US", "de"]),
                .reference("ProfileId", to: "Profile", "Profile", children: "Users", required: true),
                .reference("ManagerId", to: "User", "Manager", children: "ManagedUsers"),
                .reference("UserRoleId", to: "UserRole", "UserRole", children: "Users", onDelete: .restrict),
            ]),
        ObjectDefinition(
            "Profile", "Profile", "Profiles", prefix: "00e", can: [.create, .update],
            [.name("Name", 255), .pick("UserType", ["Standard", "Guest"]), .text("Description", 255)]),
    ]
}
