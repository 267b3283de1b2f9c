// SPDX-License-Identifier: Apache-2.0

import CSQLite
import RestBase

/// What the databases of the servers know beyond SQLite's own functions.
///
/// * `COLLATE UNICODE_NOCASE`: the order of `SQLiteText`.
/// * `unicode_like(pattern, text)`: LIKE without case, the escape character being `\`.
/// * `great_circle(latitude, longitude, latitude, longitude)`: the metres between two places on a sphere.
package enum SQLiteFunctions {
    /// Makes them known to a connection, which must be open.
    package static func register(on connection: OpaquePointer) {
        unsafe sqlite3_create_collation_v2(
            connection, "UNICODE_NOCASE", SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                // Groups compare equal texts most of the time.
                if leftCount == rightCount, let left = unsafe left, let right = unsafe right,
                    unsafe memcmp(left, right, Int(leftCount)) == 0
                {
                    return 0
                }
                // SQLite lends the texts for the time of the call.
                let one = unsafe UnsafeBufferPointer(
                    start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount))
                let other = unsafe UnsafeBufferPointer(
                    start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount))
                return unsafe SQLiteText.compare(one.span, other.span)
            }, nil)
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        unsafe sqlite3_create_function_v2(
            connection, "unicode_like", 2, flags, nil,
            { context, _, values in
                guard let values = unsafe values, let pattern = unsafe values[0], let text = unsafe values[1],
                    unsafe sqlite3_value_type(pattern) != SQLITE_NULL, unsafe sqlite3_value_type(text) != SQLITE_NULL
                else { return unsafe sqlite3_result_null(context) }
                let isMatch = unsafe SQLiteFunctions.withText(pattern) { pattern in
                    unsafe SQLiteFunctions.withText(text) { SQLiteText.matches(pattern, $0) }
                }
                unsafe sqlite3_result_int(context, isMatch ? 1 : 0)
            }, nil, nil, nil)
        unsafe sqlite3_create_function_v2(
            connection, "great_circle", 4, flags, nil,
            { context, _, values in
                var numbers: [Double] = []
                for index in 0..<4 {
                    guard let value = unsafe values?[index], unsafe sqlite3_value_type(value) != SQLITE_NULL else {
                        return unsafe sqlite3_result_null(context)
                    }
                    numbers.append(unsafe sqlite3_value_double(value))
                }
                let distance = SQLiteFunctions.greatCircle(numbers[0], numbers[1], numbers[2], numbers[3])
                unsafe sqlite3_result_double(context, distance)
            }, nil, nil, nil)
    }

    static func withText<Result>(_ value: OpaquePointer, _ body: (Span<UInt8>) -> Result) -> Result {
        let start = unsafe sqlite3_value_text(value)
        let count = unsafe Int(sqlite3_value_bytes(value))
        return body(unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).span)
    }

    /// The metres between two places in degrees, by the haversine formula on a sphere of the earth's mean radius.
    private static func greatCircle(
        _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
    ) -> Double {
        let radians = Double.pi / 180
        let height = sin((otherLatitude - latitude) * radians / 2)
        let width = sin((otherLongitude - longitude) * radians / 2)
        let chord = height * height + cos(latitude * radians) * cos(otherLatitude * radians) * width * width
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}
