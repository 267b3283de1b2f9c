// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: NotesAPI; docs: full) from specs with the hash ec93495583a924bf.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension Notes.Bounds: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.range("tiny", tiny, -1, 1)
        try checks.range("small", small, -5, 9007199254740993)
        try checks.range("count", count, 7)
        try checks.range("total", total, nil, 18446744073709551614)
        try checks.range("weight", weight, -1e+300, 1e+300)
        try checks.string("name", name, 1, 3)
        try checks.string("code", code, nil, nil, "[A-Z]{2}|[0-9]+")
        try checks.string("letters", letters, 2, nil, "[^a-z]*")
        try checks.list("items", items, 1, 3)
        try checks.each("items", items) { (checks, name, value) throws(ValidationFailure) in try checks.range(name, value, 0) }
        try checks.entries("marks", marks) { (checks, name, key, value) throws(ValidationFailure) in try checks.string(name, key, 2); try checks.range(name, value, nil, 9) }
    }
}

extension Notes.CreateArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.string("text", text, nil, 100000)
        try checks.string("folder", folder, 4, 40, "^id:[a-z0-9_-]+$")
    }
}

extension Notes.DrawArg: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.value("finish", finish)
        try checks.value("bounds", bounds)
    }
}

extension Notes.Finish: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .polished(let value):
            try checks.range("polished", value, 0.0, 1.0)
        case .painted(let value):
            try checks.string("painted", value, 1, 8, "[a-z]+-[0-9]{2}")
        case .coated(let value):
            try checks.value("coated", value)
        case .layered(let value):
            try checks.list("layered", value, 1, 2)
            try checks.each("layered", value) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
        case .shaped(let value):
            try checks.value("shaped", value)
        default: break
        }
    }
}

extension Notes.Round: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.range("width", width, 0.0)
        try checks.list("holes", holes, nil, 2)
        try checks.each("holes", holes) { (checks, name, value) throws(ValidationFailure) in try checks.value(name, value) }
    }
}

extension Notes.Shape: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        switch self {
        case .round(let value):
            try checks.value("round", value)
        case .square(let value):
            try checks.value("square", value)
        }
    }
}

extension Notes.Square: StoneValidated {
    public func check(_ checks: StoneChecks) throws(ValidationFailure) {
        try checks.range("width", width, 0.0)
        try checks.value("finish", finish)
    }
}
