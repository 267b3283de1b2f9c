// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Common {
    public struct DropboxDuration: StoneValue {
        public var seconds: Int64
        public var nanos: Int32

        public init(seconds: Int64, nanos: Int32) {
            self.seconds = seconds
            self.nanos = nanos
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("seconds nanos")
            seconds = try reader.int64(slot)
            nanos = try reader.int32(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.int64("seconds", seconds)
            writer.int32("nanos", nanos)
        }
    }
}

extension Common {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PathRoot: StoneValue {
        case home
        case root(String)
        case namespaceID(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("home root namespace_id")
            switch tag.number {
            case 0: self = .home
            case 1: self = .root(try reader.string(reader.payload(tag)))
            case 2: self = .namespaceID(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .home: writer.tag("home")
            case .root(let value):
                writer.tag("root")
                writer.string("root", value)
            case .namespaceID(let value):
                writer.tag("namespace_id")
                writer.string("namespace_id", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Common {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PathRootError: StoneValue {
        case invalidRoot(Common.RootInfo)
        case noPermission
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_root no_permission")
            switch tag.number {
            case 0: self = .invalidRoot(try reader.value(reader.payload(tag)))
            case 1: self = .noPermission
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidRoot(let value):
                writer.tag("invalid_root")
                writer.value("invalid_root", value)
            case .noPermission: writer.tag("no_permission")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Common {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RootInfo: StoneValue {
        case team(Common.TeamRootInfo)
        case user(Common.UserRootInfo)
        /// A tag that the specs do not define.
        case other(UnknownTag, base: Common.RootInfoBase)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("team user")
            switch tag.number {
            case 0: self = .team(try reader.flattened(tag))
            case 1: self = .user(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag), base: try reader.flattened(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .team(let value):
                writer.tag("team")
                value.write(to: writer)
            case .user(let value):
                writer.tag("user")
                value.write(to: writer)
            case .other(let tag, _): writer.unknown(tag)
            }
        }

        public var rootNamespaceID: String {
            switch self {
            case .team(let value): value.rootNamespaceID
            case .user(let value): value.rootNamespaceID
            case .other(_, let base): base.rootNamespaceID
            }
        }

        public var homeNamespaceID: String {
            switch self {
            case .team(let value): value.homeNamespaceID
            case .user(let value): value.homeNamespaceID
            case .other(_, let base): base.homeNamespaceID
            }
        }
    }

    /// The fields that all subtypes of `RootInfo` have.
    public struct RootInfoBase: StoneValue {
        public var rootNamespaceID: String
        public var homeNamespaceID: String

        public init(rootNamespaceID: String, homeNamespaceID: String) {
            self.rootNamespaceID = rootNamespaceID
            self.homeNamespaceID = homeNamespaceID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("root_namespace_id home_namespace_id")
            rootNamespaceID = try reader.string(slot)
            homeNamespaceID = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("root_namespace_id", rootNamespaceID)
            writer.string("home_namespace_id", homeNamespaceID)
        }
    }
}

extension Common {
    public struct TeamRootInfo: StoneValue {
        public var rootNamespaceID: String
        public var homeNamespaceID: String
        public var homePath: String

        public init(rootNamespaceID: String, homeNamespaceID: String, homePath: String) {
            self.rootNamespaceID = rootNamespaceID
            self.homeNamespaceID = homeNamespaceID
            self.homePath = homePath
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("root_namespace_id home_namespace_id home_path")
            rootNamespaceID = try reader.string(slot)
            homeNamespaceID = try reader.string(slot + 1)
            homePath = try reader.string(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("root_namespace_id", rootNamespaceID)
            writer.string("home_namespace_id", homeNamespaceID)
            writer.string("home_path", homePath)
        }
    }
}

extension Common {
    public struct UserRootInfo: StoneValue {
        public var rootNamespaceID: String
        public var homeNamespaceID: String
        public var homePath: String?

        public init(rootNamespaceID: String, homeNamespaceID: String, homePath: String? = nil) {
            self.rootNamespaceID = rootNamespaceID
            self.homeNamespaceID = homeNamespaceID
            self.homePath = homePath
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("root_namespace_id home_namespace_id home_path")
            rootNamespaceID = try reader.string(slot)
            homeNamespaceID = try reader.string(slot + 1)
            homePath = try reader.optionalString(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("root_namespace_id", rootNamespaceID)
            writer.string("home_namespace_id", homeNamespaceID)
            writer.string("home_path", homePath)
        }
    }
}
