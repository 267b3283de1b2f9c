// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension FileProperties {
    /// The struct `AddPropertiesArg`.
    public struct AddPropertiesArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `property_groups`.
        public var propertyGroups: [FileProperties.PropertyGroup]

        /// Makes a value of its fields.
        public init(path: String, propertyGroups: [FileProperties.PropertyGroup]) {
            self.path = path
            self.propertyGroups = propertyGroups
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path property_groups")
            path = try reader.string(slot)
            propertyGroups = try reader.list(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension FileProperties {
    /// The union `AddPropertiesError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddPropertiesError: StoneError {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// The tag `path`.
        case path(FileProperties.LookupError)
        /// The tag `unsupported_folder`.
        case unsupportedFolder
        /// The tag `property_field_too_large`.
        case propertyFieldTooLarge
        /// The tag `does_not_fit_template`.
        case doesNotFitTemplate
        /// The tag `duplicate_property_groups`.
        case duplicatePropertyGroups
        /// The tag `property_group_already_exists`.
        case propertyGroupAlreadyExists
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content path unsupported_folder property_field_too_large does_not_fit_template duplicate_property_groups property_group_already_exists")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            case 2: self = .path(try reader.value(reader.payload(tag)))
            case 3: self = .unsupportedFolder
            case 4: self = .propertyFieldTooLarge
            case 5: self = .doesNotFitTemplate
            case 6: self = .duplicatePropertyGroups
            case 7: self = .propertyGroupAlreadyExists
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFolder: writer.tag("unsupported_folder")
            case .propertyFieldTooLarge: writer.tag("property_field_too_large")
            case .doesNotFitTemplate: writer.tag("does_not_fit_template")
            case .duplicatePropertyGroups: writer.tag("duplicate_property_groups")
            case .propertyGroupAlreadyExists: writer.tag("property_group_already_exists")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    /// The struct `AddTemplateArg`.
    public struct AddTemplateArg: DescribedStoneValue {
        /// The field `name`.
        public var name: String
        /// The field `description`.
        public var description: String
        /// The field `fields`.
        public var fields: [FileProperties.PropertyFieldTemplate]

        /// Makes a value of its fields.
        public init(name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]) {
            self.name = name
            self.description = description
            self.fields = fields
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description fields")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            fields = try reader.list(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    /// The struct `AddTemplateResult`.
    public struct AddTemplateResult: StoneValue {
        /// The field `template_id`.
        public var templateID: String

        /// Makes a value of its fields.
        public init(templateID: String) {
            self.templateID = templateID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}

extension FileProperties {
    /// The struct `GetTemplateArg`.
    public struct GetTemplateArg: StoneValue {
        /// The field `template_id`.
        public var templateID: String

        /// Makes a value of its fields.
        public init(templateID: String) {
            self.templateID = templateID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}

extension FileProperties {
    /// The struct `GetTemplateResult`.
    public struct GetTemplateResult: DescribedStoneValue {
        /// The field `name`.
        public var name: String
        /// The field `description`.
        public var description: String
        /// The field `fields`.
        public var fields: [FileProperties.PropertyFieldTemplate]

        /// Makes a value of its fields.
        public init(name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]) {
            self.name = name
            self.description = description
            self.fields = fields
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description fields")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            fields = try reader.list(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    /// The union `InvalidPropertyGroupError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum InvalidPropertyGroupError: StoneError {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// The tag `path`.
        case path(FileProperties.LookupError)
        /// The tag `unsupported_folder`.
        case unsupportedFolder
        /// The tag `property_field_too_large`.
        case propertyFieldTooLarge
        /// The tag `does_not_fit_template`.
        case doesNotFitTemplate
        /// The tag `duplicate_property_groups`.
        case duplicatePropertyGroups
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content path unsupported_folder property_field_too_large does_not_fit_template duplicate_property_groups")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            case 2: self = .path(try reader.value(reader.payload(tag)))
            case 3: self = .unsupportedFolder
            case 4: self = .propertyFieldTooLarge
            case 5: self = .doesNotFitTemplate
            case 6: self = .duplicatePropertyGroups
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFolder: writer.tag("unsupported_folder")
            case .propertyFieldTooLarge: writer.tag("property_field_too_large")
            case .doesNotFitTemplate: writer.tag("does_not_fit_template")
            case .duplicatePropertyGroups: writer.tag("duplicate_property_groups")
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    /// The struct `ListTemplateResult`.
    public struct ListTemplateResult: StoneValue {
        /// The field `template_ids`.
        public var templateIDs: [String]

        /// Makes a value of its fields.
        public init(templateIDs: [String]) {
            self.templateIDs = templateIDs
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_ids")
            templateIDs = try reader.strings(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.strings("template_ids", templateIDs)
        }
    }
}

extension FileProperties {
    /// The union `LogicalOperator`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LogicalOperator: StoneValue {
        /// The tag `or_operator`.
        case orOperator
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("or_operator")
            switch tag.number {
            case 0: self = .orOperator
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .orOperator: writer.tag("or_operator")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `LookUpPropertiesError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LookUpPropertiesError: StoneError {
        /// The tag `property_group_not_found`.
        case propertyGroupNotFound
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("property_group_not_found")
            switch tag.number {
            case 0: self = .propertyGroupNotFound
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .propertyGroupNotFound: writer.tag("property_group_not_found")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `LookupError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LookupError: StoneError {
        /// The tag `malformed_path`.
        case malformedPath(String)
        /// The tag `not_found`.
        case notFound
        /// The tag `not_file`.
        case notFile
        /// The tag `not_folder`.
        case notFolder
        /// The tag `restricted_content`.
        case restrictedContent
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("malformed_path not_found not_file not_folder restricted_content")
            switch tag.number {
            case 0: self = .malformedPath(try reader.string(reader.payload(tag)))
            case 1: self = .notFound
            case 2: self = .notFile
            case 3: self = .notFolder
            case 4: self = .restrictedContent
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .malformedPath(let value):
                writer.tag("malformed_path")
                writer.string("malformed_path", value)
            case .notFound: writer.tag("not_found")
            case .notFile: writer.tag("not_file")
            case .notFolder: writer.tag("not_folder")
            case .restrictedContent: writer.tag("restricted_content")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `ModifyTemplateError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ModifyTemplateError: StoneError {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// The tag `conflicting_property_names`.
        case conflictingPropertyNames
        /// The tag `too_many_properties`.
        case tooManyProperties
        /// The tag `too_many_templates`.
        case tooManyTemplates
        /// The tag `template_attribute_too_large`.
        case templateAttributeTooLarge
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content conflicting_property_names too_many_properties too_many_templates template_attribute_too_large")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            case 2: self = .conflictingPropertyNames
            case 3: self = .tooManyProperties
            case 4: self = .tooManyTemplates
            case 5: self = .templateAttributeTooLarge
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .conflictingPropertyNames: writer.tag("conflicting_property_names")
            case .tooManyProperties: writer.tag("too_many_properties")
            case .tooManyTemplates: writer.tag("too_many_templates")
            case .templateAttributeTooLarge: writer.tag("template_attribute_too_large")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The struct `OverwritePropertyGroupArg`.
    public struct OverwritePropertyGroupArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `property_groups`.
        public var propertyGroups: [FileProperties.PropertyGroup]

        /// Makes a value of its fields.
        public init(path: String, propertyGroups: [FileProperties.PropertyGroup]) {
            self.path = path
            self.propertyGroups = propertyGroups
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path property_groups")
            path = try reader.string(slot)
            propertyGroups = try reader.list(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension FileProperties {
    /// The union `PropertiesError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesError: StoneValue {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// The tag `path`.
        case path(FileProperties.LookupError)
        /// The tag `unsupported_folder`.
        case unsupportedFolder
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content path unsupported_folder")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            case 2: self = .path(try reader.value(reader.payload(tag)))
            case 3: self = .unsupportedFolder
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFolder: writer.tag("unsupported_folder")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The struct `PropertiesSearchArg`.
    public struct PropertiesSearchArg: StoneValue {
        /// The field `queries`.
        public var queries: [FileProperties.PropertiesSearchQuery]
        /// The field `template_filter`.
        public var templateFilter: FileProperties.TemplateFilter

        /// Makes a value of its fields.
        public init(
            queries: [FileProperties.PropertiesSearchQuery],
            templateFilter: FileProperties.TemplateFilter = FileProperties.TemplateFilter.filterNone
        ) {
            self.queries = queries
            self.templateFilter = templateFilter
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("queries template_filter")
            queries = try reader.list(slot)
            templateFilter = try reader.optionalValue(slot + 1) ?? FileProperties.TemplateFilter.filterNone
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("queries", queries)
            writer.value("template_filter", templateFilter)
        }
    }
}

extension FileProperties {
    /// The struct `PropertiesSearchContinueArg`.
    public struct PropertiesSearchContinueArg: StoneValue {
        /// The field `cursor`.
        public var cursor: String

        /// Makes a value of its fields.
        public init(cursor: String) {
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension FileProperties {
    /// The union `PropertiesSearchContinueError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesSearchContinueError: StoneError {
        /// The tag `reset`.
        case reset
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("reset")
            switch tag.number {
            case 0: self = .reset
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .reset: writer.tag("reset")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `PropertiesSearchError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesSearchError: StoneError {
        /// The tag `property_group_lookup`.
        case propertyGroupLookup(FileProperties.LookUpPropertiesError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("property_group_lookup")
            switch tag.number {
            case 0: self = .propertyGroupLookup(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .propertyGroupLookup(let value):
                writer.tag("property_group_lookup")
                writer.value("property_group_lookup", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .propertyGroupLookup(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    /// The struct `PropertiesSearchMatch`.
    public struct PropertiesSearchMatch: StoneValue {
        /// The field `id`.
        public var id: String
        /// The field `path`.
        public var path: String
        /// The field `is_deleted`.
        public var isDeleted: Bool
        /// The field `property_groups`.
        public var propertyGroups: [FileProperties.PropertyGroup]

        /// Makes a value of its fields.
        public init(id: String, path: String, isDeleted: Bool, propertyGroups: [FileProperties.PropertyGroup]) {
            self.id = id
            self.path = path
            self.isDeleted = isDeleted
            self.propertyGroups = propertyGroups
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id path is_deleted property_groups")
            id = try reader.string(slot)
            path = try reader.string(slot + 1)
            isDeleted = try reader.bool(slot + 2)
            propertyGroups = try reader.list(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("path", path)
            writer.bool("is_deleted", isDeleted)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension FileProperties {
    /// The union `PropertiesSearchMode`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesSearchMode: StoneValue {
        /// The tag `field_name`.
        case fieldName(String)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("field_name")
            switch tag.number {
            case 0: self = .fieldName(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .fieldName(let value):
                writer.tag("field_name")
                writer.string("field_name", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The struct `PropertiesSearchQuery`.
    public struct PropertiesSearchQuery: StoneValue {
        /// The field `query`.
        public var query: String
        /// The field `mode`.
        public var mode: FileProperties.PropertiesSearchMode
        /// The field `logical_operator`.
        public var logicalOperator: FileProperties.LogicalOperator

        /// Makes a value of its fields.
        public init(
            query: String, mode: FileProperties.PropertiesSearchMode,
            logicalOperator: FileProperties.LogicalOperator = FileProperties.LogicalOperator.orOperator
        ) {
            self.query = query
            self.mode = mode
            self.logicalOperator = logicalOperator
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("query mode logical_operator")
            query = try reader.string(slot)
            mode = try reader.value(slot + 1)
            logicalOperator = try reader.optionalValue(slot + 2) ?? FileProperties.LogicalOperator.orOperator
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("query", query)
            writer.value("mode", mode)
            writer.value("logical_operator", logicalOperator)
        }
    }
}

extension FileProperties {
    /// The struct `PropertiesSearchResult`.
    public struct PropertiesSearchResult: StoneValue {
        /// The field `matches`.
        public var matches: [FileProperties.PropertiesSearchMatch]
        /// The field `cursor`.
        public var cursor: String?

        /// Makes a value of its fields.
        public init(matches: [FileProperties.PropertiesSearchMatch], cursor: String? = nil) {
            self.matches = matches
            self.cursor = cursor
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("matches cursor")
            matches = try reader.list(slot)
            cursor = try reader.optionalString(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.list("matches", matches)
            writer.string("cursor", cursor)
        }
    }
}

extension FileProperties {
    /// The struct `PropertyField`.
    public struct PropertyField: StoneValue {
        /// The field `name`.
        public var name: String
        /// The field `value`.
        public var value: String

        /// Makes a value of its fields.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name value")
            name = try reader.string(slot)
            value = try reader.string(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("value", value)
        }
    }
}

extension FileProperties {
    /// The struct `PropertyFieldTemplate`.
    public struct PropertyFieldTemplate: DescribedStoneValue {
        /// The field `name`.
        public var name: String
        /// The field `description`.
        public var description: String
        /// The field `type`.
        public var type: FileProperties.PropertyType

        /// Makes a value of its fields.
        public init(name: String, description: String, type: FileProperties.PropertyType) {
            self.name = name
            self.description = description
            self.type = type
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description type")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            type = try reader.value(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.value("type", type)
        }
    }
}

extension FileProperties {
    /// The struct `PropertyGroup`.
    public struct PropertyGroup: StoneValue {
        /// The field `template_id`.
        public var templateID: String
        /// The field `fields`.
        public var fields: [FileProperties.PropertyField]

        /// Makes a value of its fields.
        public init(templateID: String, fields: [FileProperties.PropertyField]) {
            self.templateID = templateID
            self.fields = fields
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id fields")
            templateID = try reader.string(slot)
            fields = try reader.list(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    /// The struct `PropertyGroupTemplate`.
    public struct PropertyGroupTemplate: DescribedStoneValue {
        /// The field `name`.
        public var name: String
        /// The field `description`.
        public var description: String
        /// The field `fields`.
        public var fields: [FileProperties.PropertyFieldTemplate]

        /// Makes a value of its fields.
        public init(name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]) {
            self.name = name
            self.description = description
            self.fields = fields
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description fields")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            fields = try reader.list(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    /// The struct `PropertyGroupUpdate`.
    public struct PropertyGroupUpdate: StoneValue {
        /// The field `template_id`.
        public var templateID: String
        /// The field `add_or_update_fields`.
        public var addOrUpdateFields: [FileProperties.PropertyField]?
        /// The field `remove_fields`.
        public var removeFields: [String]?

        /// Makes a value of its fields.
        public init(
            templateID: String, addOrUpdateFields: [FileProperties.PropertyField]? = nil, removeFields: [String]? = nil
        ) {
            self.templateID = templateID
            self.addOrUpdateFields = addOrUpdateFields
            self.removeFields = removeFields
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id add_or_update_fields remove_fields")
            templateID = try reader.string(slot)
            addOrUpdateFields = try reader.optionalList(slot + 1)
            removeFields = try reader.optionalStrings(slot + 2)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
            writer.list("add_or_update_fields", addOrUpdateFields)
            writer.strings("remove_fields", removeFields)
        }
    }
}

extension FileProperties {
    /// The union `PropertyType`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertyType: StoneValue {
        /// The tag `string`.
        case string
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("string")
            switch tag.number {
            case 0: self = .string
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .string: writer.tag("string")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The struct `RemovePropertiesArg`.
    public struct RemovePropertiesArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `property_template_ids`.
        public var propertyTemplateIDs: [String]

        /// Makes a value of its fields.
        public init(path: String, propertyTemplateIDs: [String]) {
            self.path = path
            self.propertyTemplateIDs = propertyTemplateIDs
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path property_template_ids")
            path = try reader.string(slot)
            propertyTemplateIDs = try reader.strings(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.strings("property_template_ids", propertyTemplateIDs)
        }
    }
}

extension FileProperties {
    /// The union `RemovePropertiesError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemovePropertiesError: StoneError {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// The tag `path`.
        case path(FileProperties.LookupError)
        /// The tag `unsupported_folder`.
        case unsupportedFolder
        /// The tag `property_group_lookup`.
        case propertyGroupLookup(FileProperties.LookUpPropertiesError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content path unsupported_folder property_group_lookup")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            case 2: self = .path(try reader.value(reader.payload(tag)))
            case 3: self = .unsupportedFolder
            case 4: self = .propertyGroupLookup(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFolder: writer.tag("unsupported_folder")
            case .propertyGroupLookup(let value):
                writer.tag("property_group_lookup")
                writer.value("property_group_lookup", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .propertyGroupLookup(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    /// The struct `RemoveTemplateArg`.
    public struct RemoveTemplateArg: StoneValue {
        /// The field `template_id`.
        public var templateID: String

        /// Makes a value of its fields.
        public init(templateID: String) {
            self.templateID = templateID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}

extension FileProperties {
    /// The union `TemplateError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateError: StoneError {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `TemplateFilter`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateFilter: StoneValue {
        /// The tag `filter_some`.
        case filterSome([String])
        /// The tag `filter_none`.
        case filterNone
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filter_some filter_none")
            switch tag.number {
            case 0: self = .filterSome(try reader.strings(reader.payload(tag)))
            case 1: self = .filterNone
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .filterSome(let value):
                writer.tag("filter_some")
                writer.strings("filter_some", value)
            case .filterNone: writer.tag("filter_none")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `TemplateFilterBase`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateFilterBase: StoneValue {
        /// The tag `filter_some`.
        case filterSome([String])
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filter_some")
            switch tag.number {
            case 0: self = .filterSome(try reader.strings(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .filterSome(let value):
                writer.tag("filter_some")
                writer.strings("filter_some", value)
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The union `TemplateOwnerType`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateOwnerType: StoneValue {
        /// The tag `user`.
        case user
        /// The tag `team`.
        case team
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user team")
            switch tag.number {
            case 0: self = .user
            case 1: self = .team
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .user: writer.tag("user")
            case .team: writer.tag("team")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    /// The struct `UpdatePropertiesArg`.
    public struct UpdatePropertiesArg: StoneValue {
        /// The field `path`.
        public var path: String
        /// The field `update_property_groups`.
        public var updatePropertyGroups: [FileProperties.PropertyGroupUpdate]

        /// Makes a value of its fields.
        public init(path: String, updatePropertyGroups: [FileProperties.PropertyGroupUpdate]) {
            self.path = path
            self.updatePropertyGroups = updatePropertyGroups
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path update_property_groups")
            path = try reader.string(slot)
            updatePropertyGroups = try reader.list(slot + 1)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("update_property_groups", updatePropertyGroups)
        }
    }
}

extension FileProperties {
    /// The union `UpdatePropertiesError`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdatePropertiesError: StoneError {
        /// The tag `template_not_found`.
        case templateNotFound(String)
        /// The tag `restricted_content`.
        case restrictedContent
        /// The tag `path`.
        case path(FileProperties.LookupError)
        /// The tag `unsupported_folder`.
        case unsupportedFolder
        /// The tag `property_field_too_large`.
        case propertyFieldTooLarge
        /// The tag `does_not_fit_template`.
        case doesNotFitTemplate
        /// The tag `duplicate_property_groups`.
        case duplicatePropertyGroups
        /// The tag `property_group_lookup`.
        case propertyGroupLookup(FileProperties.LookUpPropertiesError)
        /// A tag that this version does not know.
        case other(UnknownTag)

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content path unsupported_folder property_field_too_large does_not_fit_template duplicate_property_groups property_group_lookup")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            case 2: self = .path(try reader.value(reader.payload(tag)))
            case 3: self = .unsupportedFolder
            case 4: self = .propertyFieldTooLarge
            case 5: self = .doesNotFitTemplate
            case 6: self = .duplicatePropertyGroups
            case 7: self = .propertyGroupLookup(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        /// Writes the tag and what belongs to it.
        public func write(to writer: StoneWriter) {
            switch self {
            case .templateNotFound(let value):
                writer.tag("template_not_found")
                writer.string("template_not_found", value)
            case .restrictedContent: writer.tag("restricted_content")
            case .path(let value):
                writer.tag("path")
                writer.value("path", value)
            case .unsupportedFolder: writer.tag("unsupported_folder")
            case .propertyFieldTooLarge: writer.tag("property_field_too_large")
            case .doesNotFitTemplate: writer.tag("does_not_fit_template")
            case .duplicatePropertyGroups: writer.tag("duplicate_property_groups")
            case .propertyGroupLookup(let value):
                writer.tag("property_group_lookup")
                writer.value("property_group_lookup", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// What the tag carries that can be why a call fails.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            case .propertyGroupLookup(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    /// The struct `UpdateTemplateArg`.
    public struct UpdateTemplateArg: DescribedStoneValue {
        /// The field `template_id`.
        public var templateID: String
        /// The field `name`.
        public var name: String?
        /// The field `description`.
        public var description: String?
        /// The field `add_fields`.
        public var addFields: [FileProperties.PropertyFieldTemplate]?

        /// Makes a value of its fields.
        public init(
            templateID: String, name: String? = nil, description: String? = nil,
            addFields: [FileProperties.PropertyFieldTemplate]? = nil
        ) {
            self.templateID = templateID
            self.name = name
            self.description = description
            self.addFields = addFields
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id name description add_fields")
            templateID = try reader.string(slot)
            name = try reader.optionalString(slot + 1)
            description = try reader.optionalString(slot + 2)
            addFields = try reader.optionalList(slot + 3)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
            writer.string("name", name)
            writer.string("description", description)
            writer.list("add_fields", addFields)
        }
    }
}

extension FileProperties {
    /// The struct `UpdateTemplateResult`.
    public struct UpdateTemplateResult: StoneValue {
        /// The field `template_id`.
        public var templateID: String

        /// Makes a value of its fields.
        public init(templateID: String) {
            self.templateID = templateID
        }

        /// Reads the value at which a reader stands.
        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        /// Writes the fields.
        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}
