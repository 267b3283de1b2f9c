// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension APIFault {
    /// Reads the faults in a JSON value, in the server's order; empty when there are none.
    ///
    /// It knows every shape in which the platform states them: an array of faults, a single fault, an OAuth error, a
    /// save result with its `errors`, and the answers of collections, trees, batches and composites, where each part
    /// has its own. Give it one element of such an answer to learn what became of that part.
    ///
    /// A text in a list of errors is a fault with the code ``Code/unknown``. At most ``mostFaults`` are read, and of
    /// each text at most 16 KiB, so that an answer cannot fill the memory with them.
    public static func faults(in value: JSONValue) -> [APIFault] {
        var faults: [APIFault] = []
        collect(value, reference: nil, levels: 10, into: &faults)
        return faults
    }

    /// How many faults are read out of one answer at most; no request has so many parts.
    public static let mostFaults = 10_000

    /// How many fields one fault names at most; an object has no more.
    private static let mostFields = 1_000

    /// The members below which faults stand, in the order in which they are looked into.
    private static let containers = [
        "errors", "results", "result", "compositeResponse", "body", "graphs", "graphResponse",
    ]

    private static func collect(
        _ value: JSONValue, reference: String?, levels: Int, isError: Bool = false, into faults: inout [APIFault]
    ) {
        guard levels > 0, faults.count < mostFaults else { return }
        if let array = value.array {
            for element in array where faults.count < mostFaults {
                collect(element, reference: reference, levels: levels - 1, isError: isError, into: &faults)
            }
        } else if let text = value.string {
            guard isError, !text.isEmpty else { return }
            faults.append(APIFault(errorCode: .unknown, message: text.bounded, reference: reference))
        } else {
            let reference = value["referenceId"]?.string?.bounded ?? reference
            if let fault = APIFault(reading: value, reference: reference) { return faults.append(fault) }
            for name in containers {
                guard let inner = value[name] else { continue }
                collect(inner, reference: reference, levels: levels - 1, isError: name == "errors", into: &faults)
            }
        }
    }

    private init?(reading value: JSONValue, reference: String?) {
        guard let code = (value["errorCode"] ?? value["statusCode"] ?? value["error"])?.string else { return nil }
        self.init(
            errorCode: Code(rawValue: code.bounded),
            message: (value["message"] ?? value["error_description"])?.string?.bounded ?? "",
            fields: value["fields"]?.array?.prefix(Self.mostFields).compactMap { $0.string?.bounded } ?? [],
            reference: reference)
    }
}

extension String {
    /// The text, or its beginning where a server sent more than anybody reads: 16 KiB, cut between two characters.
    var bounded: String {
        guard utf8.count > 16_384 else { return self }
        return String(unicodeScalars[..<utf8.index(startIndex, offsetBy: 16_384)])
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
