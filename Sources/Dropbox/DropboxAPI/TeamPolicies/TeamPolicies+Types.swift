// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum DefaultLinkExpirationDaysPolicy: StoneError {
        case none_
        case day1
        case day3
        case day7
        case day30
        case day90
        case day180
        case year1
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("none day_1 day_3 day_7 day_30 day_90 day_180 year_1")
            switch tag.number {
            case 0: self = .none_
            case 1: self = .day1
            case 2: self = .day3
            case 3: self = .day7
            case 4: self = .day30
            case 5: self = .day90
            case 6: self = .day180
            case 7: self = .year1
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .none_: writer.tag("none")
            case .day1: writer.tag("day_1")
            case .day3: writer.tag("day_3")
            case .day7: writer.tag("day_7")
            case .day30: writer.tag("day_30")
            case .day90: writer.tag("day_90")
            case .day180: writer.tag("day_180")
            case .year1: writer.tag("year_1")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum EnforceLinkPasswordPolicy: StoneError {
        case optional
        case required
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("optional required")
            switch tag.number {
            case 0: self = .optional
            case 1: self = .required
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .optional: writer.tag("optional")
            case .required: writer.tag("required")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    public enum GroupCreation: StoneValue, CaseIterable {
        case adminsAndMembers
        case adminsOnly

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("admins_and_members admins_only")
            switch tag.number {
            case 0: self = .adminsAndMembers
            case 1: self = .adminsOnly
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .adminsAndMembers: writer.tag("admins_and_members")
            case .adminsOnly: writer.tag("admins_only")
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum OfficeAddInPolicy: StoneValue {
        case disabled
        case enabled
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("disabled enabled")
            switch tag.number {
            case 0: self = .disabled
            case 1: self = .enabled
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .disabled: writer.tag("disabled")
            case .enabled: writer.tag("enabled")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedFolderBlanketLinkRestrictionPolicy: StoneValue {
        case members
        case anyone
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("members anyone")
            switch tag.number {
            case 0: self = .members
            case 1: self = .anyone
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .members: writer.tag("members")
            case .anyone: writer.tag("anyone")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedFolderJoinPolicy: StoneValue {
        case fromTeamOnly
        case fromAnyone
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("from_team_only from_anyone")
            switch tag.number {
            case 0: self = .fromTeamOnly
            case 1: self = .fromAnyone
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .fromTeamOnly: writer.tag("from_team_only")
            case .fromAnyone: writer.tag("from_anyone")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedFolderMemberPolicy: StoneValue {
        case team
        case anyone
        case teamAndApproved
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("team anyone team_and_approved")
            switch tag.number {
            case 0: self = .team
            case 1: self = .anyone
            case 2: self = .teamAndApproved
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .team: writer.tag("team")
            case .anyone: writer.tag("anyone")
            case .teamAndApproved: writer.tag("team_and_approved")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkCreatePolicy: StoneValue {
        case defaultPublic
        case defaultTeamOnly
        case teamOnly
        case defaultNoOne
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("default_public default_team_only team_only default_no_one")
            switch tag.number {
            case 0: self = .defaultPublic
            case 1: self = .defaultTeamOnly
            case 2: self = .teamOnly
            case 3: self = .defaultNoOne
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .defaultPublic: writer.tag("default_public")
            case .defaultTeamOnly: writer.tag("default_team_only")
            case .teamOnly: writer.tag("team_only")
            case .defaultNoOne: writer.tag("default_no_one")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkDefaultPermissionsPolicy: StoneValue {
        case `default`
        case edit
        case view
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("default edit view")
            switch tag.number {
            case 0: self = .`default`
            case 1: self = .edit
            case 2: self = .view
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`default`: writer.tag("default")
            case .edit: writer.tag("edit")
            case .view: writer.tag("view")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension TeamPolicies {
    public struct TeamSharingPolicies: StoneValue {
        public var sharedFolderMemberPolicy: TeamPolicies.SharedFolderMemberPolicy
        public var sharedFolderJoinPolicy: TeamPolicies.SharedFolderJoinPolicy
        public var sharedLinkCreatePolicy: TeamPolicies.SharedLinkCreatePolicy
        public var groupCreationPolicy: TeamPolicies.GroupCreation
        public var sharedFolderLinkRestrictionPolicy: TeamPolicies.SharedFolderBlanketLinkRestrictionPolicy
        public var enforceLinkPasswordPolicy: TeamPolicies.EnforceLinkPasswordPolicy
        public var defaultLinkExpirationDaysPolicy: TeamPolicies.DefaultLinkExpirationDaysPolicy
        public var sharedLinkDefaultPermissionsPolicy: TeamPolicies.SharedLinkDefaultPermissionsPolicy

        public init(
            sharedFolderMemberPolicy: TeamPolicies.SharedFolderMemberPolicy,
            sharedFolderJoinPolicy: TeamPolicies.SharedFolderJoinPolicy,
            sharedLinkCreatePolicy: TeamPolicies.SharedLinkCreatePolicy,
            groupCreationPolicy: TeamPolicies.GroupCreation,
            sharedFolderLinkRestrictionPolicy: TeamPolicies.SharedFolderBlanketLinkRestrictionPolicy,
            enforceLinkPasswordPolicy: TeamPolicies.EnforceLinkPasswordPolicy,
            defaultLinkExpirationDaysPolicy: TeamPolicies.DefaultLinkExpirationDaysPolicy,
            sharedLinkDefaultPermissionsPolicy: TeamPolicies.SharedLinkDefaultPermissionsPolicy
        ) {
            self.sharedFolderMemberPolicy = sharedFolderMemberPolicy
            self.sharedFolderJoinPolicy = sharedFolderJoinPolicy
            self.sharedLinkCreatePolicy = sharedLinkCreatePolicy
            self.groupCreationPolicy = groupCreationPolicy
            self.sharedFolderLinkRestrictionPolicy = sharedFolderLinkRestrictionPolicy
            self.enforceLinkPasswordPolicy = enforceLinkPasswordPolicy
            self.defaultLinkExpirationDaysPolicy = defaultLinkExpirationDaysPolicy
            self.sharedLinkDefaultPermissionsPolicy = sharedLinkDefaultPermissionsPolicy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_member_policy shared_folder_join_policy shared_link_create_policy group_creation_policy shared_folder_link_restriction_policy enforce_link_password_policy default_link_expiration_days_policy shared_link_default_permissions_policy")
            sharedFolderMemberPolicy = try reader.value(slot)
            sharedFolderJoinPolicy = try reader.value(slot + 1)
            sharedLinkCreatePolicy = try reader.value(slot + 2)
            groupCreationPolicy = try reader.value(slot + 3)
            sharedFolderLinkRestrictionPolicy = try reader.value(slot + 4)
            enforceLinkPasswordPolicy = try reader.value(slot + 5)
            defaultLinkExpirationDaysPolicy = try reader.value(slot + 6)
            sharedLinkDefaultPermissionsPolicy = try reader.value(slot + 7)
        }

        public func write(to writer: StoneWriter) {
            writer.value("shared_folder_member_policy", sharedFolderMemberPolicy)
            writer.value("shared_folder_join_policy", sharedFolderJoinPolicy)
            writer.value("shared_link_create_policy", sharedLinkCreatePolicy)
            writer.value("group_creation_policy", groupCreationPolicy)
            writer.value("shared_folder_link_restriction_policy", sharedFolderLinkRestrictionPolicy)
            writer.value("enforce_link_password_policy", enforceLinkPasswordPolicy)
            writer.value("default_link_expiration_days_policy", defaultLinkExpirationDaysPolicy)
            writer.value("shared_link_default_permissions_policy", sharedLinkDefaultPermissionsPolicy)
        }
    }
}

extension TeamPolicies {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TopLevelContentPolicy: StoneValue {
        case adminOnly
        case everyone
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("admin_only everyone")
            switch tag.number {
            case 0: self = .adminOnly
            case 1: self = .everyone
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .adminOnly: writer.tag("admin_only")
            case .everyone: writer.tag("everyone")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
