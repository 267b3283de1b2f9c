// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension UsersCommon {
    public enum AccountType: StoneValue, CaseIterable {
        case basic
        case pro
        case business

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("basic pro business")
            switch tag.number {
            case 0: self = .basic
            case 1: self = .pro
            case 2: self = .business
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .basic: writer.tag("basic")
            case .pro: writer.tag("pro")
            case .business: writer.tag("business")
            }
        }
    }
}
