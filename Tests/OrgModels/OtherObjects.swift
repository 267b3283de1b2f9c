// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by soql models 1 (kind: models; references).
// Do not change it; run soql models again when the org has changed.

public import RestModels

/// The object `Campaign`, which has no generated model.
nonisolated public enum Campaign: RecordObject {
    /// The API name.
    public static let objectName = "Campaign"
}

/// The object `Pricebook2`, which has no generated model.
nonisolated public enum Pricebook2: RecordObject {
    /// The API name.
    public static let objectName = "Pricebook2"
}

/// The object `Profile`, which has no generated model.
nonisolated public enum Profile: RecordObject {
    /// The API name.
    public static let objectName = "Profile"
}

/// The object `RecordType`, which has no generated model.
nonisolated public enum RecordType: RecordObject {
    /// The API name.
    public static let objectName = "RecordType"
}

/// The object `Unknown__c`, which has no generated model.
nonisolated public enum Unknown: RecordObject {
    /// The API name.
    public static let objectName = "Unknown__c"
}

/// The object `UserRole`, which has no generated model.
nonisolated public enum UserRole: RecordObject {
    /// The API name.
    public static let objectName = "UserRole"
}
