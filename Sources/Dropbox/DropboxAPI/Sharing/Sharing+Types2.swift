// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Sharing {
    public struct LinkPermissions: StoneError {
        public var canRevoke: Bool
        public var visibilityPolicies: [Sharing.VisibilityPolicy]
        public var canSetExpiry: Bool
        public var canRemoveExpiry: Bool
        public var allowDownload: Bool
        public var canAllowDownload: Bool
        public var canDisallowDownload: Bool
        var _allowComments: Bool
        @available(*, deprecated)
        public var allowComments: Bool {
            get { _allowComments }
            set { _allowComments = newValue }
        }
        var _teamRestrictsComments: Bool
        @available(*, deprecated)
        public var teamRestrictsComments: Bool {
            get { _teamRestrictsComments }
            set { _teamRestrictsComments = newValue }
        }
        public var resolvedVisibility: Sharing.ResolvedVisibility?
        public var requestedVisibility: Sharing.RequestedVisibility?
        public var revokeFailureReason: Sharing.SharedLinkAccessFailureReason?
        public var effectiveAudience: Sharing.LinkAudience?
        public var linkAccessLevel: Sharing.LinkAccessLevel?
        public var audienceOptions: [Sharing.LinkAudienceOption]?
        public var canSetPassword: Bool?
        public var canRemovePassword: Bool?
        public var requirePassword: Bool?
        public var canUseExtendedSharingControls: Bool?
        public var canSync: Bool?
        public var canRequestAccess: Bool?
        public var enforceSharedLinkPasswordPolicy: TeamPolicies.EnforceLinkPasswordPolicy?
        public var daysToExpirePolicy: TeamPolicies.DefaultLinkExpirationDaysPolicy?
        public var changeSharedLinkExpirationPolicy: Sharing.ChangeLinkExpirationPolicy?

        public init(
            canRevoke: Bool, visibilityPolicies: [Sharing.VisibilityPolicy], canSetExpiry: Bool, canRemoveExpiry: Bool,
            allowDownload: Bool, canAllowDownload: Bool, canDisallowDownload: Bool, allowComments: Bool,
            teamRestrictsComments: Bool, resolvedVisibility: Sharing.ResolvedVisibility? = nil,
            requestedVisibility: Sharing.RequestedVisibility? = nil,
            revokeFailureReason: Sharing.SharedLinkAccessFailureReason? = nil,
            effectiveAudience: Sharing.LinkAudience? = nil, linkAccessLevel: Sharing.LinkAccessLevel? = nil,
            audienceOptions: [Sharing.LinkAudienceOption]? = nil, canSetPassword: Bool? = nil,
            canRemovePassword: Bool? = nil, requirePassword: Bool? = nil, canUseExtendedSharingControls: Bool? = nil,
            canSync: Bool? = nil, canRequestAccess: Bool? = nil,
            enforceSharedLinkPasswordPolicy: TeamPolicies.EnforceLinkPasswordPolicy? = nil,
            daysToExpirePolicy: TeamPolicies.DefaultLinkExpirationDaysPolicy? = nil,
            changeSharedLinkExpirationPolicy: Sharing.ChangeLinkExpirationPolicy? = nil
        ) {
            self.canRevoke = canRevoke
            self.visibilityPolicies = visibilityPolicies
            self.canSetExpiry = canSetExpiry
            self.canRemoveExpiry = canRemoveExpiry
            self.allowDownload = allowDownload
            self.canAllowDownload = canAllowDownload
            self.canDisallowDownload = canDisallowDownload
            _allowComments = allowComments
            _teamRestrictsComments = teamRestrictsComments
            self.resolvedVisibility = resolvedVisibility
            self.requestedVisibility = requestedVisibility
            self.revokeFailureReason = revokeFailureReason
            self.effectiveAudience = effectiveAudience
            self.linkAccessLevel = linkAccessLevel
            self.audienceOptions = audienceOptions
            self.canSetPassword = canSetPassword
            self.canRemovePassword = canRemovePassword
            self.requirePassword = requirePassword
            self.canUseExtendedSharingControls = canUseExtendedSharingControls
            self.canSync = canSync
            self.canRequestAccess = canRequestAccess
            self.enforceSharedLinkPasswordPolicy = enforceSharedLinkPasswordPolicy
            self.daysToExpirePolicy = daysToExpirePolicy
            self.changeSharedLinkExpirationPolicy = changeSharedLinkExpirationPolicy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("can_revoke visibility_policies can_set_expiry can_remove_expiry allow_download can_allow_download can_disallow_download allow_comments team_restricts_comments resolved_visibility requested_visibility revoke_failure_reason effective_audience link_access_level audience_options can_set_password can_remove_password require_password can_use_extended_sharing_controls can_sync can_request_access enforce_shared_link_password_policy days_to_expire_policy change_shared_link_expiration_policy")
            canRevoke = try reader.bool(slot)
            visibilityPolicies = try reader.list(slot + 1)
            canSetExpiry = try reader.bool(slot + 2)
            canRemoveExpiry = try reader.bool(slot + 3)
            allowDownload = try reader.bool(slot + 4)
            canAllowDownload = try reader.bool(slot + 5)
            canDisallowDownload = try reader.bool(slot + 6)
            _allowComments = try reader.bool(slot + 7)
            _teamRestrictsComments = try reader.bool(slot + 8)
            resolvedVisibility = try reader.optionalValue(slot + 9)
            requestedVisibility = try reader.optionalValue(slot + 10)
            revokeFailureReason = try reader.optionalValue(slot + 11)
            effectiveAudience = try reader.optionalValue(slot + 12)
            linkAccessLevel = try reader.optionalValue(slot + 13)
            audienceOptions = try reader.optionalList(slot + 14)
            canSetPassword = try reader.optionalBool(slot + 15)
            canRemovePassword = try reader.optionalBool(slot + 16)
            requirePassword = try reader.optionalBool(slot + 17)
            canUseExtendedSharingControls = try reader.optionalBool(slot + 18)
            canSync = try reader.optionalBool(slot + 19)
            canRequestAccess = try reader.optionalBool(slot + 20)
            enforceSharedLinkPasswordPolicy = try reader.optionalValue(slot + 21)
            daysToExpirePolicy = try reader.optionalValue(slot + 22)
            changeSharedLinkExpirationPolicy = try reader.optionalValue(slot + 23)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("can_revoke", canRevoke)
            writer.list("visibility_policies", visibilityPolicies)
            writer.bool("can_set_expiry", canSetExpiry)
            writer.bool("can_remove_expiry", canRemoveExpiry)
            writer.bool("allow_download", allowDownload)
            writer.bool("can_allow_download", canAllowDownload)
            writer.bool("can_disallow_download", canDisallowDownload)
            writer.bool("allow_comments", _allowComments)
            writer.bool("team_restricts_comments", _teamRestrictsComments)
            writer.value("resolved_visibility", resolvedVisibility)
            writer.value("requested_visibility", requestedVisibility)
            writer.value("revoke_failure_reason", revokeFailureReason)
            writer.value("effective_audience", effectiveAudience)
            writer.value("link_access_level", linkAccessLevel)
            writer.list("audience_options", audienceOptions)
            writer.bool("can_set_password", canSetPassword)
            writer.bool("can_remove_password", canRemovePassword)
            writer.bool("require_password", requirePassword)
            writer.bool("can_use_extended_sharing_controls", canUseExtendedSharingControls)
            writer.bool("can_sync", canSync)
            writer.bool("can_request_access", canRequestAccess)
            writer.value("enforce_shared_link_password_policy", enforceSharedLinkPasswordPolicy)
            writer.value("days_to_expire_policy", daysToExpirePolicy)
            writer.value("change_shared_link_expiration_policy", changeSharedLinkExpirationPolicy)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { visibilityPolicies + [resolvedVisibility].compactMap { $0 } + [requestedVisibility].compactMap { $0 } + [revokeFailureReason].compactMap { $0 } + [effectiveAudience].compactMap { $0 } + [linkAccessLevel].compactMap { $0 } + [enforceSharedLinkPasswordPolicy].compactMap { $0 } + [daysToExpirePolicy].compactMap { $0 } + [changeSharedLinkExpirationPolicy].compactMap { $0 } }
    }
}

extension Sharing {
    public struct LinkSettings: StoneValue {
        public var accessLevel: Sharing.AccessLevel?
        public var audience: Sharing.LinkAudience?
        public var expiry: Sharing.LinkExpiry?
        public var password: Sharing.LinkPassword?

        public init(
            accessLevel: Sharing.AccessLevel? = nil, audience: Sharing.LinkAudience? = nil,
            expiry: Sharing.LinkExpiry? = nil, password: Sharing.LinkPassword? = nil
        ) {
            self.accessLevel = accessLevel
            self.audience = audience
            self.expiry = expiry
            self.password = password
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_level audience expiry password")
            accessLevel = try reader.optionalValue(slot)
            audience = try reader.optionalValue(slot + 1)
            expiry = try reader.optionalValue(slot + 2)
            password = try reader.optionalValue(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_level", accessLevel)
            writer.value("audience", audience)
            writer.value("expiry", expiry)
            writer.value("password", password)
        }
    }
}

extension Sharing {
    public struct ListFileMembersArg: StoneValue {
        public var file: String
        public var actions: [Sharing.MemberAction]?
        public var includeInherited: Bool
        public var limit: UInt32

        public init(
            file: String, actions: [Sharing.MemberAction]? = nil, includeInherited: Bool = true, limit: UInt32 = 100
        ) {
            self.file = file
            self.actions = actions
            self.includeInherited = includeInherited
            self.limit = limit
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file actions include_inherited limit")
            file = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
            includeInherited = try reader.optionalBool(slot + 2) ?? true
            limit = try reader.optionalUInt32(slot + 3) ?? 100
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.list("actions", actions)
            writer.bool("include_inherited", includeInherited)
            writer.uint32("limit", limit)
        }
    }
}

extension Sharing {
    public struct ListFileMembersBatchArg: StoneValue {
        public var files: [String]
        public var limit: UInt32

        public init(files: [String], limit: UInt32 = 1000) {
            self.files = files
            self.limit = limit
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("files limit")
            files = try reader.strings(slot)
            limit = try reader.optionalUInt32(slot + 1) ?? 1000
        }

        public func write(to writer: StoneWriter) {
            writer.strings("files", files)
            writer.uint32("limit", limit)
        }
    }
}

extension Sharing {
    public struct ListFileMembersBatchResult: StoneValue {
        public var file: String
        public var result: Sharing.ListFileMembersIndividualResult

        public init(file: String, result: Sharing.ListFileMembersIndividualResult) {
            self.file = file
            self.result = result
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file result")
            file = try reader.string(slot)
            result = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.value("result", result)
        }
    }
}

extension Sharing {
    public struct ListFileMembersContinueArg: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileMembersContinueError: StoneError {
        case userError(Sharing.SharingUserError)
        case accessError(Sharing.SharingFileAccessError)
        case invalidCursor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error invalid_cursor")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            case 2: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ListFileMembersCountResult: StoneValue {
        public var members: Sharing.SharedFileMembers
        public var memberCount: UInt32

        public init(members: Sharing.SharedFileMembers, memberCount: UInt32) {
            self.members = members
            self.memberCount = memberCount
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("members member_count")
            members = try reader.value(slot)
            memberCount = try reader.uint32(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.value("members", members)
            writer.uint32("member_count", memberCount)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileMembersError: StoneError {
        case userError(Sharing.SharingUserError)
        case accessError(Sharing.SharingFileAccessError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFileMembersIndividualResult: StoneValue {
        case result(Sharing.ListFileMembersCountResult)
        case accessError(Sharing.SharingFileAccessError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("result access_error")
            switch tag.number {
            case 0: self = .result(try reader.flattened(tag))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .result(let value):
                writer.tag("result")
                value.write(to: writer)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct ListFilesArg: StoneValue {
        public var limit: UInt32
        public var actions: [Sharing.FileAction]?

        public init(limit: UInt32 = 100, actions: [Sharing.FileAction]? = nil) {
            self.limit = limit
            self.actions = actions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("limit actions")
            limit = try reader.optionalUInt32(slot) ?? 100
            actions = try reader.optionalList(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.uint32("limit", limit)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    public struct ListFilesContinueArg: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFilesContinueError: StoneError {
        case userError(Sharing.SharingUserError)
        case invalidCursor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error invalid_cursor")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ListFilesResult: StoneValue {
        public var entries: [Sharing.SharedFileMetadata]
        public var cursor: String?

        public init(entries: [Sharing.SharedFileMetadata], cursor: String? = nil) {
            self.entries = entries
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries cursor")
            entries = try reader.list(slot)
            cursor = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    public struct ListFolderMembersArgs: StoneValue {
        public var sharedFolderID: String
        public var actions: [Sharing.MemberAction]?
        public var limit: UInt32
        public var path: String?

        public init(
            sharedFolderID: String, actions: [Sharing.MemberAction]? = nil, limit: UInt32 = 1000, path: String? = nil
        ) {
            self.sharedFolderID = sharedFolderID
            self.actions = actions
            self.limit = limit
            self.path = path
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id actions limit path")
            sharedFolderID = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
            limit = try reader.optionalUInt32(slot + 2) ?? 1000
            path = try reader.optionalString(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.list("actions", actions)
            writer.uint32("limit", limit)
            writer.string("path", path)
        }
    }
}

extension Sharing {
    public struct ListFolderMembersContinueArg: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFolderMembersContinueError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case invalidCursor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error invalid_cursor")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ListFolderMembersCursorArg: StoneValue {
        public var actions: [Sharing.MemberAction]?
        public var limit: UInt32

        public init(actions: [Sharing.MemberAction]? = nil, limit: UInt32 = 1000) {
            self.actions = actions
            self.limit = limit
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("actions limit")
            actions = try reader.optionalList(slot)
            limit = try reader.optionalUInt32(slot + 1) ?? 1000
        }

        public func write(to writer: StoneWriter) {
            writer.list("actions", actions)
            writer.uint32("limit", limit)
        }
    }
}

extension Sharing {
    public struct ListFoldersArgs: StoneValue {
        public var limit: UInt32
        public var actions: [Sharing.FolderAction]?

        public init(limit: UInt32 = 1000, actions: [Sharing.FolderAction]? = nil) {
            self.limit = limit
            self.actions = actions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("limit actions")
            limit = try reader.optionalUInt32(slot) ?? 1000
            actions = try reader.optionalList(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.uint32("limit", limit)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    public struct ListFoldersContinueArg: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListFoldersContinueError: StoneError {
        case invalidCursor
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_cursor")
            switch tag.number {
            case 0: self = .invalidCursor
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidCursor: writer.tag("invalid_cursor")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct ListFoldersResult: StoneValue {
        public var entries: [Sharing.SharedFolderMetadata]
        public var cursor: String?

        public init(entries: [Sharing.SharedFolderMetadata], cursor: String? = nil) {
            self.entries = entries
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries cursor")
            entries = try reader.list(slot)
            cursor = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    public struct ListSharedLinksArg: StoneValue {
        public var path: String?
        public var cursor: String?
        public var directOnly: Bool?

        public init(path: String? = nil, cursor: String? = nil, directOnly: Bool? = nil) {
            self.path = path
            self.cursor = cursor
            self.directOnly = directOnly
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path cursor direct_only")
            path = try reader.optionalString(slot)
            cursor = try reader.optionalString(slot + 1)
            directOnly = try reader.optionalBool(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.string("cursor", cursor)
            writer.bool("direct_only", directOnly)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ListSharedLinksError: StoneError {
        case path(Files.LookupError)
        case reset
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("path reset")
            switch tag.number {
            case 0: self = .path(try reader.value(reader.payload(tag)))
            case 1: self = .reset
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .reset: writer.tag("reset")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ListSharedLinksResult: StoneValue {
        public var links: [Sharing.SharedLinkMetadata]
        public var hasMore: Bool
        public var cursor: String?

        public init(links: [Sharing.SharedLinkMetadata], hasMore: Bool, cursor: String? = nil) {
            self.links = links
            self.hasMore = hasMore
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("links has_more cursor")
            links = try reader.list(slot)
            hasMore = try reader.bool(slot + 1)
            cursor = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.list("links", links)
            writer.bool("has_more", hasMore)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    public struct MemberAccessLevelResult: StoneError {
        public var accessLevel: Sharing.AccessLevel?
        public var warning: String?
        public var accessDetails: [Sharing.ParentFolderAccessInfo]?

        public init(
            accessLevel: Sharing.AccessLevel? = nil, warning: String? = nil,
            accessDetails: [Sharing.ParentFolderAccessInfo]? = nil
        ) {
            self.accessLevel = accessLevel
            self.warning = warning
            self.accessDetails = accessDetails
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_level warning access_details")
            accessLevel = try reader.optionalValue(slot)
            warning = try reader.optionalString(slot + 1)
            accessDetails = try reader.optionalList(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_level", accessLevel)
            writer.string("warning", warning)
            writer.list("access_details", accessDetails)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [accessLevel].compactMap { $0 } }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberAction: StoneError {
        case leaveACopy
        case makeEditor
        case makeOwner
        case makeViewer
        case makeViewerNoComment
        case remove
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("leave_a_copy make_editor make_owner make_viewer make_viewer_no_comment remove")
            switch tag.number {
            case 0: self = .leaveACopy
            case 1: self = .makeEditor
            case 2: self = .makeOwner
            case 3: self = .makeViewer
            case 4: self = .makeViewerNoComment
            case 5: self = .remove
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .leaveACopy: writer.tag("leave_a_copy")
            case .makeEditor: writer.tag("make_editor")
            case .makeOwner: writer.tag("make_owner")
            case .makeViewer: writer.tag("make_viewer")
            case .makeViewerNoComment: writer.tag("make_viewer_no_comment")
            case .remove: writer.tag("remove")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct MemberPermission: StoneError {
        public var action: Sharing.MemberAction
        public var allow: Bool
        public var reason: Sharing.PermissionDeniedReason?

        public init(action: Sharing.MemberAction, allow: Bool, reason: Sharing.PermissionDeniedReason? = nil) {
            self.action = action
            self.allow = allow
            self.reason = reason
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("action allow reason")
            action = try reader.value(slot)
            allow = try reader.bool(slot + 1)
            reason = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("action", action)
            writer.bool("allow", allow)
            writer.value("reason", reason)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [action] + [reason].compactMap { $0 } }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberPolicy: StoneError {
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

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MemberSelector: StoneValue {
        case dropboxID(String)
        case email(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("dropbox_id email")
            switch tag.number {
            case 0: self = .dropboxID(try reader.string(reader.payload(tag)))
            case 1: self = .email(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .dropboxID(let value):
                writer.tag("dropbox_id")
                writer.string("dropbox_id", value)
            case .email(let value):
                writer.tag("email")
                writer.string("email", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct MembershipInfo: StoneValue {
        public var accessType: Sharing.AccessLevel
        public var permissions: [Sharing.MemberPermission]?
        var _initials: String?
        @available(*, deprecated)
        public var initials: String? {
            get { _initials }
            set { _initials = newValue }
        }
        public var isInherited: Bool

        public init(
            accessType: Sharing.AccessLevel, permissions: [Sharing.MemberPermission]? = nil, initials: String? = nil,
            isInherited: Bool = false
        ) {
            self.accessType = accessType
            self.permissions = permissions
            _initials = initials
            self.isInherited = isInherited
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type permissions initials is_inherited")
            accessType = try reader.value(slot)
            permissions = try reader.optionalList(slot + 1)
            _initials = try reader.optionalString(slot + 2)
            isInherited = try reader.optionalBool(slot + 3) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.list("permissions", permissions)
            writer.string("initials", _initials)
            writer.bool("is_inherited", isInherited)
        }
    }
}

extension Sharing {
    public struct ModifySharedLinkSettingsArgs: StoneValue {
        public var url: String
        public var settings: Sharing.SharedLinkSettings
        public var removeExpiration: Bool

        public init(url: String, settings: Sharing.SharedLinkSettings, removeExpiration: Bool = false) {
            self.url = url
            self.settings = settings
            self.removeExpiration = removeExpiration
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url settings remove_expiration")
            url = try reader.string(slot)
            settings = try reader.value(slot + 1)
            removeExpiration = try reader.optionalBool(slot + 2) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.value("settings", settings)
            writer.bool("remove_expiration", removeExpiration)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ModifySharedLinkSettingsError: StoneError {
        case sharedLinkNotFound
        case sharedLinkAccessDenied
        case unsupportedLinkType
        case unsupportedParameterField
        case settingsError(Sharing.SharedLinkSettingsError)
        case emailNotVerified
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field settings_error email_not_verified")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            case 4: self = .settingsError(try reader.value(reader.payload(tag)))
            case 5: self = .emailNotVerified
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .settingsError(let value):
                writer.tag("settings_error")
                writer.value("settings_error", value)
            case .emailNotVerified: writer.tag("email_not_verified")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .settingsError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct MountFolderArg: StoneValue {
        public var sharedFolderID: String

        public init(sharedFolderID: String) {
            self.sharedFolderID = sharedFolderID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id")
            sharedFolderID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum MountFolderError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case insideSharedFolder
        case insufficientQuota(Sharing.InsufficientQuotaAmounts)
        case alreadyMounted
        case noPermission
        case notMountable
        case mustAutomount
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error inside_shared_folder insufficient_quota already_mounted no_permission not_mountable must_automount")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .insideSharedFolder
            case 2: self = .insufficientQuota(try reader.flattened(tag))
            case 3: self = .alreadyMounted
            case 4: self = .noPermission
            case 5: self = .notMountable
            case 6: self = .mustAutomount
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .insideSharedFolder: writer.tag("inside_shared_folder")
            case .insufficientQuota(let value):
                writer.tag("insufficient_quota")
                value.write(to: writer)
            case .alreadyMounted: writer.tag("already_mounted")
            case .noPermission: writer.tag("no_permission")
            case .notMountable: writer.tag("not_mountable")
            case .mustAutomount: writer.tag("must_automount")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .insufficientQuota(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ParentFolderAccessInfo: StoneError {
        public var folderName: String
        public var sharedFolderID: String
        public var permissions: [Sharing.MemberPermission]
        public var path: String

        public init(folderName: String, sharedFolderID: String, permissions: [Sharing.MemberPermission], path: String) {
            self.folderName = folderName
            self.sharedFolderID = sharedFolderID
            self.permissions = permissions
            self.path = path
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("folder_name shared_folder_id permissions path")
            folderName = try reader.string(slot)
            sharedFolderID = try reader.string(slot + 1)
            permissions = try reader.list(slot + 2)
            path = try reader.string(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("folder_name", folderName)
            writer.string("shared_folder_id", sharedFolderID)
            writer.list("permissions", permissions)
            writer.string("path", path)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { permissions }
    }
}

extension Sharing {
    public struct PathLinkMetadata: StoneValue {
        public var url: String
        public var visibility: Sharing.Visibility
        public var path: String
        public var expires: Date?

        public init(url: String, visibility: Sharing.Visibility, path: String, expires: Date? = nil) {
            self.url = url
            self.visibility = visibility
            self.path = path
            self.expires = expires
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url visibility path expires")
            url = try reader.string(slot)
            visibility = try reader.value(slot + 1)
            path = try reader.string(slot + 2)
            expires = try reader.optionalDate(slot + 3, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.value("visibility", visibility)
            writer.string("path", path)
            writer.date("expires", expires, .seconds)
        }
    }
}

extension Sharing {
    public enum PendingUploadMode: StoneValue, CaseIterable {
        case file
        case folder

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file folder")
            switch tag.number {
            case 0: self = .file
            case 1: self = .folder
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .file: writer.tag("file")
            case .folder: writer.tag("folder")
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PermissionDeniedReason: StoneError {
        case userNotSameTeamAsOwner
        case userNotAllowedByOwner
        case targetIsIndirectMember
        case targetIsOwner
        case targetIsSelf
        case targetNotActive
        case folderIsLimitedTeamFolder
        case ownerNotOnTeam
        case permissionDenied
        case restrictedByTeam
        case userAccountType
        case userNotOnTeam
        case folderIsInsideSharedFolder
        case restrictedByParentFolder
        case insufficientPlan(Sharing.InsufficientPlan)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_not_same_team_as_owner user_not_allowed_by_owner target_is_indirect_member target_is_owner target_is_self target_not_active folder_is_limited_team_folder owner_not_on_team permission_denied restricted_by_team user_account_type user_not_on_team folder_is_inside_shared_folder restricted_by_parent_folder insufficient_plan")
            switch tag.number {
            case 0: self = .userNotSameTeamAsOwner
            case 1: self = .userNotAllowedByOwner
            case 2: self = .targetIsIndirectMember
            case 3: self = .targetIsOwner
            case 4: self = .targetIsSelf
            case 5: self = .targetNotActive
            case 6: self = .folderIsLimitedTeamFolder
            case 7: self = .ownerNotOnTeam
            case 8: self = .permissionDenied
            case 9: self = .restrictedByTeam
            case 10: self = .userAccountType
            case 11: self = .userNotOnTeam
            case 12: self = .folderIsInsideSharedFolder
            case 13: self = .restrictedByParentFolder
            case 14: self = .insufficientPlan(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userNotSameTeamAsOwner: writer.tag("user_not_same_team_as_owner")
            case .userNotAllowedByOwner: writer.tag("user_not_allowed_by_owner")
            case .targetIsIndirectMember: writer.tag("target_is_indirect_member")
            case .targetIsOwner: writer.tag("target_is_owner")
            case .targetIsSelf: writer.tag("target_is_self")
            case .targetNotActive: writer.tag("target_not_active")
            case .folderIsLimitedTeamFolder: writer.tag("folder_is_limited_team_folder")
            case .ownerNotOnTeam: writer.tag("owner_not_on_team")
            case .permissionDenied: writer.tag("permission_denied")
            case .restrictedByTeam: writer.tag("restricted_by_team")
            case .userAccountType: writer.tag("user_account_type")
            case .userNotOnTeam: writer.tag("user_not_on_team")
            case .folderIsInsideSharedFolder: writer.tag("folder_is_inside_shared_folder")
            case .restrictedByParentFolder: writer.tag("restricted_by_parent_folder")
            case .insufficientPlan(let value):
                writer.tag("insufficient_plan")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .insufficientPlan(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct RelinquishAccessArg: StoneValue {
        public var fileID: String

        public init(fileID: String) {
            self.fileID = fileID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file_id")
            fileID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file_id", fileID)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelinquishAccessError: StoneError {
        case invalidFileID
        case emailUnverified
        case owner
        case noExplicitAccess
        case teamFolder
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_file_id email_unverified owner no_explicit_access team_folder no_permission")
            switch tag.number {
            case 0: self = .invalidFileID
            case 1: self = .emailUnverified
            case 2: self = .owner
            case 3: self = .noExplicitAccess
            case 4: self = .teamFolder
            case 5: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidFileID: writer.tag("invalid_file_id")
            case .emailUnverified: writer.tag("email_unverified")
            case .owner: writer.tag("owner")
            case .noExplicitAccess: writer.tag("no_explicit_access")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct RelinquishAccessResult: StoneValue {
        public init() {
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            _ = try reader.fields("")
        }

        public func write(to writer: StoneWriter) {}
    }
}

extension Sharing {
    public struct RelinquishFileMembershipArg: StoneValue {
        public var file: String

        public init(file: String) {
            self.file = file
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file")
            file = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelinquishFileMembershipError: StoneError {
        case accessError(Sharing.SharingFileAccessError)
        case groupAccess
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error group_access no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .groupAccess
            case 2: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .groupAccess: writer.tag("group_access")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct RelinquishFolderMembershipArg: StoneValue {
        public var sharedFolderID: String
        public var leaveACopy: Bool

        public init(sharedFolderID: String, leaveACopy: Bool = false) {
            self.sharedFolderID = sharedFolderID
            self.leaveACopy = leaveACopy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id leave_a_copy")
            sharedFolderID = try reader.string(slot)
            leaveACopy = try reader.optionalBool(slot + 1) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.bool("leave_a_copy", leaveACopy)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RelinquishFolderMembershipError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case folderOwner
        case mounted
        case groupAccess
        case teamFolder
        case noPermission
        case noExplicitAccess
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error folder_owner mounted group_access team_folder no_permission no_explicit_access")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .folderOwner
            case 2: self = .mounted
            case 3: self = .groupAccess
            case 4: self = .teamFolder
            case 5: self = .noPermission
            case 6: self = .noExplicitAccess
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .folderOwner: writer.tag("folder_owner")
            case .mounted: writer.tag("mounted")
            case .groupAccess: writer.tag("group_access")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .noExplicitAccess: writer.tag("no_explicit_access")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct RemoveFileMemberArg: StoneValue {
        public var file: String
        public var member: Sharing.MemberSelector

        public init(file: String, member: Sharing.MemberSelector) {
            self.file = file
            self.member = member
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file member")
            file = try reader.string(slot)
            member = try reader.value(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.value("member", member)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemoveFileMemberError: StoneError {
        case userError(Sharing.SharingUserError)
        case accessError(Sharing.SharingFileAccessError)
        case noExplicitAccess(Sharing.MemberAccessLevelResult)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_error access_error no_explicit_access")
            switch tag.number {
            case 0: self = .userError(try reader.value(reader.payload(tag)))
            case 1: self = .accessError(try reader.value(reader.payload(tag)))
            case 2: self = .noExplicitAccess(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userError(let value):
                writer.tag("user_error")
                writer.value("user_error", value)
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .noExplicitAccess(let value):
                writer.tag("no_explicit_access")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .userError(let value): [value]
            case .accessError(let value): [value]
            case .noExplicitAccess(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct RemoveFolderMemberArg: StoneValue {
        public var sharedFolderID: String
        public var member: Sharing.MemberSelector
        public var leaveACopy: Bool

        public init(sharedFolderID: String, member: Sharing.MemberSelector, leaveACopy: Bool) {
            self.sharedFolderID = sharedFolderID
            self.member = member
            self.leaveACopy = leaveACopy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id member leave_a_copy")
            sharedFolderID = try reader.string(slot)
            member = try reader.value(slot + 1)
            leaveACopy = try reader.bool(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.value("member", member)
            writer.bool("leave_a_copy", leaveACopy)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemoveFolderMemberError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case memberError(Sharing.SharedFolderMemberError)
        case folderOwner
        case groupAccess
        case teamFolder
        case noPermission
        case tooManyFiles
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error member_error folder_owner group_access team_folder no_permission too_many_files")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .memberError(try reader.value(reader.payload(tag)))
            case 2: self = .folderOwner
            case 3: self = .groupAccess
            case 4: self = .teamFolder
            case 5: self = .noPermission
            case 6: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .memberError(let value):
                writer.tag("member_error")
                writer.value("member_error", value)
            case .folderOwner: writer.tag("folder_owner")
            case .groupAccess: writer.tag("group_access")
            case .teamFolder: writer.tag("team_folder")
            case .noPermission: writer.tag("no_permission")
            case .tooManyFiles: writer.tag("too_many_files")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .memberError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public enum RemoveMemberJobStatus: StoneValue {
        case inProgress
        case complete(Sharing.MemberAccessLevelResult)
        case failed(Sharing.RemoveFolderMemberError)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete failed")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete(try reader.flattened(tag))
            case 2: self = .failed(try reader.value(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inProgress: writer.tag("in_progress")
            case .complete(let value):
                writer.tag("complete")
                value.write(to: writer)
            case .failed(let value):
                writer.tag("failed")
                writer.value("failed", value)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RequestedLinkAccessLevel: StoneValue {
        case viewer
        case editor
        case max
        case `default`
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("viewer editor max default")
            switch tag.number {
            case 0: self = .viewer
            case 1: self = .editor
            case 2: self = .max
            case 3: self = .`default`
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .viewer: writer.tag("viewer")
            case .editor: writer.tag("editor")
            case .max: writer.tag("max")
            case .`default`: writer.tag("default")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public enum RequestedVisibility: StoneError, CaseIterable {
        case `public`
        case teamOnly
        case password

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("public team_only password")
            switch tag.number {
            case 0: self = .`public`
            case 1: self = .teamOnly
            case 2: self = .password
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`public`: writer.tag("public")
            case .teamOnly: writer.tag("team_only")
            case .password: writer.tag("password")
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ResolvedVisibility: StoneError {
        case `public`
        case teamOnly
        case password
        case teamAndPassword
        case sharedFolderOnly
        case noOne
        case onlyYou
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("public team_only password team_and_password shared_folder_only no_one only_you")
            switch tag.number {
            case 0: self = .`public`
            case 1: self = .teamOnly
            case 2: self = .password
            case 3: self = .teamAndPassword
            case 4: self = .sharedFolderOnly
            case 5: self = .noOne
            case 6: self = .onlyYou
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .`public`: writer.tag("public")
            case .teamOnly: writer.tag("team_only")
            case .password: writer.tag("password")
            case .teamAndPassword: writer.tag("team_and_password")
            case .sharedFolderOnly: writer.tag("shared_folder_only")
            case .noOne: writer.tag("no_one")
            case .onlyYou: writer.tag("only_you")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct RevokeSharedLinkArg: StoneValue {
        public var url: String

        public init(url: String) {
            self.url = url
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url")
            url = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RevokeSharedLinkError: StoneError {
        case sharedLinkNotFound
        case sharedLinkAccessDenied
        case unsupportedLinkType
        case unsupportedParameterField
        case sharedLinkMalformed
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field shared_link_malformed")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            case 4: self = .sharedLinkMalformed
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .sharedLinkMalformed: writer.tag("shared_link_malformed")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct SetAccessInheritanceArg: StoneValue {
        public var sharedFolderID: String
        public var accessInheritance: Sharing.AccessInheritance

        public init(
            sharedFolderID: String, accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit
        ) {
            self.sharedFolderID = sharedFolderID
            self.accessInheritance = accessInheritance
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id access_inheritance")
            sharedFolderID = try reader.string(slot)
            accessInheritance = try reader.optionalValue(slot + 1) ?? Sharing.AccessInheritance.inherit
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.value("access_inheritance", accessInheritance)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SetAccessInheritanceError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct ShareFolderArg: StoneValue {
        public var path: String
        public var aclUpdatePolicy: Sharing.AclUpdatePolicy?
        public var forceAsync: Bool
        public var memberPolicy: Sharing.MemberPolicy?
        public var sharedLinkPolicy: Sharing.SharedLinkPolicy?
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?
        public var accessInheritance: Sharing.AccessInheritance
        public var actions: [Sharing.FolderAction]?
        public var linkSettings: Sharing.LinkSettings?

        public init(
            path: String, aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, forceAsync: Bool = false,
            memberPolicy: Sharing.MemberPolicy? = nil, sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil,
            viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
            accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit,
            actions: [Sharing.FolderAction]? = nil, linkSettings: Sharing.LinkSettings? = nil
        ) {
            self.path = path
            self.aclUpdatePolicy = aclUpdatePolicy
            self.forceAsync = forceAsync
            self.memberPolicy = memberPolicy
            self.sharedLinkPolicy = sharedLinkPolicy
            self.viewerInfoPolicy = viewerInfoPolicy
            self.accessInheritance = accessInheritance
            self.actions = actions
            self.linkSettings = linkSettings
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path acl_update_policy force_async member_policy shared_link_policy viewer_info_policy access_inheritance actions link_settings")
            path = try reader.string(slot)
            aclUpdatePolicy = try reader.optionalValue(slot + 1)
            forceAsync = try reader.optionalBool(slot + 2) ?? false
            memberPolicy = try reader.optionalValue(slot + 3)
            sharedLinkPolicy = try reader.optionalValue(slot + 4)
            viewerInfoPolicy = try reader.optionalValue(slot + 5)
            accessInheritance = try reader.optionalValue(slot + 6) ?? Sharing.AccessInheritance.inherit
            actions = try reader.optionalList(slot + 7)
            linkSettings = try reader.optionalValue(slot + 8)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("acl_update_policy", aclUpdatePolicy)
            writer.bool("force_async", forceAsync)
            writer.value("member_policy", memberPolicy)
            writer.value("shared_link_policy", sharedLinkPolicy)
            writer.value("viewer_info_policy", viewerInfoPolicy)
            writer.value("access_inheritance", accessInheritance)
            writer.list("actions", actions)
            writer.value("link_settings", linkSettings)
        }
    }
}

extension Sharing {
    public struct ShareFolderArgBase: StoneValue {
        public var path: String
        public var aclUpdatePolicy: Sharing.AclUpdatePolicy?
        public var forceAsync: Bool
        public var memberPolicy: Sharing.MemberPolicy?
        public var sharedLinkPolicy: Sharing.SharedLinkPolicy?
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?
        public var accessInheritance: Sharing.AccessInheritance

        public init(
            path: String, aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, forceAsync: Bool = false,
            memberPolicy: Sharing.MemberPolicy? = nil, sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil,
            viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
            accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit
        ) {
            self.path = path
            self.aclUpdatePolicy = aclUpdatePolicy
            self.forceAsync = forceAsync
            self.memberPolicy = memberPolicy
            self.sharedLinkPolicy = sharedLinkPolicy
            self.viewerInfoPolicy = viewerInfoPolicy
            self.accessInheritance = accessInheritance
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path acl_update_policy force_async member_policy shared_link_policy viewer_info_policy access_inheritance")
            path = try reader.string(slot)
            aclUpdatePolicy = try reader.optionalValue(slot + 1)
            forceAsync = try reader.optionalBool(slot + 2) ?? false
            memberPolicy = try reader.optionalValue(slot + 3)
            sharedLinkPolicy = try reader.optionalValue(slot + 4)
            viewerInfoPolicy = try reader.optionalValue(slot + 5)
            accessInheritance = try reader.optionalValue(slot + 6) ?? Sharing.AccessInheritance.inherit
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.value("acl_update_policy", aclUpdatePolicy)
            writer.bool("force_async", forceAsync)
            writer.value("member_policy", memberPolicy)
            writer.value("shared_link_policy", sharedLinkPolicy)
            writer.value("viewer_info_policy", viewerInfoPolicy)
            writer.value("access_inheritance", accessInheritance)
        }
    }
}
