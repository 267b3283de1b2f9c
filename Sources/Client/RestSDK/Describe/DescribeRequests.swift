// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import SOQLCheck

extension ObjectDescription {
    /// Reads a description.
    ///
    /// - Throws: ``RestError/Code/decoding`` with the place of the first thing that does not belong to a description.
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
    /// The object that the answer is.
    ///
    /// - Throws: ``RestError/Code/decoding`` for an answer of another shape.
    func object(of what: String) throws(RestError) -> JSONValue {
        guard let json = payload.dictionary else { throw RestError(notAnAnswerTo: what, self) }
        return JSONValue(json)
    }

    /// The elements of a list in the answer, each read with its place.
    ///
    /// - Parameters:
    ///   - name: the name of the list in the answer.
    ///   - what: what the request asked for.
    ///   - read: reads an element.
    /// - Returns: the elements.
    /// - Throws: ``RestError/Code/decoding`` for an answer without such a list, and what `read` throws.
    func list<Element>(
        _ name: String, of what: String, _ read: (JSONValue, String) throws(RestError) -> Element
    ) throws(RestError) -> [Element] {
        guard let list = payload[name]?.array else {
            throw RestError(notAnAnswerTo: what, self)
        }
        return try JSONValue([name: JSONValue(list)]).list(name, read)
    }
}

extension JSONValue {
    /// A text that must be there.
    func required(_ name: String, at place: String) throws(RestError) -> String {
        guard let text = self[name]?.string else {
            throw RestError(.decoding, "\(place).\(name): must be a text")
        }
        return text
    }

    /// Whether a member is true.
    func flag(_ name: String) -> Bool { self[name]?.bool ?? false }

    /// The elements of a list that may be missing, each read with its place.
    func list<Element>(
        _ name: String, _ read: (JSONValue, String) throws(RestError) -> Element
    ) throws(RestError) -> [Element] {
        guard let value = self[name], !value.isNull else { return [] }
        guard let list = value.array else { throw RestError(.decoding, "\(name): must be a list") }
        var elements: [Element] = []
        for (position, element) in list.enumerated() { elements.append(try read(element, "\(name)[\(position)]")) }
        return elements
    }

    /// A number of things that may be missing; 0 then.
    func size(_ name: String, at place: String) throws(RestError) -> Int {
        guard let value = self[name], !value.isNull else { return 0 }
        guard let size = value.count else { throw RestError(.decoding, "\(place).\(name): is not a possible number") }
        return size
    }
}

extension Endpoint where Self == RestRequest.Typed<ObjectDescription> {
    /// Asks what the org tells of an object: fields, relationships and labels.
    ///
    /// An ``ObjectDescription/Catalog`` asks for each object once.
    ///
    /// - Parameter type: the object's name.
    /// - Returns: the request, which fails with ``RestError/Code/notFound`` for a name that is no object's.
    public static func describe(_ type: String) -> Self {
        Self(
            RestRequest(name: "describe", resource: .data(["sobjects", type, "describe"])).requiring(type, "type"),
            ObjectDescription.init)
    }
}

extension Endpoint where Self == RestRequest.Typed<[ObjectDescription.Summary]> {
    /// Asks for the objects of the org, each in a few words, in the server's order.
    public static var objects: Self {
        Self(RestRequest(name: "objects", resource: .data(["sobjects"])), Content.init(objectsIn:))
    }
}

extension ObjectDescription {
    /// Reads an answer.
    init(_ response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary else { throw RestError(notAnAnswerTo: "describe", response) }
        do throws(RestError) {
            try self.init(json)
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }
}

extension [ObjectDescription.Summary] {
    /// Reads the list of all objects.
    init(objectsIn response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary, json["sobjects"]?.array != nil else {
            throw RestError(notAnAnswerTo: "list of objects", response)
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
