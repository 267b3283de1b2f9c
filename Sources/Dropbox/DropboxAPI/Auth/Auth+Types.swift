// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AccessError: StoneValue {
        case invalidAccountType(Auth.InvalidAccountTypeError)
        case paperAccessDenied(Auth.PaperAccessError)
        case teamAccessDenied
        case noPermission(Auth.NoPermissionError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_account_type paper_access_denied team_access_denied no_permission")
            switch tag.number {
            case 0: self = .invalidAccountType(try reader.value(reader.payload(tag)))
            case 1: self = .paperAccessDenied(try reader.value(reader.payload(tag)))
            case 2: self = .teamAccessDenied
            case 3: self = .noPermission(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidAccountType(let value):
                writer.tag("invalid_account_type")
                writer.value("invalid_account_type", value)
            case .paperAccessDenied(let value):
                writer.tag("paper_access_denied")
                writer.value("paper_access_denied", value)
            case .teamAccessDenied: writer.tag("team_access_denied")
            case .noPermission(let value):
                writer.tag("no_permission")
                writer.value("no_permission", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AuthError: StoneValue {
        case invalidAccessToken
        case invalidSelectUser
        case invalidSelectAdmin
        case userSuspended
        case expiredAccessToken
        case missingScope(Auth.TokenScopeError)
        case routeAccessDenied
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_access_token invalid_select_user invalid_select_admin user_suspended expired_access_token missing_scope route_access_denied")
            switch tag.number {
            case 0: self = .invalidAccessToken
            case 1: self = .invalidSelectUser
            case 2: self = .invalidSelectAdmin
            case 3: self = .userSuspended
            case 4: self = .expiredAccessToken
            case 5: self = .missingScope(try reader.flattened(tag))
            case 6: self = .routeAccessDenied
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidAccessToken: writer.tag("invalid_access_token")
            case .invalidSelectUser: writer.tag("invalid_select_user")
            case .invalidSelectAdmin: writer.tag("invalid_select_admin")
            case .userSuspended: writer.tag("user_suspended")
            case .expiredAccessToken: writer.tag("expired_access_token")
            case .missingScope(let value):
                writer.tag("missing_scope")
                value.write(to: writer)
            case .routeAccessDenied: writer.tag("route_access_denied")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum InvalidAccountTypeError: StoneValue {
        case endpoint
        case feature
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("endpoint feature")
            switch tag.number {
            case 0: self = .endpoint
            case 1: self = .feature
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .endpoint: writer.tag("endpoint")
            case .feature: writer.tag("feature")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum NoPermissionError: StoneValue {
        case unauthorizedAccountIDUsage(Auth.UnauthorizedAccountIdUsageError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("unauthorized_account_id_usage")
            switch tag.number {
            case 0: self = .unauthorizedAccountIDUsage(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .unauthorizedAccountIDUsage(let value):
                writer.tag("unauthorized_account_id_usage")
                value.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PaperAccessError: StoneValue {
        case paperDisabled
        case notPaperUser
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("paper_disabled not_paper_user")
            switch tag.number {
            case 0: self = .paperDisabled
            case 1: self = .notPaperUser
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .paperDisabled: writer.tag("paper_disabled")
            case .notPaperUser: writer.tag("not_paper_user")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    public struct RateLimitError: StoneValue {
        public var reason: Auth.RateLimitReason
        public var retryAfter: UInt64

        public init(reason: Auth.RateLimitReason, retryAfter: UInt64 = 1) {
            self.reason = reason
            self.retryAfter = retryAfter
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("reason retry_after")
            reason = try reader.value(slot)
            retryAfter = try reader.optionalUInt64(slot + 1) ?? 1
        }

        public func write(to writer: StoneWriter) {
            writer.value("reason", reason)
            writer.uint64("retry_after", retryAfter)
        }
    }
}

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RateLimitReason: StoneValue {
        case tooManyRequests
        case tooManyWriteOperations
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("too_many_requests too_many_write_operations")
            switch tag.number {
            case 0: self = .tooManyRequests
            case 1: self = .tooManyWriteOperations
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .tooManyRequests: writer.tag("too_many_requests")
            case .tooManyWriteOperations: writer.tag("too_many_write_operations")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    public struct TokenFromOAuth1Arg: StoneValue {
        public var oauth1Token: String
        public var oauth1TokenSecret: String

        public init(oauth1Token: String, oauth1TokenSecret: String) {
            self.oauth1Token = oauth1Token
            self.oauth1TokenSecret = oauth1TokenSecret
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("oauth1_token oauth1_token_secret")
            oauth1Token = try reader.string(slot)
            oauth1TokenSecret = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("oauth1_token", oauth1Token)
            writer.string("oauth1_token_secret", oauth1TokenSecret)
        }
    }
}

extension Auth {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TokenFromOAuth1Error: StoneError {
        case invalidOauth1TokenInfo
        case appIDMismatch
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_oauth1_token_info app_id_mismatch")
            switch tag.number {
            case 0: self = .invalidOauth1TokenInfo
            case 1: self = .appIDMismatch
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidOauth1TokenInfo: writer.tag("invalid_oauth1_token_info")
            case .appIDMismatch: writer.tag("app_id_mismatch")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Auth {
    public struct TokenFromOAuth1Result: StoneValue {
        public var oauth2Token: String

        public init(oauth2Token: String) {
            self.oauth2Token = oauth2Token
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("oauth2_token")
            oauth2Token = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("oauth2_token", oauth2Token)
        }
    }
}

extension Auth {
    public struct TokenScopeError: StoneValue {
        public var requiredScope: String

        public init(requiredScope: String) {
            self.requiredScope = requiredScope
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("required_scope")
            requiredScope = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("required_scope", requiredScope)
        }
    }
}

extension Auth {
    public struct UnauthorizedAccountIdUsageError: StoneValue {
        public var unauthorizedAccountIDs: [String]

        public init(unauthorizedAccountIDs: [String]) {
            self.unauthorizedAccountIDs = unauthorizedAccountIDs
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("unauthorized_account_ids")
            unauthorizedAccountIDs = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("unauthorized_account_ids", unauthorizedAccountIDs)
        }
    }
}
