// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestSDK

/// An address, as a compound field of a record has it; to change it, change the fields that it is made of.
public struct RecordAddress: Codable, Hashable, Sendable {
    /// The lines above the city, with line breaks between.
    public var street: String?
    /// The city, the postal code, the state and the country, as people write them.
    public var city: String?, postalCode: String?, state: String?, country: String?
    /// The ISO codes of state and country, in orgs that keep lists of them.
    public var stateCode: String?, countryCode: String?
    /// Degrees north and east, where the org looked them up.
    public var latitude: Double?, longitude: Double?
    /// How exact the place is: `Address`, `Street`, `City` and others.
    public var geocodeAccuracy: String?

    /// An address of which nothing is known yet.
    public init() {}
}

/// A place, as a compound field of a record has it; to change it, change its two fields.
public struct RecordLocation: Codable, Hashable, Sendable {
    /// Degrees north.
    public var latitude: Double?
    /// Degrees east.
    public var longitude: Double?

    /// A place of which nothing is known yet.
    public init() {}
}

extension RecordAddress: FieldValue {
    /// Reads an address.
    public init?(field json: JSONValue) {
        guard json.object != nil, let address = try? json.decode(RecordAddress.self) else { return nil }
        self = address
    }

    /// The parts that are known.
    public var fieldJSON: JSONValue { (try? JSONValue(encoding: self)) ?? .null }
}

extension RecordLocation: FieldValue {
    /// Reads a place.
    public init?(field json: JSONValue) {
        guard json.object != nil, let location = try? json.decode(RecordLocation.self) else { return nil }
        self = location
    }

    /// The parts that are known.
    public var fieldJSON: JSONValue { (try? JSONValue(encoding: self)) ?? .null }
}
