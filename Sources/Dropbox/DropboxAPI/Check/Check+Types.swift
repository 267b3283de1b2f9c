// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Check {
    public struct EchoArg: StoneValue {
        public var query: String

        public init(query: String = "") {
            self.query = query
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("query")
            query = try reader.optionalString(slot) ?? ""
        }

        public func write(to writer: StoneWriter) {
            writer.string("query", query)
        }
    }
}

extension Check {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum EchoError: StoneError {
        case userRequested
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_requested")
            switch tag.number {
            case 0: self = .userRequested
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .userRequested: writer.tag("user_requested")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Check {
    public struct EchoResult: StoneValue {
        public var result: String

        public init(result: String = "") {
            self.result = result
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("result")
            result = try reader.optionalString(slot) ?? ""
        }

        public func write(to writer: StoneWriter) {
            writer.string("result", result)
        }
    }
}
