// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("Descriptions of objects")
struct ObjectDescriptionTests {
    @Test("fields, picklists and relationships of an object")
    func describe() async throws {
        try await withClient { client, _ in
            let account = try await client.describe("Account")
            #expect(account.name == "Account")
            #expect(account.summary.keyPrefix == "001")
            #expect(account.summary.isQueryable && !account.summary.isCustom)
            let name = try #require(account["name"])
            #expect(name.kind == .string && name.isNameField && name.isRequired)
            #expect(account["Id"]?.kind == .id)
            #expect(account["OwnerId"]?.relationshipName == "Owner")
            #expect(account.parentField(named: "owner")?.referenceTo == ["User"])
            #expect(account.childRelationship(named: "contacts")?.field == "AccountId")
            #expect(account["ExternalId__c"]?.isExternalID == true)
            #expect(account["Industry"]?.picklistValues.map(\.value).contains("Banking") == true)
            #expect(account.picklistValues(of: "Industry")?.contains { $0.value == "Banking" } == true)
            #expect(account["None"] == nil && account.picklistValues(of: "None") == nil)
            #expect(account.json["fields"]?.array?.count == account.fields.count)
        }
    }

    @Test("the list of objects, and one that is not there")
    func list() async throws {
        try await withClient { client, _ in
            let objects = try await client.describeObjects()
            #expect(objects.contains { $0.name == "Contact" && $0.labelPlural == "Contacts" })
            let error = await #expect(throws: RestError.self) { try await client.describe("Nothing") }
            #expect(error?.code == .notFound)
        }
    }

    /// Three countries control four cities: bits from the highest of the first byte on.
    private static let dependent = #"""
        {"name":"Place__c","fields":[
        {"name":"Country__c","type":"picklist","picklistValues":[{"value":"CA","active":true},{"value":"FR"},{"value":"US"}]},
        {"name":"City__c","type":"picklist","controllerName":"Country__c","dependentPicklist":true,"picklistValues":[
        {"value":"Paris","active":true,"validFor":"YAAA"},{"value":"Ottawa","active":true,"validFor":"gAAA"},
        {"value":"Boston","active":true,"validFor":"IAAA"},{"value":"Gone","active":false,"validFor":"4AAA"}]},
        {"name":"Flag__c","type":"boolean"},
        {"name":"Reason__c","type":"picklist","controllerName":"Flag__c","picklistValues":[
        {"value":"Yes","active":true,"validFor":"QAAA"},{"value":"No","active":true,"validFor":"gAAA"}]},
        {"name":"Lost__c","type":"picklist","controllerName":"Nowhere__c","picklistValues":[]}],
        "recordTypeInfos":[{"recordTypeId":"012000000000000AAA","name":"Master","developerName":"Master","active":true,
        "available":true,"defaultRecordTypeMapping":true,"master":true}]}
        """#

    @Test("the choices of a picklist where another field has a value, a picklist or a checkbox")
    func dependentValues() async throws {
        let stub = StubTransport()
        stub.enqueue(Self.dependent)
        let place = try await RestClient.of(stub).describe("Place__c")
        func values(_ field: String, _ controller: String?) -> [String]? {
            place.picklistValues(of: field, where: controller)?.map(\.value)
        }
        #expect(values("City__c", "CA") == ["Ottawa"])
        #expect(values("City__c", "FR") == ["Paris"])
        #expect(values("City__c", "US") == ["Paris", "Boston"])
        #expect(values("City__c", "XX") == [] && values("City__c", nil) == [])
        #expect(values("Reason__c", "true") == ["Yes"] && values("Reason__c", "false") == ["No"])
        #expect(values("Country__c", nil) == ["CA", "FR", "US"])
        #expect(values("Lost__c", "x") == nil)
        #expect(place.recordTypes.map(\.isDefault) == [true])
        let paris = try #require(place["City__c"]?.picklistValues.first)
        #expect(!paris.isValid(forControllingValue: -1) && !paris.isValid(forControllingValue: .max))
    }

    @Test(
        "a description of another shape is an error with its place",
        arguments: [
            ("{}", "the description.name"), ("[]", "is not one to a describe"),
            (#"{"name":"A","fields":{}}"#, "fields"),
            (#"{"name":"A","fields":[{"name":"x"}]}"#, "fields[0].type"),
            (#"{"name":"A","fields":[{"name":"x","type":"string","length":-1}]}"#, "fields[0].length"),
            (#"{"name":"A","fields":[{"name":"x","type":"string","length":1e99}]}"#, "fields[0].length"),
            (
                #"{"name":"A","fields":[{"name":"x","type":"picklist","picklistValues":[{"value":"v","validFor":"*"}]}]}"#,
                "fields[0].picklistValues[0].validFor"
            ),
            (#"{"name":"A","childRelationships":[{"field":"x"}]}"#, "childRelationships[0].childSObject"),
        ])
    func otherShapes(body: String, place: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).describe("A") }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
    }

    @Test("layouts, compact layouts, and what they hold")
    func layouts() async throws {
        let stub = StubTransport()
        let item = #"""
            {"label":"Account Name","required":true,"editableForNew":true,"editableForUpdate":true,"placeholder":false,
            "layoutComponents":[{"type":"Field","value":"Name","displayLines":1,"tabOrder":1,"details":{"name":"Name"}}]}
            """#
        stub.enqueue(
            #"""
            {"layouts":[{"id":"00h000000000001AAA","detailLayoutSections":[{"heading":"Account","columns":2,"rows":1,
            "layoutRows":[{"numItems":1,"layoutItems":[\#(item)]}]}],"editLayoutSections":[],
            "relatedLists":[{"name":"Contacts","label":"Contacts","sobject":"Contact","field":"AccountId","columns":[],
            "sort":[]}]}],"recordTypeMappings":[{"recordTypeId":"012000000000000AAA","name":"Master","developerName":
            "Master","layoutId":"00h000000000001AAA","active":true,"available":true,"defaultRecordTypeMapping":true,
            "master":true,"picklistsForRecordType":null}]}
            """#)
        let compact = #"{"id":null,"name":"SYSTEM","label":"System Default","fieldItems":[\#(item)]}"#
        stub.enqueue(#"{"compactLayouts":[\#(compact)],"recordTypeCompactLayoutMappings":[]}"#)
        stub.enqueue(#"{"Account":\#(compact),"Contact":\#(compact)}"#)
        let client = try RestClient.of(stub)
        let layouts = try await client.layouts(of: "Account")
        let items = layouts.layouts.flatMap(\.detailSections).flatMap(\.rows).flatMap(\.self)
        #expect(items.contains { $0.fields == ["Name"] && $0.isRequired && $0.isEditableForNew })
        #expect(layouts.layouts.first?.relatedLists.contains { $0.name == "Contacts" } == true)
        let mapping = try #require(layouts.mappings.first)
        #expect(mapping.recordType.isMaster && mapping.layoutID == layouts.layouts.first?.id)
        #expect(try await client.compactLayouts(of: "Contact").first?.items.first?.fields == ["Name"])
        let several = try await client.primaryCompactLayouts(of: ["Account", "Contact"])
        #expect(Set(several.keys) == ["Account", "Contact"])
        #expect(
            stub.requests.map { String($0.url.target.dropFirst("/services/data/v66.0".count)) } == [
                "/sobjects/Account/describe/layouts", "/sobjects/Contact/describe/compactLayouts",
                "/compactLayouts?q=Account%2CContact",
            ])
    }

    @Test("picklists of a record type, where the server tells them")
    func picklistsOfRecordTypes() async throws {
        let stub = StubTransport()
        stub.enqueue(
            #"""
            {"layouts":[],"recordTypeMappings":[{"recordTypeId":"012000000000001AAA","name":"Partner","layoutId":"00h1",
            "picklistsForRecordType":[{"picklistName":"Industry","picklistValues":[{"value":"Banking","active":true}]}]}]}
            """#)
        let mapping = try await RestClient.of(stub).layouts(of: "Account").mappings[0]
        #expect(mapping.picklists["Industry"]?.map(\.value) == ["Banking"])
        #expect(mapping.recordType.name == "Partner" && !mapping.recordType.isMaster)
    }
}
