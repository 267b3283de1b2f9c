// SPDX-License-Identifier: Apache-2.0

extension OrgSchema {
    /// Reads a description in the JSON of the platform's describe resource, so that a real org's can be loaded.
    ///
    /// It is the describe of one object, a list of them, or `{"sobjects": […]}`. Of a standard object only what is new
    /// has to be in it. Every object has `Id` and the fields that the org sets itself, described or not.
    ///
    /// - Throws: `LocalOrgError` with ``LocalOrgError/Code/invalidSchema``, which names the object, the field and the
    ///   place in the JSON.
    public init(describe: [UInt8]) throws(LocalOrgError) {
        var reader = DescribeReader()
        self.init(try reader.read(describe))
    }
}
