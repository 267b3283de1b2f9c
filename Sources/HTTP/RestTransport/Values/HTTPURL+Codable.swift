// SPDX-License-Identifier: Apache-2.0

extension HTTPURL: Codable {
    /// Decodes an absolute URL from a string.
    ///
    /// - Throws: ``HTTPURL/ParsingError``.
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the URL as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Origin: Codable {
    /// Decodes the origin of an absolute URL.
    ///
    /// - Throws: ``HTTPURL/ParsingError``.
    public init(from decoder: any Decoder) throws { self = try HTTPURL(from: decoder).origin }

    /// Encodes the origin as a URL string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
