// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
package import SOQLStore

/// The objects of an org: the standard ones, and what a description adds to them.
public struct OrgSchema: Sendable {
    package let schema: Schema

    package init(_ schema: Schema) {
        self.schema = schema
    }

    /// Reads a description in the JSON of the platform's describe resource, so that a real org's can be loaded.
    ///
    /// It is the describe of one object, a list of them, or `{"sobjects": […]}`. Of a standard object only what is new
    /// has to be in it. Every object has `Id` and the fields that the org sets itself, described or not.
    ///
    /// - Throws: `LocalOrgError` with the code `invalidSchema`, which names the object, the field and the
    ///   place in the JSON.
    public init(describe: [UInt8]) throws(LocalOrgError) {
        var reader = DescribeReader(adding: Catalogue.standard.objects)
        do throws(SchemaError) {
            schema = try reader.read(describe)
        } catch {
            throw LocalOrgError(code: .invalidSchema, message: "the schema cannot be used: \(error)")
        }
    }
}
