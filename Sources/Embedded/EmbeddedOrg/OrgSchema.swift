// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
package import SOQLStore

/// The objects of an org: the standard ones with additions of a description.
public struct OrgSchema: Sendable {
    package let schema: Schema

    package init(_ schema: Schema) {
        self.schema = schema
    }

    /// Reads a description in the JSON of Salesforce's describe resource, such as that of a real org.
    ///
    /// The JSON is the describe of one object, a list of them, or `{"sobjects": […]}`. A standard object needs only its
    /// additional fields. Every object has `Id` and the system fields, even if they are not described.
    ///
    /// - Throws: `StartError` with the code `invalidSchema`, which names the object, the field and the position in the
    ///   JSON.
    public init(describe: [UInt8]) throws(StartError) {
        var reader = DescribeReader(adding: Catalogue.standard.objects)
        do throws(SchemaError) {
            schema = try reader.read(describe)
        } catch {
            throw StartError(.invalidSchema, "the schema cannot be used: \(error)")
        }
    }
}
