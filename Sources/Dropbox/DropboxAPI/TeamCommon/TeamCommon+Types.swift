// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension TeamCommon {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GroupManagementType: StoneValue {
        case userManaged
        case companyManaged
        case systemManaged
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_managed company_managed system_managed")
            switch tag.number {
            case 0: self = .userManaged
            case 1: self = .companyManaged
            case 2: self = .systemManaged
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userManaged: writer.tag("user_managed")
            case .companyManaged: writer.tag("company_managed")
            case .systemManaged: writer.tag("system_managed")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamCommon {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum GroupType: StoneValue {
        case team
        case userManaged
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("team user_managed")
            switch tag.number {
            case 0: self = .team
            case 1: self = .userManaged
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .team: writer.tag("team")
            case .userManaged: writer.tag("user_managed")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamCommon {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberSpaceLimitType: StoneValue {
        case off
        case alertOnly
        case stopSync
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("off alert_only stop_sync")
            switch tag.number {
            case 0: self = .off
            case 1: self = .alertOnly
            case 2: self = .stopSync
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .off: writer.tag("off")
            case .alertOnly: writer.tag("alert_only")
            case .stopSync: writer.tag("stop_sync")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
