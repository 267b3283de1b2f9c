// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Async {
    public enum LaunchEmptyResult: StoneValue {
        case asyncJobID(String)
        case complete

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id complete")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            case 1: self = .complete
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .asyncJobID(let value):
                writer.tag("async_job_id")
                writer.string("async_job_id", value)
            case .complete: writer.tag("complete")
            }
        }
    }
}

extension Async {
    public enum LaunchResultBase: StoneValue {
        case asyncJobID(String)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("async_job_id")
            switch tag.number {
            case 0: self = .asyncJobID(try reader.string(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .asyncJobID(let value):
                writer.tag("async_job_id")
                writer.string("async_job_id", value)
            }
        }
    }
}

extension Async {
    public struct PollArg: StoneValue {
        public var asyncJobID: String

        public init(asyncJobID: String) {
            self.asyncJobID = asyncJobID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("async_job_id")
            asyncJobID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("async_job_id", asyncJobID)
        }
    }
}

extension Async {
    public enum PollEmptyResult: StoneValue, CaseIterable {
        case inProgress
        case complete

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress complete")
            switch tag.number {
            case 0: self = .inProgress
            case 1: self = .complete
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inProgress: writer.tag("in_progress")
            case .complete: writer.tag("complete")
            }
        }
    }
}

extension Async {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PollError: StoneError {
        case invalidAsyncJobID
        case internalError
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("invalid_async_job_id internal_error")
            switch tag.number {
            case 0: self = .invalidAsyncJobID
            case 1: self = .internalError
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .invalidAsyncJobID: writer.tag("invalid_async_job_id")
            case .internalError: writer.tag("internal_error")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Async {
    public enum PollResultBase: StoneValue, CaseIterable {
        case inProgress

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("in_progress")
            switch tag.number {
            case 0: self = .inProgress
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .inProgress: writer.tag("in_progress")
            }
        }
    }
}
