// SPDX-License-Identifier: Apache-2.0

/// What a record says of itself, for rows that can be of several objects.
public struct RowAttributes: Decodable, Hashable, Sendable {
    /// The API name of the record's object.
    public let object: String

    private enum Keys: String, CodingKey { case attributes, type }

    /// Reads the attributes of the record that the decoder is at.
    public init(from decoder: any Decoder) throws {
        let record = try decoder.container(keyedBy: Keys.self)
        object = try record.nestedContainer(keyedBy: Keys.self, forKey: .attributes).decode(String.self, forKey: .type)
    }
}
