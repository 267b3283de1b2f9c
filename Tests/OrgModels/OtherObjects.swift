// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; references).
// Do not change it; run soql models again when the org has changed.

public import RestModels

/// The object `Campaign`, of which there is no model here.
nonisolated public enum Campaign: RecordObject {
    /// The API name.
    public static let objectName = "Campaign"
}

/// The object `Pricebook2`, of which there is no model here.
nonisolated public enum Pricebook2: RecordObject {
    /// The API name.
    public static let objectName = "Pricebook2"
}

/// The object `Profile`, of which there is no model here.
nonisolated public enum Profile: RecordObject {
    /// The API name.
    public static let objectName = "Profile"
}

/// The object `RecordType`, of which there is no model here.
nonisolated public enum RecordType: RecordObject {
    /// The API name.
    public static let objectName = "RecordType"
}

/// The object `Unknown__c`, of which there is no model here.
nonisolated public enum Unknown: RecordObject {
    /// The API name.
    public static let objectName = "Unknown__c"
}

/// The object `UserRole`, of which there is no model here.
nonisolated public enum UserRole: RecordObject {
    /// The API name.
    public static let objectName = "UserRole"
}
