// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestBase
import Testing

@Suite("Bitmaps of changed fields")
struct FieldBitmapTests {
    private let bitmaps: FieldBitmaps

    init() throws {
        bitmaps = try #require(FieldBitmaps(AvroSchema(parsing: changeSchema)))
    }

    @Test("Bit n is the field at index n, and inner fields follow their compound field's index")
    func names() throws {
        #expect(try bitmaps.names([]) == [])
        #expect(try bitmaps.names(["0x0"]) == [])
        #expect(try bitmaps.names(["0x24"]) == ["Phone", "LastModifiedDate"])
        #expect(try bitmaps.names(["0x00000000000024"]) == ["Phone", "LastModifiedDate"])
        #expect(try bitmaps.names(["3-0x2", "0x12"]) == ["Name", "AnnualRevenue", "BillingAddress.City"])
        #expect(try bitmaps.names(["3-0x3"]) == ["BillingAddress.Street", "BillingAddress.City"])
        let fields = (0..<30).map { #"{"name":"f\#($0)","type":"int"}"# }.joined(separator: ",")
        let wide = try AvroSchema(parsing: #"{"type":"record","name":"R","fields":[\#(fields)]}"#)
        #expect(try FieldBitmaps(wide)?.names(["0x410000"]) == ["f16", "f22"])
        #expect(try FieldBitmaps(wide)?.bitmaps(["f22", "f16"]) == ["0x410000"])
    }

    @Test("Names give the bitmaps that give the names")
    func both() throws {
        #expect(try bitmaps.bitmaps([]) == [])
        #expect(
            try bitmaps.bitmaps(["BillingAddress.City", "Phone", "LastModifiedDate", "Phone"]) == ["0x24", "3-0x02"])
        let all = [
            "Name", "Phone", "AnnualRevenue", "LastModifiedDate", "BillingAddress.Street", "BillingAddress.City",
        ]
        var random = SplitMix64(seed: 3)
        for _ in 0..<500 {
            let some = all.filter { _ in Bool.random(using: &random) }
            #expect(try bitmaps.names(bitmaps.bitmaps(some.shuffled(using: &random))) == some)
        }
    }

    @Test(
        "Anything else is a typed error",
        arguments: [
            ("", .invalidBitmap), ("24", .invalidBitmap), ("0x", .invalidBitmap), ("0xG", .invalidBitmap),
            ("0x-1", .noCompoundField), ("0x40", .unknownField), ("3-0x4", .unknownField), ("3-", .invalidBitmap),
            ("-0x1", .noCompoundField), ("1-0x1", .noCompoundField), ("6-0x1", .noCompoundField),
            ("99999999999999999999-0x1", .noCompoundField), ("3-0x1-0x1", .invalidBitmap), ("+3-0x1", .noCompoundField),
        ] as [(String, AvroError.Reason)])
    func invalid(element: String, reason: AvroError.Reason) throws {
        let error = try #require(thrown(AvroError.self) { try bitmaps.names([element]) })
        #expect(error.reason == reason && error.path == element)
    }

    @Test("Long bitmaps, long lists and unknown names end with an error")
    func hostile() throws {
        let long = "0x" + String(repeating: "0", count: 1 << 20)
        #expect(thrown(AvroError.self) { try bitmaps.names([long]) }?.reason == .invalidBitmap)
        let many = [String](repeating: "0x3F", count: 100_000)
        #expect(thrown(AvroError.self) { try bitmaps.names(many) }?.reason == .tooLarge)
        let kelvin = try AvroSchema(parsing: #"{"type":"record","name":"R","fields":[{"name":"K","type":"int"}]}"#)
        #expect(throws: AvroError.self) { try FieldBitmaps(kelvin)?.bitmaps(["\u{212A}"]) }
        for name in ["name", "", ".", "Name.Street", "BillingAddress.Zip", "BillingAddress.", "BillingAddress.City.x"] {
            #expect(thrown(AvroError.self) { try bitmaps.bitmaps([name]) }?.reason == .unknownField)
        }
        #expect(try FieldBitmaps(AvroSchema(parsing: #""int""#)) == nil)
    }
}
