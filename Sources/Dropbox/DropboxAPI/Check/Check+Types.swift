// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Check {
    /// The struct `EchoArg`.
    public struct EchoArg: StoneValue {
        /// The field `query`.
        public var query: String

        /// Makes a value of its fields.
        public init(query: String = "") {
            self.query = query
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("query")
            query = try reader.optionalString(slot) ?? ""
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("query", query)
        }
    }
}

extension Check {
    /// The union `EchoError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum EchoError: StoneError {
        /// The tag `user_requested`.
        case userRequested
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user_requested")
            switch tag.number {
            case 0: self = .userRequested
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .userRequested: writer.tag("user_requested")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Check {
    /// The struct `EchoResult`.
    public struct EchoResult: StoneValue {
        /// The field `result`.
        public var result: String

        /// Makes a value of its fields.
        public init(result: String = "") {
            self.result = result
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("result")
            result = try reader.optionalString(slot) ?? ""
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("result", result)
        }
    }
}
