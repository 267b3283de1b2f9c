// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension FileProperties.AddPropertiesArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*|id:.*|(ns:[0-9]+(/.*)?)")
        try checks.each("property_groups", propertyGroups) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension FileProperties.GetTemplateArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("template_id", templateID, 1, nil, "(/|ptid:).*")
    }
}

extension FileProperties.OverwritePropertyGroupArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*|id:.*|(ns:[0-9]+(/.*)?)")
        try checks.list("property_groups", propertyGroups, 1)
        try checks.each("property_groups", propertyGroups) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension FileProperties.PropertiesSearchArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.list("queries", queries, 1)
        try checks.value("template_filter", templateFilter)
    }
}

extension FileProperties.PropertiesSearchContinueArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("cursor", cursor, 1)
    }
}

extension FileProperties.PropertyGroup: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("template_id", templateID, 1, nil, "(/|ptid:).*")
    }
}

extension FileProperties.PropertyGroupUpdate: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("template_id", templateID, 1, nil, "(/|ptid:).*")
    }
}

extension FileProperties.RemovePropertiesArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*|id:.*|(ns:[0-9]+(/.*)?)")
        try checks.each("property_template_ids", propertyTemplateIDs) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "(/|ptid:).*") }
    }
}

extension FileProperties.RemoveTemplateArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("template_id", templateID, 1, nil, "(/|ptid:).*")
    }
}

extension FileProperties.TemplateFilter: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .filterSome(let value):
            try checks.list("filter_some", value, 1)
            try checks.each("filter_some", value) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "(/|ptid:).*") }
        default: break
        }
    }
}

extension FileProperties.TemplateFilterBase: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .filterSome(let value):
            try checks.list("filter_some", value, 1)
            try checks.each("filter_some", value) { (checks, name, value) throws(ValidationFailure) in try checks.string(name, value, 1, nil, "(/|ptid:).*") }
        default: break
        }
    }
}

extension FileProperties.UpdatePropertiesArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("path", path, nil, nil, "/(.|[\\r\\n])*|id:.*|(ns:[0-9]+(/.*)?)")
        try checks.each("update_property_groups", updatePropertyGroups) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension FileProperties.UpdateTemplateArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("template_id", templateID, 1, nil, "(/|ptid:).*")
    }
}
