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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ShareFolderError: StoneError {
        case emailUnverified
        case badPath(Sharing.SharePathError)
        case teamPolicyDisallowsMemberPolicy
        case disallowedSharedLinkPolicy
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("email_unverified bad_path team_policy_disallows_member_policy disallowed_shared_link_policy no_permission")
            switch tag.number {
            case 0: self = .emailUnverified
            case 1: self = .badPath(try reader.value(reader.payload(tag)))
            case 2: self = .teamPolicyDisallowsMemberPolicy
            case 3: self = .disallowedSharedLinkPolicy
            case 4: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .emailUnverified: writer.tag("email_unverified")
            case .badPath(let value):
                writer.tag("bad_path")
                writer.value("bad_path", value)
            case .teamPolicyDisallowsMemberPolicy: writer.tag("team_policy_disallows_member_policy")
            case .disallowedSharedLinkPolicy: writer.tag("disallowed_shared_link_policy")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .badPath(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ShareFolderErrorBase: StoneValue {
        case emailUnverified
        case badPath(Sharing.SharePathError)
        case teamPolicyDisallowsMemberPolicy
        case disallowedSharedLinkPolicy
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("email_unverified bad_path team_policy_disallows_member_policy disallowed_shared_link_policy")
            switch tag.number {
            case 0: self = .emailUnverified
            case 1: self = .badPath(try reader.value(reader.payload(tag)))
            case 2: self = .teamPolicyDisallowsMemberPolicy
            case 3: self = .disallowedSharedLinkPolicy
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .emailUnverified: writer.tag("email_unverified")
            case .badPath(let value):
                writer.tag("bad_path")
                writer.value("bad_path", value)
            case .teamPolicyDisallowsMemberPolicy: writer.tag("team_policy_disallows_member_policy")
            case .disallowedSharedLinkPolicy: writer.tag("disallowed_shared_link_policy")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ShareFolderErrorBaseV2: StoneValue {
        case emailUnverified
        case teamPolicyDisallowsMemberPolicy
        case disallowedSharedLinkPolicy
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("email_unverified team_policy_disallows_member_policy disallowed_shared_link_policy")
            switch tag.number {
            case 0: self = .emailUnverified
            case 1: self = .teamPolicyDisallowsMemberPolicy
            case 2: self = .disallowedSharedLinkPolicy
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .emailUnverified: writer.tag("email_unverified")
            case .teamPolicyDisallowsMemberPolicy: writer.tag("team_policy_disallows_member_policy")
            case .disallowedSharedLinkPolicy: writer.tag("disallowed_shared_link_policy")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ShareFolderErrorV2: StoneValue {
        case emailUnverified
        case teamPolicyDisallowsMemberPolicy
        case disallowedSharedLinkPolicy
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("email_unverified team_policy_disallows_member_policy disallowed_shared_link_policy no_permission")
            switch tag.number {
            case 0: self = .emailUnverified
            case 1: self = .teamPolicyDisallowsMemberPolicy
            case 2: self = .disallowedSharedLinkPolicy
            case 3: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .emailUnverified: writer.tag("email_unverified")
            case .teamPolicyDisallowsMemberPolicy: writer.tag("team_policy_disallows_member_policy")
            case .disallowedSharedLinkPolicy: writer.tag("disallowed_shared_link_policy")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public enum ShareFolderJobStatus: StoneValue {
        case inProgress
        case complete(Sharing.SharedFolderMetadata)
        case failed(Sharing.ShareFolderError)

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
    public enum ShareFolderLaunch: StoneValue {
        case asyncJobID(String)
        case complete(Sharing.SharedFolderMetadata)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .asyncJobID(let value):
                writer.tag("async_job_id")
                writer.string("async_job_id", value)
            case .complete(let value):
                writer.tag("complete")
                value.write(to: writer)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharePathError: StoneError {
        case isFile
        case insideSharedFolder
        case containsSharedFolder
        case containsAppFolder
        case containsTeamFolder
        case isAppFolder
        case insideAppFolder
        case isPublicFolder
        case insidePublicFolder
        case alreadyShared(Sharing.SharedFolderMetadata)
        case invalidPath
        case isOsxPackage
        case insideOsxPackage
        case isVault
        case isVaultLocked
        case isFamily
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("is_file inside_shared_folder contains_shared_folder contains_app_folder contains_team_folder is_app_folder inside_app_folder is_public_folder inside_public_folder already_shared invalid_path is_osx_package inside_osx_package is_vault is_vault_locked is_family")
            switch tag.number {
            case 0: self = .isFile
            case 1: self = .insideSharedFolder
            case 2: self = .containsSharedFolder
            case 3: self = .containsAppFolder
            case 4: self = .containsTeamFolder
            case 5: self = .isAppFolder
            case 6: self = .insideAppFolder
            case 7: self = .isPublicFolder
            case 8: self = .insidePublicFolder
            case 9: self = .alreadyShared(try reader.flattened(tag))
            case 10: self = .invalidPath
            case 11: self = .isOsxPackage
            case 12: self = .insideOsxPackage
            case 13: self = .isVault
            case 14: self = .isVaultLocked
            case 15: self = .isFamily
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .isFile: writer.tag("is_file")
            case .insideSharedFolder: writer.tag("inside_shared_folder")
            case .containsSharedFolder: writer.tag("contains_shared_folder")
            case .containsAppFolder: writer.tag("contains_app_folder")
            case .containsTeamFolder: writer.tag("contains_team_folder")
            case .isAppFolder: writer.tag("is_app_folder")
            case .insideAppFolder: writer.tag("inside_app_folder")
            case .isPublicFolder: writer.tag("is_public_folder")
            case .insidePublicFolder: writer.tag("inside_public_folder")
            case .alreadyShared(let value):
                writer.tag("already_shared")
                value.write(to: writer)
            case .invalidPath: writer.tag("invalid_path")
            case .isOsxPackage: writer.tag("is_osx_package")
            case .insideOsxPackage: writer.tag("inside_osx_package")
            case .isVault: writer.tag("is_vault")
            case .isVaultLocked: writer.tag("is_vault_locked")
            case .isFamily: writer.tag("is_family")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .alreadyShared(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharePathErrorBaseV2: StoneValue {
        case isFile
        case insideSharedFolder
        case containsSharedFolder
        case containsTeamFolder
        case isAppFolder
        case insideAppFolder
        case isPublicFolder
        case insidePublicFolder
        case alreadyShared(Sharing.SharedFolderMetadata)
        case invalidPath
        case isOsxPackage
        case insideOsxPackage
        case isVault
        case isVaultLocked
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("is_file inside_shared_folder contains_shared_folder contains_team_folder is_app_folder inside_app_folder is_public_folder inside_public_folder already_shared invalid_path is_osx_package inside_osx_package is_vault is_vault_locked")
            switch tag.number {
            case 0: self = .isFile
            case 1: self = .insideSharedFolder
            case 2: self = .containsSharedFolder
            case 3: self = .containsTeamFolder
            case 4: self = .isAppFolder
            case 5: self = .insideAppFolder
            case 6: self = .isPublicFolder
            case 7: self = .insidePublicFolder
            case 8: self = .alreadyShared(try reader.flattened(tag))
            case 9: self = .invalidPath
            case 10: self = .isOsxPackage
            case 11: self = .insideOsxPackage
            case 12: self = .isVault
            case 13: self = .isVaultLocked
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .isFile: writer.tag("is_file")
            case .insideSharedFolder: writer.tag("inside_shared_folder")
            case .containsSharedFolder: writer.tag("contains_shared_folder")
            case .containsTeamFolder: writer.tag("contains_team_folder")
            case .isAppFolder: writer.tag("is_app_folder")
            case .insideAppFolder: writer.tag("inside_app_folder")
            case .isPublicFolder: writer.tag("is_public_folder")
            case .insidePublicFolder: writer.tag("inside_public_folder")
            case .alreadyShared(let value):
                writer.tag("already_shared")
                value.write(to: writer)
            case .invalidPath: writer.tag("invalid_path")
            case .isOsxPackage: writer.tag("is_osx_package")
            case .insideOsxPackage: writer.tag("inside_osx_package")
            case .isVault: writer.tag("is_vault")
            case .isVaultLocked: writer.tag("is_vault_locked")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharePathErrorV2: StoneValue {
        case isFile
        case insideSharedFolder
        case containsSharedFolder
        case containsTeamFolder
        case isAppFolder
        case insideAppFolder
        case isPublicFolder
        case insidePublicFolder
        case alreadyShared(Sharing.SharedFolderMetadata)
        case invalidPath
        case isOsxPackage
        case insideOsxPackage
        case isVault
        case isVaultLocked
        case isFamily
        case containsAppFolder
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("is_file inside_shared_folder contains_shared_folder contains_team_folder is_app_folder inside_app_folder is_public_folder inside_public_folder already_shared invalid_path is_osx_package inside_osx_package is_vault is_vault_locked is_family contains_app_folder")
            switch tag.number {
            case 0: self = .isFile
            case 1: self = .insideSharedFolder
            case 2: self = .containsSharedFolder
            case 3: self = .containsTeamFolder
            case 4: self = .isAppFolder
            case 5: self = .insideAppFolder
            case 6: self = .isPublicFolder
            case 7: self = .insidePublicFolder
            case 8: self = .alreadyShared(try reader.flattened(tag))
            case 9: self = .invalidPath
            case 10: self = .isOsxPackage
            case 11: self = .insideOsxPackage
            case 12: self = .isVault
            case 13: self = .isVaultLocked
            case 14: self = .isFamily
            case 15: self = .containsAppFolder
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .isFile: writer.tag("is_file")
            case .insideSharedFolder: writer.tag("inside_shared_folder")
            case .containsSharedFolder: writer.tag("contains_shared_folder")
            case .containsTeamFolder: writer.tag("contains_team_folder")
            case .isAppFolder: writer.tag("is_app_folder")
            case .insideAppFolder: writer.tag("inside_app_folder")
            case .isPublicFolder: writer.tag("is_public_folder")
            case .insidePublicFolder: writer.tag("inside_public_folder")
            case .alreadyShared(let value):
                writer.tag("already_shared")
                value.write(to: writer)
            case .invalidPath: writer.tag("invalid_path")
            case .isOsxPackage: writer.tag("is_osx_package")
            case .insideOsxPackage: writer.tag("inside_osx_package")
            case .isVault: writer.tag("is_vault")
            case .isVaultLocked: writer.tag("is_vault_locked")
            case .isFamily: writer.tag("is_family")
            case .containsAppFolder: writer.tag("contains_app_folder")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct SharedContentLinkMetadata: StoneError {
        public var audienceOptions: [Sharing.LinkAudience]
        public var currentAudience: Sharing.LinkAudience
        public var linkPermissions: [Sharing.LinkPermission]
        public var passwordProtected: Bool
        public var url: String
        public var accessLevel: Sharing.AccessLevel?
        public var audienceRestrictingSharedFolder: Sharing.AudienceRestrictingSharedFolder?
        public var expiry: Date?
        public var audienceExceptions: Sharing.AudienceExceptions?

        public init(
            audienceOptions: [Sharing.LinkAudience], currentAudience: Sharing.LinkAudience,
            linkPermissions: [Sharing.LinkPermission], passwordProtected: Bool, url: String,
            accessLevel: Sharing.AccessLevel? = nil,
            audienceRestrictingSharedFolder: Sharing.AudienceRestrictingSharedFolder? = nil, expiry: Date? = nil,
            audienceExceptions: Sharing.AudienceExceptions? = nil
        ) {
            self.audienceOptions = audienceOptions
            self.currentAudience = currentAudience
            self.linkPermissions = linkPermissions
            self.passwordProtected = passwordProtected
            self.url = url
            self.accessLevel = accessLevel
            self.audienceRestrictingSharedFolder = audienceRestrictingSharedFolder
            self.expiry = expiry
            self.audienceExceptions = audienceExceptions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("audience_options current_audience link_permissions password_protected url access_level audience_restricting_shared_folder expiry audience_exceptions")
            audienceOptions = try reader.list(slot)
            currentAudience = try reader.value(slot + 1)
            linkPermissions = try reader.list(slot + 2)
            passwordProtected = try reader.bool(slot + 3)
            url = try reader.string(slot + 4)
            accessLevel = try reader.optionalValue(slot + 5)
            audienceRestrictingSharedFolder = try reader.optionalValue(slot + 6)
            expiry = try reader.optionalDate(slot + 7, .seconds)
            audienceExceptions = try reader.optionalValue(slot + 8)
        }

        public func write(to writer: StoneWriter) {
            writer.list("audience_options", audienceOptions)
            writer.value("current_audience", currentAudience)
            writer.list("link_permissions", linkPermissions)
            writer.bool("password_protected", passwordProtected)
            writer.string("url", url)
            writer.value("access_level", accessLevel)
            writer.value("audience_restricting_shared_folder", audienceRestrictingSharedFolder)
            writer.date("expiry", expiry, .seconds)
            writer.value("audience_exceptions", audienceExceptions)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { audienceOptions + [currentAudience] + linkPermissions + [accessLevel].compactMap { $0 } + [audienceRestrictingSharedFolder].compactMap { $0 } + [audienceExceptions].compactMap { $0 } }
    }
}

extension Sharing {
    public struct SharedContentLinkMetadataBase: StoneValue {
        public var audienceOptions: [Sharing.LinkAudience]
        public var currentAudience: Sharing.LinkAudience
        public var linkPermissions: [Sharing.LinkPermission]
        public var passwordProtected: Bool
        public var accessLevel: Sharing.AccessLevel?
        public var audienceRestrictingSharedFolder: Sharing.AudienceRestrictingSharedFolder?
        public var expiry: Date?

        public init(
            audienceOptions: [Sharing.LinkAudience], currentAudience: Sharing.LinkAudience,
            linkPermissions: [Sharing.LinkPermission], passwordProtected: Bool,
            accessLevel: Sharing.AccessLevel? = nil,
            audienceRestrictingSharedFolder: Sharing.AudienceRestrictingSharedFolder? = nil, expiry: Date? = nil
        ) {
            self.audienceOptions = audienceOptions
            self.currentAudience = currentAudience
            self.linkPermissions = linkPermissions
            self.passwordProtected = passwordProtected
            self.accessLevel = accessLevel
            self.audienceRestrictingSharedFolder = audienceRestrictingSharedFolder
            self.expiry = expiry
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("audience_options current_audience link_permissions password_protected access_level audience_restricting_shared_folder expiry")
            audienceOptions = try reader.list(slot)
            currentAudience = try reader.value(slot + 1)
            linkPermissions = try reader.list(slot + 2)
            passwordProtected = try reader.bool(slot + 3)
            accessLevel = try reader.optionalValue(slot + 4)
            audienceRestrictingSharedFolder = try reader.optionalValue(slot + 5)
            expiry = try reader.optionalDate(slot + 6, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.list("audience_options", audienceOptions)
            writer.value("current_audience", currentAudience)
            writer.list("link_permissions", linkPermissions)
            writer.bool("password_protected", passwordProtected)
            writer.value("access_level", accessLevel)
            writer.value("audience_restricting_shared_folder", audienceRestrictingSharedFolder)
            writer.date("expiry", expiry, .seconds)
        }
    }
}

extension Sharing {
    public struct SharedFileMembers: StoneValue {
        public var users: [Sharing.UserFileMembershipInfo]
        public var groups: [Sharing.GroupMembershipInfo]
        public var invitees: [Sharing.InviteeMembershipInfo]
        public var cursor: String?

        public init(
            users: [Sharing.UserFileMembershipInfo], groups: [Sharing.GroupMembershipInfo],
            invitees: [Sharing.InviteeMembershipInfo], cursor: String? = nil
        ) {
            self.users = users
            self.groups = groups
            self.invitees = invitees
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("users groups invitees cursor")
            users = try reader.list(slot)
            groups = try reader.list(slot + 1)
            invitees = try reader.list(slot + 2)
            cursor = try reader.optionalString(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.list("users", users)
            writer.list("groups", groups)
            writer.list("invitees", invitees)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    public struct SharedFileMetadata: StoneValue {
        public var id: String
        public var name: String
        public var policy: Sharing.FolderPolicy
        public var previewURL: String
        public var accessType: Sharing.AccessLevel?
        public var expectedLinkMetadata: Sharing.ExpectedSharedContentLinkMetadata?
        public var linkMetadata: Sharing.SharedContentLinkMetadata?
        public var ownerDisplayNames: [String]?
        public var ownerTeam: Users.Team_?
        public var parentSharedFolderID: String?
        public var pathDisplay: String?
        public var pathLower: String?
        public var permissions: [Sharing.FilePermission]?
        public var timeInvited: Date?

        public init(
            id: String, name: String, policy: Sharing.FolderPolicy, previewURL: String,
            accessType: Sharing.AccessLevel? = nil,
            expectedLinkMetadata: Sharing.ExpectedSharedContentLinkMetadata? = nil,
            linkMetadata: Sharing.SharedContentLinkMetadata? = nil, ownerDisplayNames: [String]? = nil,
            ownerTeam: Users.Team_? = nil, parentSharedFolderID: String? = nil, pathDisplay: String? = nil,
            pathLower: String? = nil, permissions: [Sharing.FilePermission]? = nil, timeInvited: Date? = nil
        ) {
            self.id = id
            self.name = name
            self.policy = policy
            self.previewURL = previewURL
            self.accessType = accessType
            self.expectedLinkMetadata = expectedLinkMetadata
            self.linkMetadata = linkMetadata
            self.ownerDisplayNames = ownerDisplayNames
            self.ownerTeam = ownerTeam
            self.parentSharedFolderID = parentSharedFolderID
            self.pathDisplay = pathDisplay
            self.pathLower = pathLower
            self.permissions = permissions
            self.timeInvited = timeInvited
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name policy preview_url access_type expected_link_metadata link_metadata owner_display_names owner_team parent_shared_folder_id path_display path_lower permissions time_invited")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            policy = try reader.value(slot + 2)
            previewURL = try reader.string(slot + 3)
            accessType = try reader.optionalValue(slot + 4)
            expectedLinkMetadata = try reader.optionalValue(slot + 5)
            linkMetadata = try reader.optionalValue(slot + 6)
            ownerDisplayNames = try reader.optionalStrings(slot + 7)
            ownerTeam = try reader.optionalValue(slot + 8)
            parentSharedFolderID = try reader.optionalString(slot + 9)
            pathDisplay = try reader.optionalString(slot + 10)
            pathLower = try reader.optionalString(slot + 11)
            permissions = try reader.optionalList(slot + 12)
            timeInvited = try reader.optionalDate(slot + 13, .seconds)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
            writer.value("policy", policy)
            writer.string("preview_url", previewURL)
            writer.value("access_type", accessType)
            writer.value("expected_link_metadata", expectedLinkMetadata)
            writer.value("link_metadata", linkMetadata)
            writer.strings("owner_display_names", ownerDisplayNames)
            writer.value("owner_team", ownerTeam)
            writer.string("parent_shared_folder_id", parentSharedFolderID)
            writer.string("path_display", pathDisplay)
            writer.string("path_lower", pathLower)
            writer.list("permissions", permissions)
            writer.date("time_invited", timeInvited, .seconds)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedFolderAccessError: StoneError {
        case invalidID
        case notAMember
        case invalidMember
        /// It should not be used any more.
        @available(*, deprecated)
        case emailUnverified
        case unmounted
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_id not_a_member invalid_member email_unverified unmounted")
            switch tag.number {
            case 0: self = .invalidID
            case 1: self = .notAMember
            case 2: self = .invalidMember
            case 3: self = .emailUnverified
            case 4: self = .unmounted
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidID: writer.tag("invalid_id")
            case .notAMember: writer.tag("not_a_member")
            case .invalidMember: writer.tag("invalid_member")
            case .emailUnverified: writer.tag("email_unverified")
            case .unmounted: writer.tag("unmounted")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedFolderMemberError: StoneError {
        case invalidDropboxID
        case notAMember
        case noExplicitAccess(Sharing.MemberAccessLevelResult)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_dropbox_id not_a_member no_explicit_access")
            switch tag.number {
            case 0: self = .invalidDropboxID
            case 1: self = .notAMember
            case 2: self = .noExplicitAccess(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidDropboxID: writer.tag("invalid_dropbox_id")
            case .notAMember: writer.tag("not_a_member")
            case .noExplicitAccess(let value):
                writer.tag("no_explicit_access")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .noExplicitAccess(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct SharedFolderMembers: StoneValue {
        public var users: [Sharing.UserMembershipInfo]
        public var groups: [Sharing.GroupMembershipInfo]
        public var invitees: [Sharing.InviteeMembershipInfo]
        public var cursor: String?

        public init(
            users: [Sharing.UserMembershipInfo], groups: [Sharing.GroupMembershipInfo],
            invitees: [Sharing.InviteeMembershipInfo], cursor: String? = nil
        ) {
            self.users = users
            self.groups = groups
            self.invitees = invitees
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("users groups invitees cursor")
            users = try reader.list(slot)
            groups = try reader.list(slot + 1)
            invitees = try reader.list(slot + 2)
            cursor = try reader.optionalString(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.list("users", users)
            writer.list("groups", groups)
            writer.list("invitees", invitees)
            writer.string("cursor", cursor)
        }
    }
}

extension Sharing {
    public struct SharedFolderMetadata: StoneError {
        public var accessType: Sharing.AccessLevel
        public var isInsideTeamFolder: Bool
        public var isTeamFolder: Bool
        public var name: String
        public var policy: Sharing.FolderPolicy
        public var previewURL: String
        public var sharedFolderID: String
        public var timeInvited: Date
        public var ownerDisplayNames: [String]?
        public var ownerTeam: Users.Team_?
        public var parentSharedFolderID: String?
        public var pathDisplay: String?
        public var pathLower: String?
        public var parentFolderName: String?
        public var linkMetadata: Sharing.SharedContentLinkMetadata?
        public var permissions: [Sharing.FolderPermission]?
        public var accessInheritance: Sharing.AccessInheritance
        public var folderID: String?

        public init(
            accessType: Sharing.AccessLevel, isInsideTeamFolder: Bool, isTeamFolder: Bool, name: String,
            policy: Sharing.FolderPolicy, previewURL: String, sharedFolderID: String, timeInvited: Date,
            ownerDisplayNames: [String]? = nil, ownerTeam: Users.Team_? = nil, parentSharedFolderID: String? = nil,
            pathDisplay: String? = nil, pathLower: String? = nil, parentFolderName: String? = nil,
            linkMetadata: Sharing.SharedContentLinkMetadata? = nil, permissions: [Sharing.FolderPermission]? = nil,
            accessInheritance: Sharing.AccessInheritance = Sharing.AccessInheritance.inherit, folderID: String? = nil
        ) {
            self.accessType = accessType
            self.isInsideTeamFolder = isInsideTeamFolder
            self.isTeamFolder = isTeamFolder
            self.name = name
            self.policy = policy
            self.previewURL = previewURL
            self.sharedFolderID = sharedFolderID
            self.timeInvited = timeInvited
            self.ownerDisplayNames = ownerDisplayNames
            self.ownerTeam = ownerTeam
            self.parentSharedFolderID = parentSharedFolderID
            self.pathDisplay = pathDisplay
            self.pathLower = pathLower
            self.parentFolderName = parentFolderName
            self.linkMetadata = linkMetadata
            self.permissions = permissions
            self.accessInheritance = accessInheritance
            self.folderID = folderID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type is_inside_team_folder is_team_folder name policy preview_url shared_folder_id time_invited owner_display_names owner_team parent_shared_folder_id path_display path_lower parent_folder_name link_metadata permissions access_inheritance folder_id")
            accessType = try reader.value(slot)
            isInsideTeamFolder = try reader.bool(slot + 1)
            isTeamFolder = try reader.bool(slot + 2)
            name = try reader.string(slot + 3)
            policy = try reader.value(slot + 4)
            previewURL = try reader.string(slot + 5)
            sharedFolderID = try reader.string(slot + 6)
            timeInvited = try reader.date(slot + 7, .seconds)
            ownerDisplayNames = try reader.optionalStrings(slot + 8)
            ownerTeam = try reader.optionalValue(slot + 9)
            parentSharedFolderID = try reader.optionalString(slot + 10)
            pathDisplay = try reader.optionalString(slot + 11)
            pathLower = try reader.optionalString(slot + 12)
            parentFolderName = try reader.optionalString(slot + 13)
            linkMetadata = try reader.optionalValue(slot + 14)
            permissions = try reader.optionalList(slot + 15)
            accessInheritance = try reader.optionalValue(slot + 16) ?? Sharing.AccessInheritance.inherit
            folderID = try reader.optionalString(slot + 17)
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.bool("is_inside_team_folder", isInsideTeamFolder)
            writer.bool("is_team_folder", isTeamFolder)
            writer.string("name", name)
            writer.value("policy", policy)
            writer.string("preview_url", previewURL)
            writer.string("shared_folder_id", sharedFolderID)
            writer.date("time_invited", timeInvited, .seconds)
            writer.strings("owner_display_names", ownerDisplayNames)
            writer.value("owner_team", ownerTeam)
            writer.string("parent_shared_folder_id", parentSharedFolderID)
            writer.string("path_display", pathDisplay)
            writer.string("path_lower", pathLower)
            writer.string("parent_folder_name", parentFolderName)
            writer.value("link_metadata", linkMetadata)
            writer.list("permissions", permissions)
            writer.value("access_inheritance", accessInheritance)
            writer.string("folder_id", folderID)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [accessType] + [policy] + [ownerTeam].compactMap { $0 } + [linkMetadata].compactMap { $0 } + [accessInheritance] }
    }
}

extension Sharing {
    public struct SharedFolderMetadataBase: StoneValue {
        public var accessType: Sharing.AccessLevel
        public var isInsideTeamFolder: Bool
        public var isTeamFolder: Bool
        public var ownerDisplayNames: [String]?
        public var ownerTeam: Users.Team_?
        public var parentSharedFolderID: String?
        public var pathDisplay: String?
        public var pathLower: String?
        public var parentFolderName: String?

        public init(
            accessType: Sharing.AccessLevel, isInsideTeamFolder: Bool, isTeamFolder: Bool,
            ownerDisplayNames: [String]? = nil, ownerTeam: Users.Team_? = nil, parentSharedFolderID: String? = nil,
            pathDisplay: String? = nil, pathLower: String? = nil, parentFolderName: String? = nil
        ) {
            self.accessType = accessType
            self.isInsideTeamFolder = isInsideTeamFolder
            self.isTeamFolder = isTeamFolder
            self.ownerDisplayNames = ownerDisplayNames
            self.ownerTeam = ownerTeam
            self.parentSharedFolderID = parentSharedFolderID
            self.pathDisplay = pathDisplay
            self.pathLower = pathLower
            self.parentFolderName = parentFolderName
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type is_inside_team_folder is_team_folder owner_display_names owner_team parent_shared_folder_id path_display path_lower parent_folder_name")
            accessType = try reader.value(slot)
            isInsideTeamFolder = try reader.bool(slot + 1)
            isTeamFolder = try reader.bool(slot + 2)
            ownerDisplayNames = try reader.optionalStrings(slot + 3)
            ownerTeam = try reader.optionalValue(slot + 4)
            parentSharedFolderID = try reader.optionalString(slot + 5)
            pathDisplay = try reader.optionalString(slot + 6)
            pathLower = try reader.optionalString(slot + 7)
            parentFolderName = try reader.optionalString(slot + 8)
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.bool("is_inside_team_folder", isInsideTeamFolder)
            writer.bool("is_team_folder", isTeamFolder)
            writer.strings("owner_display_names", ownerDisplayNames)
            writer.value("owner_team", ownerTeam)
            writer.string("parent_shared_folder_id", parentSharedFolderID)
            writer.string("path_display", pathDisplay)
            writer.string("path_lower", pathLower)
            writer.string("parent_folder_name", parentFolderName)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkAccessFailureReason: StoneError {
        case loginRequired
        case emailVerifyRequired
        case passwordRequired
        case teamOnly
        case ownerOnly
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("login_required email_verify_required password_required team_only owner_only")
            switch tag.number {
            case 0: self = .loginRequired
            case 1: self = .emailVerifyRequired
            case 2: self = .passwordRequired
            case 3: self = .teamOnly
            case 4: self = .ownerOnly
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .loginRequired: writer.tag("login_required")
            case .emailVerifyRequired: writer.tag("email_verify_required")
            case .passwordRequired: writer.tag("password_required")
            case .teamOnly: writer.tag("team_only")
            case .ownerOnly: writer.tag("owner_only")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkAlreadyExistsMetadata: StoneError {
        case metadata(Sharing.SharedLinkMetadata)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("metadata")
            switch tag.number {
            case 0: self = .metadata(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .metadata(let value):
                writer.tag("metadata")
                writer.value("metadata", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .metadata(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkError: StoneValue {
        case sharedLinkNotFound
        case sharedLinkAccessDenied
        case unsupportedLinkType
        case unsupportedParameterField
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkMetadata: StoneError {
        case file(Sharing.FileLinkMetadata)
        case folder(Sharing.FolderLinkMetadata)
        /// A tag that the specs do not define.
        case other(UnknownTag, base: Sharing.SharedLinkMetadataBase)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("file folder")
            switch tag.number {
            case 0: self = .file(try reader.flattened(tag))
            case 1: self = .folder(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag), base: try reader.flattened(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .file(let value):
                writer.tag("file")
                value.write(to: writer)
            case .folder(let value):
                writer.tag("folder")
                value.write(to: writer)
            case .other(let tag, _): writer.unknown(tag)
            }
        }

        public var url: String {
            switch self {
            case .file(let value): value.url
            case .folder(let value): value.url
            case .other(_, let base): base.url
            }
        }

        public var name: String {
            switch self {
            case .file(let value): value.name
            case .folder(let value): value.name
            case .other(_, let base): base.name
            }
        }

        public var linkPermissions: Sharing.LinkPermissions {
            switch self {
            case .file(let value): value.linkPermissions
            case .folder(let value): value.linkPermissions
            case .other(_, let base): base.linkPermissions
            }
        }

        public var id: String? {
            switch self {
            case .file(let value): value.id
            case .folder(let value): value.id
            case .other(_, let base): base.id
            }
        }

        public var expires: Date? {
            switch self {
            case .file(let value): value.expires
            case .folder(let value): value.expires
            case .other(_, let base): base.expires
            }
        }

        public var pathLower: String? {
            switch self {
            case .file(let value): value.pathLower
            case .folder(let value): value.pathLower
            case .other(_, let base): base.pathLower
            }
        }

        public var teamMemberInfo: Sharing.TeamMemberInfo? {
            switch self {
            case .file(let value): value.teamMemberInfo
            case .folder(let value): value.teamMemberInfo
            case .other(_, let base): base.teamMemberInfo
            }
        }

        public var contentOwnerTeamInfo: Users.Team_? {
            switch self {
            case .file(let value): value.contentOwnerTeamInfo
            case .folder(let value): value.contentOwnerTeamInfo
            case .other(_, let base): base.contentOwnerTeamInfo
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .file(let value): [value]
            case .folder(let value): [value]
            default: []
            }
        }
    }

    /// The fields that all subtypes of `SharedLinkMetadata` have.
    public struct SharedLinkMetadataBase: StoneValue {
        public var url: String
        public var name: String
        public var linkPermissions: Sharing.LinkPermissions
        public var id: String?
        public var expires: Date?
        public var pathLower: String?
        public var teamMemberInfo: Sharing.TeamMemberInfo?
        public var contentOwnerTeamInfo: Users.Team_?

        public init(
            url: String, name: String, linkPermissions: Sharing.LinkPermissions, id: String? = nil,
            expires: Date? = nil, pathLower: String? = nil, teamMemberInfo: Sharing.TeamMemberInfo? = nil,
            contentOwnerTeamInfo: Users.Team_? = nil
        ) {
            self.url = url
            self.name = name
            self.linkPermissions = linkPermissions
            self.id = id
            self.expires = expires
            self.pathLower = pathLower
            self.teamMemberInfo = teamMemberInfo
            self.contentOwnerTeamInfo = contentOwnerTeamInfo
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("url name link_permissions id expires path_lower team_member_info content_owner_team_info")
            url = try reader.string(slot)
            name = try reader.string(slot + 1)
            linkPermissions = try reader.value(slot + 2)
            id = try reader.optionalString(slot + 3)
            expires = try reader.optionalDate(slot + 4, .seconds)
            pathLower = try reader.optionalString(slot + 5)
            teamMemberInfo = try reader.optionalValue(slot + 6)
            contentOwnerTeamInfo = try reader.optionalValue(slot + 7)
        }

        public func write(to writer: StoneWriter) {
            writer.string("url", url)
            writer.string("name", name)
            writer.value("link_permissions", linkPermissions)
            writer.string("id", id)
            writer.date("expires", expires, .seconds)
            writer.string("path_lower", pathLower)
            writer.value("team_member_info", teamMemberInfo)
            writer.value("content_owner_team_info", contentOwnerTeamInfo)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkMetadataError: StoneError {
        case sharedLinkNotFound
        case sharedLinkAccessDenied
        case unsupportedLinkType
        case unsupportedParameterField
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("shared_link_not_found shared_link_access_denied unsupported_link_type unsupported_parameter_field")
            switch tag.number {
            case 0: self = .sharedLinkNotFound
            case 1: self = .sharedLinkAccessDenied
            case 2: self = .unsupportedLinkType
            case 3: self = .unsupportedParameterField
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .sharedLinkNotFound: writer.tag("shared_link_not_found")
            case .sharedLinkAccessDenied: writer.tag("shared_link_access_denied")
            case .unsupportedLinkType: writer.tag("unsupported_link_type")
            case .unsupportedParameterField: writer.tag("unsupported_parameter_field")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharedLinkPolicy: StoneError {
        case anyone
        /// It should not be used any more.
        @available(*, deprecated)
        case team
        case members
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("anyone team members")
            switch tag.number {
            case 0: self = .anyone
            case 1: self = .team
            case 2: self = .members
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .anyone: writer.tag("anyone")
            case .team: writer.tag("team")
            case .members: writer.tag("members")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct SharedLinkSettings: StoneValue {
        public var requirePassword: Bool?
        public var linkPassword: String?
        public var expires: Date?
        public var audience: Sharing.LinkAudience?
        public var access: Sharing.RequestedLinkAccessLevel?
        var _requestedVisibility: Sharing.RequestedVisibility?
        @available(*, deprecated)
        public var requestedVisibility: Sharing.RequestedVisibility? {
            get { _requestedVisibility }
            set { _requestedVisibility = newValue }
        }
        public var allowDownload: Bool?

        public init(
            requirePassword: Bool? = nil, linkPassword: String? = nil, expires: Date? = nil,
            audience: Sharing.LinkAudience? = nil, access: Sharing.RequestedLinkAccessLevel? = nil,
            requestedVisibility: Sharing.RequestedVisibility? = nil, allowDownload: Bool? = nil
        ) {
            self.requirePassword = requirePassword
            self.linkPassword = linkPassword
            self.expires = expires
            self.audience = audience
            self.access = access
            _requestedVisibility = requestedVisibility
            self.allowDownload = allowDownload
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("require_password link_password expires audience access requested_visibility allow_download")
            requirePassword = try reader.optionalBool(slot)
            linkPassword = try reader.optionalString(slot + 1)
            expires = try reader.optionalDate(slot + 2, .seconds)
            audience = try reader.optionalValue(slot + 3)
            access = try reader.optionalValue(slot + 4)
            _requestedVisibility = try reader.optionalValue(slot + 5)
            allowDownload = try reader.optionalBool(slot + 6)
        }

        public func write(to writer: StoneWriter) {
            writer.bool("require_password", requirePassword)
            writer.string("link_password", linkPassword)
            writer.date("expires", expires, .seconds)
            writer.value("audience", audience)
            writer.value("access", access)
            writer.value("requested_visibility", _requestedVisibility)
            writer.bool("allow_download", allowDownload)
        }
    }
}

extension Sharing {
    public enum SharedLinkSettingsError: StoneError, CaseIterable {
        case invalidSettings
        case notAuthorized

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_settings not_authorized")
            switch tag.number {
            case 0: self = .invalidSettings
            case 1: self = .notAuthorized
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidSettings: writer.tag("invalid_settings")
            case .notAuthorized: writer.tag("not_authorized")
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharingFileAccessError: StoneError {
        case noPermission
        case invalidFile
        case isFolder
        case insidePublicFolder
        case insideOsxPackage
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_permission invalid_file is_folder inside_public_folder inside_osx_package")
            switch tag.number {
            case 0: self = .noPermission
            case 1: self = .invalidFile
            case 2: self = .isFolder
            case 3: self = .insidePublicFolder
            case 4: self = .insideOsxPackage
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .noPermission: writer.tag("no_permission")
            case .invalidFile: writer.tag("invalid_file")
            case .isFolder: writer.tag("is_folder")
            case .insidePublicFolder: writer.tag("inside_public_folder")
            case .insideOsxPackage: writer.tag("inside_osx_package")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum SharingUserError: StoneError {
        case emailUnverified
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("email_unverified")
            switch tag.number {
            case 0: self = .emailUnverified
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .emailUnverified: writer.tag("email_unverified")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct TeamMemberInfo: StoneError {
        public var teamInfo: Users.Team_
        public var displayName: String
        public var memberID: String?

        public init(teamInfo: Users.Team_, displayName: String, memberID: String? = nil) {
            self.teamInfo = teamInfo
            self.displayName = displayName
            self.memberID = memberID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("team_info display_name member_id")
            teamInfo = try reader.value(slot)
            displayName = try reader.string(slot + 1)
            memberID = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("team_info", teamInfo)
            writer.string("display_name", displayName)
            writer.string("member_id", memberID)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [teamInfo] }
    }
}

extension Sharing {
    public struct TransferFolderArg: StoneValue {
        public var sharedFolderID: String
        public var toDropboxID: String

        public init(sharedFolderID: String, toDropboxID: String) {
            self.sharedFolderID = sharedFolderID
            self.toDropboxID = toDropboxID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id to_dropbox_id")
            sharedFolderID = try reader.string(slot)
            toDropboxID = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.string("to_dropbox_id", toDropboxID)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TransferFolderError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case invalidDropboxID
        case newOwnerNotAMember
        case newOwnerUnmounted
        case newOwnerEmailUnverified
        case teamFolder
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error invalid_dropbox_id new_owner_not_a_member new_owner_unmounted new_owner_email_unverified team_folder no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .invalidDropboxID
            case 2: self = .newOwnerNotAMember
            case 3: self = .newOwnerUnmounted
            case 4: self = .newOwnerEmailUnverified
            case 5: self = .teamFolder
            case 6: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .invalidDropboxID: writer.tag("invalid_dropbox_id")
            case .newOwnerNotAMember: writer.tag("new_owner_not_a_member")
            case .newOwnerUnmounted: writer.tag("new_owner_unmounted")
            case .newOwnerEmailUnverified: writer.tag("new_owner_email_unverified")
            case .teamFolder: writer.tag("team_folder")
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
    public struct UnmountFolderArg: StoneValue {
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
    public enum UnmountFolderError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case noPermission
        case notUnmountable
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error no_permission not_unmountable")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .noPermission
            case 2: self = .notUnmountable
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .noPermission: writer.tag("no_permission")
            case .notUnmountable: writer.tag("not_unmountable")
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
    public struct UnshareFileArg: StoneValue {
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
    public enum UnshareFileError: StoneError {
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
    public struct UnshareFolderArg: StoneValue {
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
    public enum UnshareFolderError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case teamFolder
        case noPermission
        case tooManyFiles
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error team_folder no_permission too_many_files")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .teamFolder
            case 2: self = .noPermission
            case 3: self = .tooManyFiles
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
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
            default: []
            }
        }
    }
}

extension Sharing {
    public struct UpdateFileMemberArgs: StoneValue {
        public var file: String
        public var member: Sharing.MemberSelector
        public var accessLevel: Sharing.AccessLevel

        public init(file: String, member: Sharing.MemberSelector, accessLevel: Sharing.AccessLevel) {
            self.file = file
            self.member = member
            self.accessLevel = accessLevel
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file member access_level")
            file = try reader.string(slot)
            member = try reader.value(slot + 1)
            accessLevel = try reader.value(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.value("member", member)
            writer.value("access_level", accessLevel)
        }
    }
}

extension Sharing {
    public struct UpdateFilePolicyArg: StoneValue {
        public var file: String
        public var actions: [Sharing.FileAction]?
        var _linkSettings: Sharing.LinkSettings?
        @available(*, deprecated)
        public var linkSettings: Sharing.LinkSettings? {
            get { _linkSettings }
            set { _linkSettings = newValue }
        }
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?

        public init(
            file: String, actions: [Sharing.FileAction]? = nil, linkSettings: Sharing.LinkSettings? = nil,
            viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil
        ) {
            self.file = file
            self.actions = actions
            _linkSettings = linkSettings
            self.viewerInfoPolicy = viewerInfoPolicy
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("file actions link_settings viewer_info_policy")
            file = try reader.string(slot)
            actions = try reader.optionalList(slot + 1)
            _linkSettings = try reader.optionalValue(slot + 2)
            viewerInfoPolicy = try reader.optionalValue(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("file", file)
            writer.list("actions", actions)
            writer.value("link_settings", _linkSettings)
            writer.value("viewer_info_policy", viewerInfoPolicy)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFilePolicyError: StoneError {
        case accessError(Sharing.SharingFileAccessError)
        case invalidFileSettings
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error invalid_file_settings no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .invalidFileSettings
            case 2: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .invalidFileSettings: writer.tag("invalid_file_settings")
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
    public struct UpdateFolderMemberArg: StoneValue {
        public var sharedFolderID: String
        public var member: Sharing.MemberSelector
        public var accessLevel: Sharing.AccessLevel

        public init(sharedFolderID: String, member: Sharing.MemberSelector, accessLevel: Sharing.AccessLevel) {
            self.sharedFolderID = sharedFolderID
            self.member = member
            self.accessLevel = accessLevel
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id member access_level")
            sharedFolderID = try reader.string(slot)
            member = try reader.value(slot + 1)
            accessLevel = try reader.value(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.value("member", member)
            writer.value("access_level", accessLevel)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFolderMemberError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case memberError(Sharing.SharedFolderMemberError)
        case noExplicitAccess(Sharing.AddFolderMemberError)
        case insufficientPlan
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error member_error no_explicit_access insufficient_plan no_permission")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .memberError(try reader.value(reader.payload(tag)))
            case 2: self = .noExplicitAccess(try reader.value(reader.payload(tag)))
            case 3: self = .insufficientPlan
            case 4: self = .noPermission
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
            case .noExplicitAccess(let value):
                writer.tag("no_explicit_access")
                writer.value("no_explicit_access", value)
            case .insufficientPlan: writer.tag("insufficient_plan")
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .accessError(let value): [value]
            case .memberError(let value): [value]
            case .noExplicitAccess(let value): [value]
            default: []
            }
        }
    }
}

extension Sharing {
    public struct UpdateFolderPolicyArg: StoneValue {
        public var sharedFolderID: String
        public var memberPolicy: Sharing.MemberPolicy?
        public var aclUpdatePolicy: Sharing.AclUpdatePolicy?
        public var viewerInfoPolicy: Sharing.ViewerInfoPolicy?
        public var sharedLinkPolicy: Sharing.SharedLinkPolicy?
        public var linkSettings: Sharing.LinkSettings?
        public var actions: [Sharing.FolderAction]?

        public init(
            sharedFolderID: String, memberPolicy: Sharing.MemberPolicy? = nil,
            aclUpdatePolicy: Sharing.AclUpdatePolicy? = nil, viewerInfoPolicy: Sharing.ViewerInfoPolicy? = nil,
            sharedLinkPolicy: Sharing.SharedLinkPolicy? = nil, linkSettings: Sharing.LinkSettings? = nil,
            actions: [Sharing.FolderAction]? = nil
        ) {
            self.sharedFolderID = sharedFolderID
            self.memberPolicy = memberPolicy
            self.aclUpdatePolicy = aclUpdatePolicy
            self.viewerInfoPolicy = viewerInfoPolicy
            self.sharedLinkPolicy = sharedLinkPolicy
            self.linkSettings = linkSettings
            self.actions = actions
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("shared_folder_id member_policy acl_update_policy viewer_info_policy shared_link_policy link_settings actions")
            sharedFolderID = try reader.string(slot)
            memberPolicy = try reader.optionalValue(slot + 1)
            aclUpdatePolicy = try reader.optionalValue(slot + 2)
            viewerInfoPolicy = try reader.optionalValue(slot + 3)
            sharedLinkPolicy = try reader.optionalValue(slot + 4)
            linkSettings = try reader.optionalValue(slot + 5)
            actions = try reader.optionalList(slot + 6)
        }

        public func write(to writer: StoneWriter) {
            writer.string("shared_folder_id", sharedFolderID)
            writer.value("member_policy", memberPolicy)
            writer.value("acl_update_policy", aclUpdatePolicy)
            writer.value("viewer_info_policy", viewerInfoPolicy)
            writer.value("shared_link_policy", sharedLinkPolicy)
            writer.value("link_settings", linkSettings)
            writer.list("actions", actions)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdateFolderPolicyError: StoneError {
        case accessError(Sharing.SharedFolderAccessError)
        case notOnTeam
        case teamPolicyDisallowsMemberPolicy
        case disallowedSharedLinkPolicy
        case noPermission
        case teamFolder
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("access_error not_on_team team_policy_disallows_member_policy disallowed_shared_link_policy no_permission team_folder")
            switch tag.number {
            case 0: self = .accessError(try reader.value(reader.payload(tag)))
            case 1: self = .notOnTeam
            case 2: self = .teamPolicyDisallowsMemberPolicy
            case 3: self = .disallowedSharedLinkPolicy
            case 4: self = .noPermission
            case 5: self = .teamFolder
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .accessError(let value):
                writer.tag("access_error")
                writer.value("access_error", value)
            case .notOnTeam: writer.tag("not_on_team")
            case .teamPolicyDisallowsMemberPolicy: writer.tag("team_policy_disallows_member_policy")
            case .disallowedSharedLinkPolicy: writer.tag("disallowed_shared_link_policy")
            case .noPermission: writer.tag("no_permission")
            case .teamFolder: writer.tag("team_folder")
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
    public struct UserFileMembershipInfo: StoneValue {
        public var accessType: Sharing.AccessLevel
        public var user: Sharing.UserInfo
        public var permissions: [Sharing.MemberPermission]?
        var _initials: String?
        @available(*, deprecated)
        public var initials: String? {
            get { _initials }
            set { _initials = newValue }
        }
        public var isInherited: Bool
        public var timeLastSeen: Date?
        public var platformType: SeenState.PlatformType?

        public init(
            accessType: Sharing.AccessLevel, user: Sharing.UserInfo, permissions: [Sharing.MemberPermission]? = nil,
            initials: String? = nil, isInherited: Bool = false, timeLastSeen: Date? = nil,
            platformType: SeenState.PlatformType? = nil
        ) {
            self.accessType = accessType
            self.user = user
            self.permissions = permissions
            _initials = initials
            self.isInherited = isInherited
            self.timeLastSeen = timeLastSeen
            self.platformType = platformType
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type user permissions initials is_inherited time_last_seen platform_type")
            accessType = try reader.value(slot)
            user = try reader.value(slot + 1)
            permissions = try reader.optionalList(slot + 2)
            _initials = try reader.optionalString(slot + 3)
            isInherited = try reader.optionalBool(slot + 4) ?? false
            timeLastSeen = try reader.optionalDate(slot + 5, .seconds)
            platformType = try reader.optionalValue(slot + 6)
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.value("user", user)
            writer.list("permissions", permissions)
            writer.string("initials", _initials)
            writer.bool("is_inherited", isInherited)
            writer.date("time_last_seen", timeLastSeen, .seconds)
            writer.value("platform_type", platformType)
        }
    }
}

extension Sharing {
    public struct UserInfo: StoneValue {
        public var accountID: String
        public var email: String
        public var displayName: String
        public var sameTeam: Bool
        public var teamMemberID: String?

        public init(
            accountID: String, email: String, displayName: String, sameTeam: Bool, teamMemberID: String? = nil
        ) {
            self.accountID = accountID
            self.email = email
            self.displayName = displayName
            self.sameTeam = sameTeam
            self.teamMemberID = teamMemberID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("account_id email display_name same_team team_member_id")
            accountID = try reader.string(slot)
            email = try reader.string(slot + 1)
            displayName = try reader.string(slot + 2)
            sameTeam = try reader.bool(slot + 3)
            teamMemberID = try reader.optionalString(slot + 4)
        }

        public func write(to writer: StoneWriter) {
            writer.string("account_id", accountID)
            writer.string("email", email)
            writer.string("display_name", displayName)
            writer.bool("same_team", sameTeam)
            writer.string("team_member_id", teamMemberID)
        }
    }
}

extension Sharing {
    public struct UserMembershipInfo: StoneValue {
        public var accessType: Sharing.AccessLevel
        public var user: Sharing.UserInfo
        public var permissions: [Sharing.MemberPermission]?
        var _initials: String?
        @available(*, deprecated)
        public var initials: String? {
            get { _initials }
            set { _initials = newValue }
        }
        public var isInherited: Bool

        public init(
            accessType: Sharing.AccessLevel, user: Sharing.UserInfo, permissions: [Sharing.MemberPermission]? = nil,
            initials: String? = nil, isInherited: Bool = false
        ) {
            self.accessType = accessType
            self.user = user
            self.permissions = permissions
            _initials = initials
            self.isInherited = isInherited
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("access_type user permissions initials is_inherited")
            accessType = try reader.value(slot)
            user = try reader.value(slot + 1)
            permissions = try reader.optionalList(slot + 2)
            _initials = try reader.optionalString(slot + 3)
            isInherited = try reader.optionalBool(slot + 4) ?? false
        }

        public func write(to writer: StoneWriter) {
            writer.value("access_type", accessType)
            writer.value("user", user)
            writer.list("permissions", permissions)
            writer.string("initials", _initials)
            writer.bool("is_inherited", isInherited)
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ViewerInfoPolicy: StoneError {
        case enabled
        case disabled
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("enabled disabled")
            switch tag.number {
            case 0: self = .enabled
            case 1: self = .disabled
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .enabled: writer.tag("enabled")
            case .disabled: writer.tag("disabled")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Visibility: StoneValue {
        case `public`
        case teamOnly
        case password
        case teamAndPassword
        case sharedFolderOnly
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("public team_only password team_and_password shared_folder_only")
            switch tag.number {
            case 0: self = .`public`
            case 1: self = .teamOnly
            case 2: self = .password
            case 3: self = .teamAndPassword
            case 4: self = .sharedFolderOnly
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
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Sharing {
    public struct VisibilityPolicy: StoneError {
        public var policy: Sharing.RequestedVisibility
        public var resolvedPolicy: Sharing.AlphaResolvedVisibility
        public var allowed: Bool
        public var disallowedReason: Sharing.VisibilityPolicyDisallowedReason?

        public init(
            policy: Sharing.RequestedVisibility, resolvedPolicy: Sharing.AlphaResolvedVisibility, allowed: Bool,
            disallowedReason: Sharing.VisibilityPolicyDisallowedReason? = nil
        ) {
            self.policy = policy
            self.resolvedPolicy = resolvedPolicy
            self.allowed = allowed
            self.disallowedReason = disallowedReason
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("policy resolved_policy allowed disallowed_reason")
            policy = try reader.value(slot)
            resolvedPolicy = try reader.value(slot + 1)
            allowed = try reader.bool(slot + 2)
            disallowedReason = try reader.optionalValue(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.value("policy", policy)
            writer.value("resolved_policy", resolvedPolicy)
            writer.bool("allowed", allowed)
            writer.value("disallowed_reason", disallowedReason)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [policy] + [resolvedPolicy] + [disallowedReason].compactMap { $0 } }
    }
}

extension Sharing {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum VisibilityPolicyDisallowedReason: StoneError {
        case deleteAndRecreate
        case restrictedBySharedFolder
        case restrictedByTeam
        case userNotOnTeam
        case userAccountType
        case permissionDenied
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("delete_and_recreate restricted_by_shared_folder restricted_by_team user_not_on_team user_account_type permission_denied")
            switch tag.number {
            case 0: self = .deleteAndRecreate
            case 1: self = .restrictedBySharedFolder
            case 2: self = .restrictedByTeam
            case 3: self = .userNotOnTeam
            case 4: self = .userAccountType
            case 5: self = .permissionDenied
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .deleteAndRecreate: writer.tag("delete_and_recreate")
            case .restrictedBySharedFolder: writer.tag("restricted_by_shared_folder")
            case .restrictedByTeam: writer.tag("restricted_by_team")
            case .userNotOnTeam: writer.tag("user_not_on_team")
            case .userAccountType: writer.tag("user_account_type")
            case .permissionDenied: writer.tag("permission_denied")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
