// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension APIFault {
    /// Reads the faults in a JSON value, in the server's order; empty when there are none.
    ///
    /// It knows every shape in which the platform states them: an array of faults, a single fault, an OAuth error, a
    /// save result with its `errors`, and the answers of collections, trees, batches and composites, where each part
    /// has its own. Give it one element of such an answer to learn what became of that part.
    public static func faults(in value: JSONValue) -> [APIFault] {
        collect(value, reference: nil, levels: 10)
    }

    /// The members below which faults stand, in the order in which they are looked into.
    private static let containers = [
        "errors", "results", "result", "compositeResponse", "body", "graphs", "graphResponse",
    ]

    private static func collect(_ value: JSONValue, reference: String?, levels: Int) -> [APIFault] {
        guard levels > 0 else { return [] }
        if let array = value.array {
            return array.flatMap { collect($0, reference: reference, levels: levels - 1) }
        }
        let reference = value["referenceId"]?.string ?? reference
        if let fault = APIFault(reading: value, reference: reference) { return [fault] }
        return containers.flatMap { name in
            value[name].map { collect($0, reference: reference, levels: levels - 1) } ?? []
        }
    }

    private init?(reading value: JSONValue, reference: String?) {
        guard let code = (value["errorCode"] ?? value["statusCode"] ?? value["error"])?.string else { return nil }
        self.init(
            errorCode: Code(rawValue: code),
            message: (value["message"] ?? value["error_description"])?.string ?? "",
            fields: value["fields"]?.array?.compactMap(\.string) ?? [], reference: reference)
    }
}

extension JSONValue {
    /// Whether the value, although it came with a status of success, says that the whole call failed: it consists of
    /// faults, or is the save result of a record that was not saved.
    ///
    /// A collection or composite of which parts failed is a success that holds faults.
    var isRefusal: Bool {
        if let array { return array.first?["errorCode"]?.string != nil }
        if self["success"]?.bool == false { return self["errors"]?.array?.isEmpty == false }
        if self["error"]?.string != nil { return self["error_description"]?.string != nil }
        guard self["errorCode"]?.string != nil, let object else { return false }
        return object.keys.allSatisfy(["errorCode", "message", "fields", "extendedErrorDetails"].contains)
    }
}
