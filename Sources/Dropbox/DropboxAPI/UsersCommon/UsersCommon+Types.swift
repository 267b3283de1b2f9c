// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension UsersCommon {
    /// The union `AccountType`.
    public enum AccountType: StoneValue, CaseIterable {
        /// The tag `basic`.
        case basic
        /// The tag `pro`.
        case pro
        /// The tag `business`.
        case business

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("basic pro business")
            switch tag.number {
            case 0: self = .basic
            case 1: self = .pro
            case 2: self = .business
            default: throw reader.unknownTag(tag)
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .basic: writer.tag("basic")
            case .pro: writer.tag("pro")
            case .business: writer.tag("business")
            }
        }
    }
}
