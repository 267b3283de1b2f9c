// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Who works in the org.
    ///
    /// Users and profiles are read through the API and made with the sample data.
    static let people = [
        ObjectDefinition(
            "User", "User", "Users", prefix: "005",
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
            ]),
        ObjectDefinition(
            "Profile", "Profile", "Profiles", prefix: "00e",
            [.name("Name", 255), .pick("UserType", ["Standard", "Guest"]), .text("Description", 255)]),
    ]
}
