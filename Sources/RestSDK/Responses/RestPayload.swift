// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// The content of a response by its shape: a JSON object is a dictionary, a JSON array an array.
public enum RestPayload: Sendable, Hashable {
    /// The body is a JSON object.
    case dictionary(JSONObject)
    /// The body is a JSON array.
    case array(JSONArray)
    /// The body is something else, as it came.
    case data([UInt8])
    /// There is no body (204, 304).
    case empty

    /// The dictionary, or `nil` for any other payload.
    public var dictionary: JSONObject? {
        guard case .dictionary(let object) = self else { return nil }
        return object
    }

    /// The array, or `nil` for any other payload.
    public var array: JSONArray? {
        guard case .array(let array) = self else { return nil }
        return array
    }

    /// The member of a dictionary payload; `nil` when absent or not a dictionary.
    public subscript(key: String) -> JSONValue? { dictionary?[key] }

    /// The element of an array payload; `nil` when out of range or not an array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}
