// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension FileProperties {
    public struct AddPropertiesArg: StoneValue {
        public var path: String
        public var propertyGroups: [FileProperties.PropertyGroup]

        public init(path: String, propertyGroups: [FileProperties.PropertyGroup]) {
            self.path = path
            self.propertyGroups = propertyGroups
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path property_groups")
            path = try reader.string(slot)
            propertyGroups = try reader.list(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum AddPropertiesError: StoneError {
        case templateNotFound(String)
        case restrictedContent
        case path(FileProperties.LookupError)
        case unsupportedFolder
        case propertyFieldTooLarge
        case doesNotFitTemplate
        case duplicatePropertyGroups
        case propertyGroupAlreadyExists
        /// A tag that the specs do not define.
        case other(UnknownTag)

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

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    public struct AddTemplateArg: DescribedStoneValue {
        public var name: String
        public var description: String
        public var fields: [FileProperties.PropertyFieldTemplate]

        public init(name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]) {
            self.name = name
            self.description = description
            self.fields = fields
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description fields")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            fields = try reader.list(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    public struct AddTemplateResult: StoneValue {
        public var templateID: String

        public init(templateID: String) {
            self.templateID = templateID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}

extension FileProperties {
    public struct GetTemplateArg: StoneValue {
        public var templateID: String

        public init(templateID: String) {
            self.templateID = templateID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}

extension FileProperties {
    public struct GetTemplateResult: DescribedStoneValue {
        public var name: String
        public var description: String
        public var fields: [FileProperties.PropertyFieldTemplate]

        public init(name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]) {
            self.name = name
            self.description = description
            self.fields = fields
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description fields")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            fields = try reader.list(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum InvalidPropertyGroupError: StoneError {
        case templateNotFound(String)
        case restrictedContent
        case path(FileProperties.LookupError)
        case unsupportedFolder
        case propertyFieldTooLarge
        case doesNotFitTemplate
        case duplicatePropertyGroups
        /// A tag that the specs do not define.
        case other(UnknownTag)

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

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .path(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    public struct ListTemplateResult: StoneValue {
        public var templateIDs: [String]

        public init(templateIDs: [String]) {
            self.templateIDs = templateIDs
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_ids")
            templateIDs = try reader.strings(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.strings("template_ids", templateIDs)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LogicalOperator: StoneValue {
        case orOperator
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("or_operator")
            switch tag.number {
            case 0: self = .orOperator
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .orOperator: writer.tag("or_operator")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LookUpPropertiesError: StoneError {
        case propertyGroupNotFound
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("property_group_not_found")
            switch tag.number {
            case 0: self = .propertyGroupNotFound
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .propertyGroupNotFound: writer.tag("property_group_not_found")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum LookupError: StoneError {
        case malformedPath(String)
        case notFound
        case notFile
        case notFolder
        case restrictedContent
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ModifyTemplateError: StoneError {
        case templateNotFound(String)
        case restrictedContent
        case conflictingPropertyNames
        case tooManyProperties
        case tooManyTemplates
        case templateAttributeTooLarge
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    public struct OverwritePropertyGroupArg: StoneValue {
        public var path: String
        public var propertyGroups: [FileProperties.PropertyGroup]

        public init(path: String, propertyGroups: [FileProperties.PropertyGroup]) {
            self.path = path
            self.propertyGroups = propertyGroups
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path property_groups")
            path = try reader.string(slot)
            propertyGroups = try reader.list(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesError: StoneValue {
        case templateNotFound(String)
        case restrictedContent
        case path(FileProperties.LookupError)
        case unsupportedFolder
        /// A tag that the specs do not define.
        case other(UnknownTag)

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
    public struct PropertiesSearchArg: StoneValue {
        public var queries: [FileProperties.PropertiesSearchQuery]
        public var templateFilter: FileProperties.TemplateFilter

        public init(
            queries: [FileProperties.PropertiesSearchQuery],
            templateFilter: FileProperties.TemplateFilter = FileProperties.TemplateFilter.filterNone
        ) {
            self.queries = queries
            self.templateFilter = templateFilter
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("queries template_filter")
            queries = try reader.list(slot)
            templateFilter = try reader.optionalValue(slot + 1) ?? FileProperties.TemplateFilter.filterNone
        }

        public func write(to writer: StoneWriter) {
            writer.list("queries", queries)
            writer.value("template_filter", templateFilter)
        }
    }
}

extension FileProperties {
    public struct PropertiesSearchContinueArg: StoneValue {
        public var cursor: String

        public init(cursor: String) {
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("cursor")
            cursor = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("cursor", cursor)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesSearchContinueError: StoneError {
        case reset
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("reset")
            switch tag.number {
            case 0: self = .reset
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .reset: writer.tag("reset")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesSearchError: StoneError {
        case propertyGroupLookup(FileProperties.LookUpPropertiesError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("property_group_lookup")
            switch tag.number {
            case 0: self = .propertyGroupLookup(try reader.value(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .propertyGroupLookup(let value):
                writer.tag("property_group_lookup")
                writer.value("property_group_lookup", value)
            case .other(let tag): writer.unknown(tag)
            }
        }

        /// The errors in the value of the tag.
        public var innerErrors: [any Error] {
            switch self {
            case .propertyGroupLookup(let value): [value]
            default: []
            }
        }
    }
}

extension FileProperties {
    public struct PropertiesSearchMatch: StoneValue {
        public var id: String
        public var path: String
        public var isDeleted: Bool
        public var propertyGroups: [FileProperties.PropertyGroup]

        public init(id: String, path: String, isDeleted: Bool, propertyGroups: [FileProperties.PropertyGroup]) {
            self.id = id
            self.path = path
            self.isDeleted = isDeleted
            self.propertyGroups = propertyGroups
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("id path is_deleted property_groups")
            id = try reader.string(slot)
            path = try reader.string(slot + 1)
            isDeleted = try reader.bool(slot + 2)
            propertyGroups = try reader.list(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("id", id)
            writer.string("path", path)
            writer.bool("is_deleted", isDeleted)
            writer.list("property_groups", propertyGroups)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertiesSearchMode: StoneValue {
        case fieldName(String)
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("field_name")
            switch tag.number {
            case 0: self = .fieldName(try reader.string(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

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
    public struct PropertiesSearchQuery: StoneValue {
        public var query: String
        public var mode: FileProperties.PropertiesSearchMode
        public var logicalOperator: FileProperties.LogicalOperator

        public init(
            query: String, mode: FileProperties.PropertiesSearchMode,
            logicalOperator: FileProperties.LogicalOperator = FileProperties.LogicalOperator.orOperator
        ) {
            self.query = query
            self.mode = mode
            self.logicalOperator = logicalOperator
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("query mode logical_operator")
            query = try reader.string(slot)
            mode = try reader.value(slot + 1)
            logicalOperator = try reader.optionalValue(slot + 2) ?? FileProperties.LogicalOperator.orOperator
        }

        public func write(to writer: StoneWriter) {
            writer.string("query", query)
            writer.value("mode", mode)
            writer.value("logical_operator", logicalOperator)
        }
    }
}

extension FileProperties {
    public struct PropertiesSearchResult: StoneValue {
        public var matches: [FileProperties.PropertiesSearchMatch]
        public var cursor: String?

        public init(matches: [FileProperties.PropertiesSearchMatch], cursor: String? = nil) {
            self.matches = matches
            self.cursor = cursor
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("matches cursor")
            matches = try reader.list(slot)
            cursor = try reader.optionalString(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.list("matches", matches)
            writer.string("cursor", cursor)
        }
    }
}

extension FileProperties {
    public struct PropertyField: StoneValue {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name value")
            name = try reader.string(slot)
            value = try reader.string(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("value", value)
        }
    }
}

extension FileProperties {
    public struct PropertyFieldTemplate: DescribedStoneValue {
        public var name: String
        public var description: String
        public var type: FileProperties.PropertyType

        public init(name: String, description: String, type: FileProperties.PropertyType) {
            self.name = name
            self.description = description
            self.type = type
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description type")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            type = try reader.value(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.value("type", type)
        }
    }
}

extension FileProperties {
    public struct PropertyGroup: StoneValue {
        public var templateID: String
        public var fields: [FileProperties.PropertyField]

        public init(templateID: String, fields: [FileProperties.PropertyField]) {
            self.templateID = templateID
            self.fields = fields
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id fields")
            templateID = try reader.string(slot)
            fields = try reader.list(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    public struct PropertyGroupTemplate: DescribedStoneValue {
        public var name: String
        public var description: String
        public var fields: [FileProperties.PropertyFieldTemplate]

        public init(name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]) {
            self.name = name
            self.description = description
            self.fields = fields
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("name description fields")
            name = try reader.string(slot)
            description = try reader.string(slot + 1)
            fields = try reader.list(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("name", name)
            writer.string("description", description)
            writer.list("fields", fields)
        }
    }
}

extension FileProperties {
    public struct PropertyGroupUpdate: StoneValue {
        public var templateID: String
        public var addOrUpdateFields: [FileProperties.PropertyField]?
        public var removeFields: [String]?

        public init(
            templateID: String, addOrUpdateFields: [FileProperties.PropertyField]? = nil, removeFields: [String]? = nil
        ) {
            self.templateID = templateID
            self.addOrUpdateFields = addOrUpdateFields
            self.removeFields = removeFields
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id add_or_update_fields remove_fields")
            templateID = try reader.string(slot)
            addOrUpdateFields = try reader.optionalList(slot + 1)
            removeFields = try reader.optionalStrings(slot + 2)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
            writer.list("add_or_update_fields", addOrUpdateFields)
            writer.strings("remove_fields", removeFields)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PropertyType: StoneValue {
        case string
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("string")
            switch tag.number {
            case 0: self = .string
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .string: writer.tag("string")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}

extension FileProperties {
    public struct RemovePropertiesArg: StoneValue {
        public var path: String
        public var propertyTemplateIDs: [String]

        public init(path: String, propertyTemplateIDs: [String]) {
            self.path = path
            self.propertyTemplateIDs = propertyTemplateIDs
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path property_template_ids")
            path = try reader.string(slot)
            propertyTemplateIDs = try reader.strings(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.strings("property_template_ids", propertyTemplateIDs)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RemovePropertiesError: StoneError {
        case templateNotFound(String)
        case restrictedContent
        case path(FileProperties.LookupError)
        case unsupportedFolder
        case propertyGroupLookup(FileProperties.LookUpPropertiesError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

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

        /// The errors in the value of the tag.
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
    public struct RemoveTemplateArg: StoneValue {
        public var templateID: String

        public init(templateID: String) {
            self.templateID = templateID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateError: StoneError {
        case templateNotFound(String)
        case restrictedContent
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("template_not_found restricted_content")
            switch tag.number {
            case 0: self = .templateNotFound(try reader.string(reader.payload(tag)))
            case 1: self = .restrictedContent
            default: self = .other(reader.unknown(tag))
            }
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateFilter: StoneValue {
        case filterSome([String])
        case filterNone
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filter_some filter_none")
            switch tag.number {
            case 0: self = .filterSome(try reader.strings(reader.payload(tag)))
            case 1: self = .filterNone
            default: self = .other(reader.unknown(tag))
            }
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateFilterBase: StoneValue {
        case filterSome([String])
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("filter_some")
            switch tag.number {
            case 0: self = .filterSome(try reader.strings(reader.payload(tag)))
            default: self = .other(reader.unknown(tag))
            }
        }

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
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TemplateOwnerType: StoneValue {
        case user
        case team
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("user team")
            switch tag.number {
            case 0: self = .user
            case 1: self = .team
            default: self = .other(reader.unknown(tag))
            }
        }

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
    public struct UpdatePropertiesArg: StoneValue {
        public var path: String
        public var updatePropertyGroups: [FileProperties.PropertyGroupUpdate]

        public init(path: String, updatePropertyGroups: [FileProperties.PropertyGroupUpdate]) {
            self.path = path
            self.updatePropertyGroups = updatePropertyGroups
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("path update_property_groups")
            path = try reader.string(slot)
            updatePropertyGroups = try reader.list(slot + 1)
        }

        public func write(to writer: StoneWriter) {
            writer.string("path", path)
            writer.list("update_property_groups", updatePropertyGroups)
        }
    }
}

extension FileProperties {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum UpdatePropertiesError: StoneError {
        case templateNotFound(String)
        case restrictedContent
        case path(FileProperties.LookupError)
        case unsupportedFolder
        case propertyFieldTooLarge
        case doesNotFitTemplate
        case duplicatePropertyGroups
        case propertyGroupLookup(FileProperties.LookUpPropertiesError)
        /// A tag that the specs do not define.
        case other(UnknownTag)

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

        /// The errors in the value of the tag.
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
    public struct UpdateTemplateArg: DescribedStoneValue {
        public var templateID: String
        public var name: String?
        public var description: String?
        public var addFields: [FileProperties.PropertyFieldTemplate]?

        public init(
            templateID: String, name: String? = nil, description: String? = nil,
            addFields: [FileProperties.PropertyFieldTemplate]? = nil
        ) {
            self.templateID = templateID
            self.name = name
            self.description = description
            self.addFields = addFields
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id name description add_fields")
            templateID = try reader.string(slot)
            name = try reader.optionalString(slot + 1)
            description = try reader.optionalString(slot + 2)
            addFields = try reader.optionalList(slot + 3)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
            writer.string("name", name)
            writer.string("description", description)
            writer.list("add_fields", addFields)
        }
    }
}

extension FileProperties {
    public struct UpdateTemplateResult: StoneValue {
        public var templateID: String

        public init(templateID: String) {
            self.templateID = templateID
        }

        public init(from reader: StoneReader) throws(StoneFailure) {
            let slot = try reader.fields("template_id")
            templateID = try reader.string(slot)
        }

        public func write(to writer: StoneWriter) {
            writer.string("template_id", templateID)
        }
    }
}
