// SPDX-License-Identifier: Apache-2.0

/// How far a place is from a fixed one: `DISTANCE(Place__c, GEOLOCATION(37.775, -122.418), 'mi')`.
public struct SOQLDistance: Sendable, Hashable {
    /// The units; the raw value is what is written.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// Miles of 1,609.344 metres.
        case miles = "mi"
        /// Kilometres.
        case kilometers = "km"
    }

    /// The field that holds a place.
    public var field: SOQLPath
    /// The fixed place in degrees.
    public var latitude: SOQLNumber, longitude: SOQLNumber
    /// The unit of the answer.
    public var unit: Unit
    /// Where DISTANCE was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A distance.
    public init(
        _ field: SOQLPath, latitude: SOQLNumber, longitude: SOQLNumber, _ unit: Unit,
        position: SOQLPosition = .start
    ) {
        self.field = field
        self.latitude = latitude
        self.longitude = longitude
        self.unit = unit
        self.position = position
    }
}
