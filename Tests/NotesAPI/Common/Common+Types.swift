// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Common {
    /// Somebody.
    public struct Person: StoneValue {
        /// Who it is.
        public var id: String
        /// Where `Common.Person.id` reads letters.
        public var mail: String?
        public var born: Date?
        public var height: Float

        public init(id: String, mail: String? = nil, born: Date? = nil, height: Float = 1.75) {
            self.id = id
            self.mail = mail
            self.born = born
            self.height = height
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id mail born height")
            id = try reader.string(slot)
            mail = try reader.optionalString(slot + 1)
            born = try reader.optionalDate(slot + 2, .day)
            height = try reader.optionalFloat32(slot + 3) ?? 1.75
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("mail", mail)
            writer.date("born", born, .day)
            writer.float32("height", height)
        }
    }
}

extension Common {
    public enum Style: StoneValue, CaseIterable {
        case rpc
        case upload
        case download

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("rpc upload download")
            switch tag.number {
            case 0: self = .rpc
            case 1: self = .upload
            case 2: self = .download
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .rpc: writer.tag("rpc")
            case .upload: writer.tag("upload")
            case .download: writer.tag("download")
            }
        }
    }
}
