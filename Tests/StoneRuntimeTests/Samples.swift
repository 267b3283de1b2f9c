// SPDX-License-Identifier: Apache-2.0

import StoneRuntime
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A hand-written type in the form of generated code, with a field of every kind.
struct Numbers: StoneValue {
    var small: Int32 = 0
    var large: Int64 = 0
    var count: UInt32 = 0
    var total: UInt64 = 0
    var ratio: Float = 0
    var weight: Double = 0
    var flag = false

    init() {}

    init(from reader: StoneReader) throws(StoneFailure) {
        let slot = try reader.fields("small large count total ratio weight flag")
        small = try reader.optionalInt32(slot) ?? 0
        large = try reader.optionalInt64(slot + 1) ?? 0
        count = try reader.optionalUInt32(slot + 2) ?? 0
        total = try reader.optionalUInt64(slot + 3) ?? 0
        ratio = try reader.optionalFloat32(slot + 4) ?? 0
        weight = try reader.optionalFloat64(slot + 5) ?? 0
        flag = try reader.optionalBool(slot + 6) ?? false
    }

    func write(to writer: StoneWriter) {
        writer.int32("small", small)
        writer.int64("large", large)
        writer.uint32("count", count)
        writer.uint64("total", total)
        writer.float32("ratio", ratio)
        writer.float64("weight", weight)
        writer.bool("flag", flag)
    }
}

struct Note: DescribedStoneValue {
    var id: String
    var text: String?
    var changed: Date?
    var content: [UInt8]?
    var tags: [String] = []
    var sizes: [UInt64?]?
    var marks: [String: Int32]?
    var description: String?
    var next: [Note] = []

    init(id: String) {
        self.id = id
    }

    init(from reader: StoneReader) throws(StoneFailure) {
        let slot = try reader.fields("id text changed content tags sizes marks description next")
        id = try reader.string(slot)
        text = try reader.optionalString(slot + 1)
        changed = try reader.optionalDate(slot + 2, .seconds)
        content = try reader.optionalBytes(slot + 3)
        tags = try reader.optionalStrings(slot + 4) ?? []
        sizes = try reader.optionalCoded(slot + 5, .list(.nullable(.uint64)))
        marks = try reader.optionalCoded(slot + 6, .map(.int32))
        description = try reader.optionalString(slot + 7)
        next = try reader.optionalList(slot + 8) ?? []
    }

    func write(to writer: StoneWriter) {
        writer.string("id", id)
        writer.string("text", text)
        writer.date("changed", changed, .seconds)
        writer.bytes("content", content)
        writer.strings("tags", tags)
        writer.coded("sizes", sizes, .list(.nullable(.uint64)))
        writer.coded("marks", marks, .map(.int32))
        writer.string("description", description)
        writer.list("next", next)
    }
}

/// An open union with every kind of payload.
enum Change: StoneError {
    case deleted
    case renamed(String)
    case remarked(String?)
    case added(Note)
    case replaced(Note?)
    case nested(Mark)
    case other(UnknownTag)

    init(from reader: StoneReader) throws(StoneFailure) {
        let tag = try reader.union("deleted renamed remarked added replaced nested")
        switch tag.number {
        case 0: self = .deleted
        case 1: self = .renamed(try reader.string(reader.payload(tag)))
        case 2: self = .remarked(try reader.optionalString(reader.payload(tag)))
        case 3: self = .added(try reader.flattened(tag))
        case 4: self = .replaced(try reader.optionalFlattened(tag))
        case 5: self = .nested(try reader.value(reader.payload(tag)))
        default: self = .other(reader.unknown(tag))
        }
    }

    func write(to writer: StoneWriter) {
        switch self {
        case .deleted: writer.tag("deleted")
        case .renamed(let value):
            writer.tag("renamed")
            writer.string("renamed", value)
        case .remarked(let value):
            writer.tag("remarked")
            writer.string("remarked", value)
        case .added(let value):
            writer.tag("added")
            value.write(to: writer)
        case .replaced(let value):
            writer.tag("replaced")
            value?.write(to: writer)
        case .nested(let value):
            writer.tag("nested")
            writer.value("nested", value)
        case .other(let tag): writer.unknown(tag)
        }
    }

    var innerErrors: [any Error] {
        switch self {
        case .nested(let value): [value]
        default: []
        }
    }
}

enum Mark: StoneError, CaseIterable {
    case good
    case bad

    init(from reader: StoneReader) throws(StoneFailure) {
        let tag = try reader.union("good bad")
        switch tag.number {
        case 0: self = .good
        case 1: self = .bad
        default: throw reader.unknownTag(tag)
        }
    }

    func write(to writer: StoneWriter) {
        switch self {
        case .good: writer.tag("good")
        case .bad: writer.tag("bad")
        }
    }
}

struct Page: StoneValue {
    var entries: [Change]
    var cursor: String
    var hasMore: Bool

    init(from reader: StoneReader) throws(StoneFailure) {
        let slot = try reader.fields("entries cursor has_more")
        entries = try reader.list(slot)
        cursor = try reader.string(slot + 1)
        hasMore = try reader.bool(slot + 2)
    }

    func write(to writer: StoneWriter) {
        writer.list("entries", entries)
        writer.string("cursor", cursor)
        writer.bool("has_more", hasMore)
    }
}

/// Records the values that callbacks got, in order.
final class Heard<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func add(_ value: Value) {
        list.withLock { $0.append(value) }
    }
}
