// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import SOQLCheck

extension ObjectDescription {
    /// Reads an object description.
    ///
    /// - Throws: ``RestError/Code/decoding`` with the path of the first invalid value.
    public init(_ json: JSONObject) throws(RestError) {
        do throws(SchemaError) {
            try self.init(DescribeNode(JSONValue(json), path: "the description"))
        } catch {
            throw RestError(error)
        }
    }
}

extension RestError {
    fileprivate init(_ error: SchemaError) { self.init(.decoding, "\(error.place): \(error.message)") }
}

extension RestResponse {
    /// Returns the response as an object, or throws ``RestError/Code/decoding`` for another type.
    func object(of what: String) throws(RestError) -> JSONValue {
        guard let json = payload.dictionary else { throw RestError(notAResponseTo: what, self) }
        return JSONValue(json)
    }

    /// Reads each element of a list with its path, or throws ``RestError/Code/decoding`` if there is no such list.
    func list<Element>(
        _ name: String, of what: String, _ read: (JSONValue, String) throws(RestError) -> Element
    ) throws(RestError) -> [Element] {
        guard let list = payload[name]?.array else {
            throw RestError(notAResponseTo: what, self)
        }
        return try JSONValue([name: JSONValue(list)]).list(name, read)
    }
}

extension JSONValue {
    func required(_ name: String, at place: String) throws(RestError) -> String {
        guard let text = self[name]?.string else {
            throw RestError(.decoding, "\(place).\(name): must be a string")
        }
        return text
    }

    func flag(_ name: String) -> Bool { self[name]?.bool ?? false }

    /// Returns the elements of an optional list, each read with its path.
    func list<Element>(
        _ name: String, _ read: (JSONValue, String) throws(RestError) -> Element
    ) throws(RestError) -> [Element] {
        guard let value = self[name], !value.isNull else { return [] }
        guard let list = value.array else { throw RestError(.decoding, "\(name): must be a list") }
        var elements: [Element] = []
        for (position, element) in list.enumerated() { elements.append(try read(element, "\(name)[\(position)]")) }
        return elements
    }

    /// Returns a count, or 0 if it is missing.
    func size(_ name: String, at place: String) throws(RestError) -> Int {
        guard let value = self[name], !value.isNull else { return 0 }
        guard let size = value.count else { throw RestError(.decoding, "\(place).\(name): is not a valid number") }
        return size
    }
}

extension Endpoint where Self == RestRequest.Typed<ObjectDescription> {
    /// Describes an object by its fields, relationships and labels.
    ///
    /// To read each description only once, use an ``ObjectDescription/Catalog``.
    ///
    /// - Parameter type: the object's name.
    /// - Returns: the request, which fails with ``RestError/Code/notFound`` if the object does not exist.
    public static func describe(_ type: String) -> Self {
        Self(
            RestRequest(name: "describe", resource: .data(["sobjects", type, "describe"])).requiring(type, "type"),
            ObjectDescription.init)
    }
}

extension Endpoint where Self == RestRequest.Typed<[ObjectDescription.Summary]> {
    /// Lists the objects of the org with a summary of each, in the server's order.
    public static var objects: Self {
        Self(RestRequest(name: "objects", resource: .data(["sobjects"])), Content.init(objectsIn:))
    }
}

extension ObjectDescription {
    init(_ response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary else { throw RestError(notAResponseTo: "describe", response) }
        do throws(RestError) {
            try self.init(json)
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }
}

extension [ObjectDescription.Summary] {
    init(objectsIn response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary, json["sobjects"]?.array != nil else {
            throw RestError(notAResponseTo: "request for the list of objects", response)
        }
        do throws(RestError) {
            try self.init(objectsIn: JSONValue(json))
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }

    init(objectsIn json: JSONValue) throws(RestError) {
        do throws(SchemaError) {
            self = try DescribeNode(json, path: "the list").list("sobjects", ObjectDescription.Summary.init)
        } catch {
            throw RestError(error)
        }
    }
}
