// SPDX-License-Identifier: Apache-2.0

extension HTTPURL: Codable {
    /// Reads an absolute URL from its text.
    ///
    /// - Throws: ``HTTPURL/ParsingError``.
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the URL as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Origin: Codable {
    /// Reads the origin of an absolute URL.
    ///
    /// - Throws: ``HTTPURL/ParsingError``.
    public init(from decoder: any Decoder) throws {
        self = try HTTPURL(from: decoder).origin
    }

    /// Writes the origin as the text of a URL.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
