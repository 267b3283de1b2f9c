// SPDX-License-Identifier: Apache-2.0

import EventWire
import RestBase
import RestJSON
import Testing

/// Bytes in hexadecimal, with blanks anywhere.
func bytes(_ hex: String) throws -> [UInt8] {
    try #require(Hexadecimal.decode(hex.utf8.filter { $0 != UInt8(ascii: " ") }))
}

func hex(_ bytes: [UInt8]) -> String { String(decoding: Hexadecimal.encode(bytes), as: UTF8.self) }

/// The error of this type that the work throws.
func thrown<Failure: Error, Value>(_ type: Failure.Type, _ work: () throws -> Value) -> Failure? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? Failure
    }
}

/// Whether two values are the same, where numbers can have other texts: `1` for `1.0`, and `0.1` for the nearest
/// number of single precision.
func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if let one = left.double, let other = right.double {
        return one == other || left.int != nil && left.int == right.int || Float(one) == Float(other)
    }
    if let one = left.array, let other = right.array {
        return one.count == other.count && zip(one, other).allSatisfy(same)
    }
    if let one = left.object, let other = right.object {
        return one.count == other.count
            && one.allSatisfy { name, value in other[name].map { same($0, value) } ?? false }
    }
    return left == right
}

/// A schema of a change event, cut down.
let changeSchema = #"""
    {"name":"AccountChangeEvent","namespace":"com.example","type":"record","fields":[
      {"name":"ChangeEventHeader","type":{"name":"ChangeEventHeader","type":"record","fields":[
        {"name":"entityName","type":"string"},
        {"name":"recordIds","type":{"type":"array","items":"string"}},
        {"name":"changeType","type":{"name":"ChangeType","type":"enum","symbols":["CREATE","UPDATE","DELETE"]}},
        {"name":"commitTimestamp","type":"long"},
        {"name":"changedFields","type":{"type":"array","items":"string"}}]}},
      {"name":"Name","type":["null","string"],"doc":"Data:Text:00N","default":null},
      {"name":"Phone","type":["null","string"],"default":null},
      {"name":"BillingAddress","type":["null",{"name":"Address","type":"record","fields":[
        {"name":"Street","type":["null","string"],"default":null},
        {"name":"City","type":["null","string"],"default":null}]}],"default":null},
      {"name":"AnnualRevenue","type":["null","double"],"default":null},
      {"name":"LastModifiedDate","type":["null","long"],"default":null}]}
    """#
