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

extension Notes {
    public enum Base: StoneValue {
        /// The first.
        case first
        case second(UInt32)
        case extra(Notes.Empty)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("first second extra")
            switch tag.number {
            case 0: self = .first
            case 1: self = .second(try reader.uint32(reader.payload(tag)))
            case 2: self = .extra(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .first: writer.tag("first")
            case .second(let value):
                writer.tag("second")
                writer.uint32("second", value)
            case .extra(let value):
                writer.tag("extra")
                value.write(to: writer)
            }
        }
    }
}

extension Notes {
    /// The narrowest and the widest of each kind.
    public struct Bounds: StoneValue {
        public var tiny: Int32
        public var wide: Int32
        public var small: Int64?
        public var large: Int64?
        public var count: UInt32?
        public var total: UInt64?
        public var ratio: Float?
        public var weight: Double?
        public var name: String?
        public var code: String?
        public var letters: String?
        public var items: [Int32]?
        public var marks: [String: UInt32]?
        public var content: [UInt8]?
        public var nothing: [Void]?

        public init(
            tiny: Int32, wide: Int32, small: Int64? = nil, large: Int64? = nil, count: UInt32? = nil,
            total: UInt64? = nil, ratio: Float? = nil, weight: Double? = nil, name: String? = nil, code: String? = nil,
            letters: String? = nil, items: [Int32]? = nil, marks: [String: UInt32]? = nil, content: [UInt8]? = nil,
            nothing: [Void]? = nil
        ) {
            self.tiny = tiny
            self.wide = wide
            self.small = small
            self.large = large
            self.count = count
            self.total = total
            self.ratio = ratio
            self.weight = weight
            self.name = name
            self.code = code
            self.letters = letters
            self.items = items
            self.marks = marks
            self.content = content
            self.nothing = nothing
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("tiny wide small large count total ratio weight name code letters items marks content nothing")
            tiny = try reader.int32(slot)
            wide = try reader.int32(slot + 1)
            small = try reader.optionalInt64(slot + 2)
            large = try reader.optionalInt64(slot + 3)
            count = try reader.optionalUInt32(slot + 4)
            total = try reader.optionalUInt64(slot + 5)
            ratio = try reader.optionalFloat32(slot + 6)
            weight = try reader.optionalFloat64(slot + 7)
            name = try reader.optionalString(slot + 8)
            code = try reader.optionalString(slot + 9)
            letters = try reader.optionalString(slot + 10)
            items = try reader.optionalCoded(slot + 11, .list(.int32))
            marks = try reader.optionalCoded(slot + 12, .map(.uint32))
            content = try reader.optionalBytes(slot + 13)
            nothing = try reader.optionalCoded(slot + 14, .list(.void))
        }

        public func write(to writer: StoneWriter) {
            writer.int32("tiny", tiny)
            writer.int32("wide", wide)
            writer.int64("small", small)
            writer.int64("large", large)
            writer.uint32("count", count)
            writer.uint64("total", total)
            writer.float32("ratio", ratio)
            writer.float64("weight", weight)
            writer.string("name", name)
            writer.string("code", code)
            writer.string("letters", letters)
            writer.coded("items", items, .list(.int32))
            writer.coded("marks", marks, .map(.uint32))
            writer.bytes("content", content)
            writer.coded("nothing", nothing, .list(.void))
        }
    }
}

extension Notes {
    public enum Closed: StoneValue {
        /// The first.
        case first
        case second(UInt32)
        case extra(Notes.Empty)
        /// It may still change without notice.
        case third(Bool)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("first second extra third")
            switch tag.number {
            case 0: self = .first
            case 1: self = .second(try reader.uint32(reader.payload(tag)))
            case 2: self = .extra(try reader.flattened(tag))
            case 3: self = .third(try reader.bool(reader.payload(tag)))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .first: writer.tag("first")
            case .second(let value):
                writer.tag("second")
                writer.uint32("second", value)
            case .extra(let value):
                writer.tag("extra")
                value.write(to: writer)
            case .third(let value):
                writer.tag("third")
                writer.bool("third", value)
            }
        }
    }
}

extension Notes {
    public struct CreateArg: StoneValue {
        public var text: String
        public var folder: String?
        public var style: Common.Style

        public init(text: String, folder: String? = nil, style: Common.Style = Common.Style.upload) {
            self.text = text
            self.folder = folder
            self.style = style
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("text folder style")
            text = try reader.string(slot)
            folder = try reader.optionalString(slot + 1)
            style = try reader.optionalValue(slot + 2) ?? Common.Style.upload
        }

        public func write(to writer: StoneWriter) {
            writer.string("text", text)
            writer.string("folder", folder)
            writer.value("style", style)
        }
    }
}

extension Notes {
    /// Why nothing was made.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CreateError: StoneError {
        case noSpace
        case badName(String)
        case entry(Notes.LookupError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("no_space bad_name entry")
            switch tag.number {
            case 0: self = .noSpace
            case 1: self = .badName(try reader.string(reader.payload(tag)))
            case 2: self = .entry(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .noSpace: writer.tag("no_space")
            case .badName(let value):
                writer.tag("bad_name")
                writer.string("bad_name", value)
            case .entry(let value):
                writer.tag("entry")
                writer.value("entry", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .entry(let value): [value]
            default: []
            }
        }
    }
}

extension Notes {
    /// What arguments are made of is checked by the rules.
    public struct DrawArg: StoneValue {
        public var finish: Notes.Finish
        public var bounds: Notes.Bounds
        public var moments: Notes.Moments?

        public init(finish: Notes.Finish, bounds: Notes.Bounds, moments: Notes.Moments? = nil) {
            self.finish = finish
            self.bounds = bounds
            self.moments = moments
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("finish bounds moments")
            finish = try reader.value(slot)
            bounds = try reader.value(slot + 1)
            moments = try reader.optionalValue(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.value("finish", finish)
            writer.value("bounds", bounds)
            writer.value("moments", moments)
        }
    }
}

extension Notes {
    /// Nothing in it.
    public struct Empty: StoneValue {
        public init() {
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            _ = try reader.fields("")
        }

        public func write(to writer: StoneWriter) {}
    }
}

extension Notes {
    /// What a folder holds: `Notes.Note`, `Notes.Folder` or something newer.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Entry: StoneValue {
        /// Text. Made by `Notes.create`, `Notes.createV2` and `Notes.foldersList`.
        case note(Notes.Note)
        /// May hold others.
        case folder(Notes.Folder)
        case link(Notes.Link)
        /// A tag that the specs do not define.
        case other(UnknownTag, base: Notes.EntryBase)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("note folder link")
            switch tag.number {
            case 0: self = .note(try reader.flattened(tag))
            case 1: self = .folder(try reader.flattened(tag))
            case 2: self = .link(try reader.flattened(tag))
            default: self = .other(reader.unknown(tag), base: try reader.flattened(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .note(let value):
                writer.tag("note")
                value.write(to: writer)
            case .folder(let value):
                writer.tag("folder")
                value.write(to: writer)
            case .link(let value):
                writer.tag("link")
                value.write(to: writer)
            case .other(let tag, _): writer.unknown(tag)
            }
        }

        /// Its name for ever.
        public var id: String {
            switch self {
            case .note(let value): value.id
            case .folder(let value): value.id
            case .link(let value): value.id
            case .other(_, let base): base.id
            }
        }

        /// What people see.
        ///
        /// It may be empty, see `Notes.Note.text`.
        public var name: String {
            switch self {
            case .note(let value): value.name
            case .folder(let value): value.name
            case .link(let value): value.name
            case .other(_, let base): base.name
            }
        }

        public var marks: UInt32 {
            switch self {
            case .note(let value): value.marks
            case .folder(let value): value.marks
            case .link(let value): value.marks
            case .other(_, let base): base.marks
            }
        }
    }

    /// The fields that all subtypes of `Entry` have.
    public struct EntryBase: StoneValue {
        /// Its name for ever.
        public var id: String
        /// What people see.
        ///
        /// It may be empty, see `Notes.Note.text`.
        public var name: String
        public var marks: UInt32

        public init(id: String, name: String, marks: UInt32 = 0) {
            self.id = id
            self.name = name
            self.marks = marks
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name marks")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            marks = try reader.optionalUInt32(slot + 2) ?? 0
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
            writer.uint32("marks", marks)
        }
    }
}

extension Notes {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public indirect enum Finish: StoneError {
        case dark
        /// It should not be used any more.
        @available(*, deprecated)
        case light
        case polished(Float)
        /// It should not be used any more.
        @available(*, deprecated)
        case painted(String)
        case coated(Notes.Finish)
        case layered([Notes.Finish])
        case shaped(Notes.Shape)
        case timed(Notes.Moments?)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        @available(*, deprecated)
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("dark light polished painted coated layered shaped timed")
            switch tag.number {
            case 0: self = .dark
            case 1: self = .light
            case 2: self = .polished(try reader.float32(reader.payload(tag)))
            case 3: self = .painted(try reader.string(reader.payload(tag)))
            case 4: self = .coated(try reader.value(reader.payload(tag)))
            case 5: self = .layered(try reader.list(reader.payload(tag)))
            case 6: self = .shaped(try reader.value(reader.payload(tag)))
            case 7: self = .timed(try reader.optionalFlattened(tag))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .dark: writer.tag("dark")
            case .light: writer.tag("light")
            case .polished(let value):
                writer.tag("polished")
                writer.float32("polished", value)
            case .painted(let value):
                writer.tag("painted")
                writer.string("painted", value)
            case .coated(let value):
                writer.tag("coated")
                writer.value("coated", value)
            case .layered(let value):
                writer.tag("layered")
                writer.list("layered", value)
            case .shaped(let value):
                writer.tag("shaped")
                writer.value("shaped", value)
            case .timed(let value):
                writer.tag("timed")
                value?.write(to: writer)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .coated(let value): [value]
            case .layered(let value): value
            case .shaped(let value): [value]
            case .timed(let value): [value].compactMap { $0 }
            default: []
            }
        }
    }
}

extension Notes {
    /// May hold others.
    public struct Folder: StoneValue {
        /// Its name for ever.
        public var id: String
        /// What people see.
        ///
        /// It may be empty, see `Notes.Note.text`.
        public var name: String
        public var children: [Notes.Entry]
        public var shelf: UInt32
        public var marks: UInt32
        public var cover: Notes.Note?
        var _parent: [Notes.Folder]
        public var parent: Notes.Folder? {
            get { _parent.first }
            set { _parent = [newValue].compactMap { $0 } }
        }
        /// Added by a patch.
        public var color: String

        public init(
            id: String, name: String, children: [Notes.Entry], shelf: UInt32, marks: UInt32 = 0,
            cover: Notes.Note? = nil, parent: Notes.Folder? = nil, color: String = "blue"
        ) {
            self.id = id
            self.name = name
            self.children = children
            self.shelf = shelf
            self.marks = marks
            self.cover = cover
            _parent = [parent].compactMap { $0 }
            self.color = color
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name children shelf marks cover parent color")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            children = try reader.list(slot + 2)
            shelf = try reader.uint32(slot + 3)
            marks = try reader.optionalUInt32(slot + 4) ?? 0
            cover = try reader.optionalValue(slot + 5)
            _parent = [try reader.optionalValue(slot + 6)].compactMap { $0 }
            color = try reader.optionalString(slot + 7) ?? "blue"
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
            writer.list("children", children)
            writer.uint32("shelf", shelf)
            writer.uint32("marks", marks)
            writer.value("cover", cover)
            writer.value("parent", _parent.first)
            writer.string("color", color)
        }
    }
}

extension Notes {
    public struct Link: StoneValue {
        /// Its name for ever.
        public var id: String
        /// What people see.
        ///
        /// It may be empty, see `Notes.Note.text`.
        public var name: String
        public var target: String?
        public var marks: UInt32

        public init(id: String, name: String, target: String? = nil, marks: UInt32 = 0) {
            self.id = id
            self.name = name
            self.target = target
            self.marks = marks
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name target marks")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            target = try reader.optionalString(slot + 2)
            marks = try reader.optionalUInt32(slot + 3) ?? 0
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
            writer.string("target", target)
            writer.uint32("marks", marks)
        }
    }
}

extension Notes {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LookupError: StoneError {
        case busy
        case notFound
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("busy not_found")
            switch tag.number {
            case 0: self = .busy
            case 1: self = .notFound
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .busy: writer.tag("busy")
            case .notFound: writer.tag("not_found")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Notes {
    /// A point in time in both forms.
    public struct Moments: StoneError {
        public var second: Date?
        public var day: Date?

        public init(second: Date? = nil, day: Date? = nil) {
            self.second = second
            self.day = day
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("second day")
            second = try reader.optionalDate(slot, .seconds)
            day = try reader.optionalDate(slot + 1, .day)
        }

        public func write(to writer: StoneWriter) {
            writer.date("second", second, .seconds)
            writer.date("day", day, .day)
        }
    }
}

extension Notes {
    /// Text. Made by `Notes.create`, `Notes.createV2` and `Notes.foldersList`.
    public struct Note: StoneValue {
        /// Its name for ever.
        public var id: String
        /// What people see.
        ///
        /// It may be empty, see `Notes.Note.text`.
        public var name: String
        public var text: String
        public var size: UInt64
        public var changed: Date
        public var writers: [Common.Person]
        public var state: Notes.State
        public var marks: UInt32
        public var score: Int64
        public var ratio: Float?
        public var weight: Double
        public var content: [UInt8]?
        public var attributes: [String: Int32]?
        public var people: [String: Common.Person]?
        public var sizes: [[UInt64?]]?
        /// By default `nil`, `-1.5e-3` or `"text"`.
        public var rating: Notes.Rating
        public var index: [String: [String]]?
        /// Masked in logs.
        public var secret: String?
        public var parts: [String]?
        /// In feet.
        public var length: Double?
        var _oldName: String
        /// Say "name" instead: \ is a backslash.
        @available(*, deprecated)
        public var oldName: String {
            get { _oldName }
            set { _oldName = newValue }
        }
        /// It may still change without notice.
        public var beta: Bool

        public init(
            id: String, name: String, text: String, size: UInt64, changed: Date, writers: [Common.Person],
            state: Notes.State, marks: UInt32 = 0, score: Int64 = -1, ratio: Float? = nil, weight: Double = 0.5,
            content: [UInt8]? = nil, attributes: [String: Int32]? = nil, people: [String: Common.Person]? = nil,
            sizes: [[UInt64?]]? = nil, rating: Notes.Rating = Notes.Rating.good, index: [String: [String]]? = nil,
            secret: String? = nil, parts: [String]? = nil, length: Double? = nil, oldName: String = "none",
            beta: Bool = true
        ) {
            self.id = id
            self.name = name
            self.text = text
            self.size = size
            self.changed = changed
            self.writers = writers
            self.state = state
            self.marks = marks
            self.score = score
            self.ratio = ratio
            self.weight = weight
            self.content = content
            self.attributes = attributes
            self.people = people
            self.sizes = sizes
            self.rating = rating
            self.index = index
            self.secret = secret
            self.parts = parts
            self.length = length
            _oldName = oldName
            self.beta = beta
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id name text size changed writers state marks score ratio weight content attributes people sizes rating index secret parts length old_name beta")
            id = try reader.string(slot)
            name = try reader.string(slot + 1)
            text = try reader.string(slot + 2)
            size = try reader.uint64(slot + 3)
            changed = try reader.date(slot + 4, .seconds)
            writers = try reader.list(slot + 5)
            state = try reader.value(slot + 6)
            marks = try reader.optionalUInt32(slot + 7) ?? 0
            score = try reader.optionalInt64(slot + 8) ?? -1
            ratio = try reader.optionalFloat32(slot + 9)
            weight = try reader.optionalFloat64(slot + 10) ?? 0.5
            content = try reader.optionalBytes(slot + 11)
            attributes = try reader.optionalCoded(slot + 12, .map(.int32))
            people = try reader.optionalCoded(slot + 13, .map(.type))
            sizes = try reader.optionalCoded(slot + 14, .list(.list(.nullable(.uint64))))
            rating = try reader.optionalValue(slot + 15) ?? Notes.Rating.good
            index = try reader.optionalCoded(slot + 16, .map(.list(.string)))
            secret = try reader.optionalString(slot + 17)
            parts = try reader.optionalStrings(slot + 18)
            length = try reader.optionalFloat64(slot + 19)
            _oldName = try reader.optionalString(slot + 20) ?? "none"
            beta = try reader.optionalBool(slot + 21) ?? true
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("name", name)
            writer.string("text", text)
            writer.uint64("size", size)
            writer.date("changed", changed, .seconds)
            writer.list("writers", writers)
            writer.value("state", state)
            writer.uint32("marks", marks)
            writer.int64("score", score)
            writer.float32("ratio", ratio)
            writer.float64("weight", weight)
            writer.bytes("content", content)
            writer.coded("attributes", attributes, .map(.int32))
            writer.coded("people", people, .map(.type))
            writer.coded("sizes", sizes, .list(.list(.nullable(.uint64))))
            writer.value("rating", rating)
            writer.coded("index", index, .map(.list(.string)))
            writer.string("secret", secret)
            writer.strings("parts", parts)
            writer.float64("length", length)
            writer.string("old_name", _oldName)
            writer.bool("beta", beta)
        }
    }
}

extension Notes {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Open: StoneValue {
        /// The first.
        case first
        case second(UInt32)
        case extra(Notes.Empty)
        case fourth(Double)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("first second extra fourth")
            switch tag.number {
            case 0: self = .first
            case 1: self = .second(try reader.uint32(reader.payload(tag)))
            case 2: self = .extra(try reader.flattened(tag))
            case 3: self = .fourth(try reader.float64(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .first: writer.tag("first")
            case .second(let value):
                writer.tag("second")
                writer.uint32("second", value)
            case .extra(let value):
                writer.tag("extra")
                value.write(to: writer)
            case .fourth(let value):
                writer.tag("fourth")
                writer.float64("fourth", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Notes {
    public struct Page: StoneValue {
        public var entries: [Notes.Entry]
        public var cursor: String
        public var hasMore: Bool

        public init(entries: [Notes.Entry], cursor: String, hasMore: Bool) {
            self.entries = entries
            self.cursor = cursor
            self.hasMore = hasMore
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("entries cursor has_more")
            entries = try reader.list(slot)
            cursor = try reader.string(slot + 1)
            hasMore = try reader.bool(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.list("entries", entries)
            writer.string("cursor", cursor)
            writer.bool("has_more", hasMore)
        }
    }
}

extension Notes {
    /// How good a note is.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Rating: StoneError {
        case bad
        /// It should not be used any more.
        case good
        case best
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("bad good best")
            switch tag.number {
            case 0: self = .bad
            case 1: self = .good
            case 2: self = .best
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .bad: writer.tag("bad")
            case .good: writer.tag("good")
            case .best: writer.tag("best")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Notes {
    public struct Round: StoneError {
        public var width: Float
        public var shade: Notes.Shade
        public var holes: [Notes.Shape]?

        public init(width: Float, shade: Notes.Shade = Notes.Shade.dark, holes: [Notes.Shape]? = nil) {
            self.width = width
            self.shade = shade
            self.holes = holes
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("width shade holes")
            width = try reader.float32(slot)
            shade = try reader.optionalValue(slot + 1) ?? Notes.Shade.dark
            holes = try reader.optionalList(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.float32("width", width)
            writer.value("shade", shade)
            writer.list("holes", holes)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [shade] }
    }
}

extension Notes {
    /// Tags alone, one of them of old.
    public enum Shade: StoneError, CaseIterable {
        case dark
        /// It should not be used any more.
        case light

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("dark light")
            switch tag.number {
            case 0: self = .dark
            case 1: self = .light
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .dark: writer.tag("dark")
            case .light: writer.tag("light")
            }
        }
    }
}

extension Notes {
    /// One of two, and no third.
    public indirect enum Shape: StoneError {
        case round(Notes.Round)
        case square(Notes.Square)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("round square")
            switch tag.number {
            case 0: self = .round(try reader.flattened(tag))
            case 1: self = .square(try reader.flattened(tag))
            default: throw reader.unknownTag(tag)
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .round(let value):
                writer.tag("round")
                value.write(to: writer)
            case .square(let value):
                writer.tag("square")
                value.write(to: writer)
            }
        }

        public var width: Float {
            switch self {
            case .round(let value): value.width
            case .square(let value): value.width
            }
        }

        public var shade: Notes.Shade {
            switch self {
            case .round(let value): value.shade
            case .square(let value): value.shade
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .round(let value): [value]
            case .square(let value): [value]
            }
        }
    }
}

extension Notes {
    public struct Square: StoneError {
        public var width: Float
        public var shade: Notes.Shade
        public var corner: String?
        public var finish: Notes.Finish?

        public init(
            width: Float, shade: Notes.Shade = Notes.Shade.dark, corner: String? = nil, finish: Notes.Finish? = nil
        ) {
            self.width = width
            self.shade = shade
            self.corner = corner
            self.finish = finish
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("width shade corner finish")
            width = try reader.float32(slot)
            shade = try reader.optionalValue(slot + 1) ?? Notes.Shade.dark
            corner = try reader.optionalString(slot + 2)
            finish = try reader.optionalValue(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.float32("width", width)
            writer.value("shade", shade)
            writer.string("corner", corner)
            writer.value("finish", finish)
        }

        /// The errors in the fields.
        public var innerErrors: [any Error] { [shade] + [finish].compactMap { $0 } }
    }
}

extension Notes {
    /// Written inside the field.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum State: StoneValue {
        /// Not seen by others.
        case draft
        case shared
        /// With the reader's address.
        case `public`(String)
        /// Added by a patch.
        case archived
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("draft shared public archived")
            switch tag.number {
            case 0: self = .draft
            case 1: self = .shared
            case 2: self = .`public`(try reader.string(reader.payload(tag)))
            case 3: self = .archived
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .draft: writer.tag("draft")
            case .shared: writer.tag("shared")
            case .`public`(let value):
                writer.tag("public")
                writer.string("public", value)
            case .archived: writer.tag("archived")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Notes {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum State2: StoneValue {
        /// Not seen by others.
        case draft
        case shared
        /// With the reader's address.
        case `public`(String)
        /// Added by a patch.
        case archived
        case gone(Date)
        case kept(Notes.Empty)
        case moved(Notes.Entry)
        case all([Notes.Note])
        case maybe(String?)
        case maybeNote(Notes.Note?)
        case rated(Notes.Rating)
        case byName([String: Notes.Rating])
        case aliasText(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("draft shared public archived gone kept moved all maybe maybe_note rated by_name alias_text")
            switch tag.number {
            case 0: self = .draft
            case 1: self = .shared
            case 2: self = .`public`(try reader.string(reader.payload(tag)))
            case 3: self = .archived
            case 4: self = .gone(try reader.date(reader.payload(tag), .day))
            case 5: self = .kept(try reader.flattened(tag))
            case 6: self = .moved(try reader.value(reader.payload(tag)))
            case 7: self = .all(try reader.list(reader.payload(tag)))
            case 8: self = .maybe(try reader.optionalString(reader.payload(tag)))
            case 9: self = .maybeNote(try reader.optionalFlattened(tag))
            case 10: self = .rated(try reader.value(reader.payload(tag)))
            case 11: self = .byName(try reader.coded(reader.payload(tag), .map(.type)))
            case 12: self = .aliasText(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .draft: writer.tag("draft")
            case .shared: writer.tag("shared")
            case .`public`(let value):
                writer.tag("public")
                writer.string("public", value)
            case .archived: writer.tag("archived")
            case .gone(let value):
                writer.tag("gone")
                writer.date("gone", value, .day)
            case .kept(let value):
                writer.tag("kept")
                value.write(to: writer)
            case .moved(let value):
                writer.tag("moved")
                writer.value("moved", value)
            case .all(let value):
                writer.tag("all")
                writer.list("all", value)
            case .maybe(let value):
                writer.tag("maybe")
                writer.string("maybe", value)
            case .maybeNote(let value):
                writer.tag("maybe_note")
                value?.write(to: writer)
            case .rated(let value):
                writer.tag("rated")
                writer.value("rated", value)
            case .byName(let value):
                writer.tag("by_name")
                writer.coded("by_name", value, .map(.type))
            case .aliasText(let value):
                writer.tag("alias_text")
                writer.string("alias_text", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension Notes {
    /// A lower-case name, as some have.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum CommonError: StoneValue {
        case busy
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("busy")
            switch tag.number {
            case 0: self = .busy
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .busy: writer.tag("busy")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
