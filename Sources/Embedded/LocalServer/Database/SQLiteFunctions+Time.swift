// SPDX-License-Identifier: Apache-2.0

import CSQLite
import RestJSON

extension SQLiteFunctions {
    /// `local_time(text, zone)`: what the clocks of a zone show at a time in UTC, as `2026-01-29T10:11:12.000Z`.
    ///
    /// It is null for what is no time, and in a zone that the system does not know.
    static func registerTime(on connection: OpaquePointer) {
        unsafe sqlite3_create_function_v2(
            connection, "local_time", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, values in
                guard let values = unsafe values, let time = unsafe values[0], let name = unsafe values[1],
                    unsafe sqlite3_value_type(time) != SQLITE_NULL,
                    let zone = unsafe SQLiteFunctions.zone(context, name),
                    let moment = JSONTimestamp(unsafe SQLiteFunctions.text(time))
                else { return unsafe sqlite3_result_null(context) }
                let seconds = moment.seconds + Int64(zone.offset(at: moment.seconds))
                guard let text = JSONTimestamp(seconds: seconds, nanoseconds: moment.nanoseconds).text else {
                    return unsafe sqlite3_result_null(context)
                }
                let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                unsafe sqlite3_result_text(context, text, CInt(clamping: text.utf8.count), transient)
            }, nil, nil, nil)
    }

    private static func text(_ value: OpaquePointer) -> String {
        unsafe withText(value) { unsafe $0.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
    }

    /// The zone of the second argument; SQLite keeps it from row to row while the argument is a constant.
    private static func zone(_ context: OpaquePointer?, _ name: OpaquePointer) -> ZoneRules? {
        if let kept = unsafe sqlite3_get_auxdata(context, 1) {
            return unsafe Unmanaged<KeptZone>.fromOpaque(kept).takeUnretainedValue().rules
        }
        guard let rules = ZoneRules.named(unsafe text(name)) else { return nil }
        // SQLite gives it up by the function below.
        unsafe sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(KeptZone(rules)).toOpaque()) { kept in
            guard let kept = unsafe kept else { return }
            unsafe Unmanaged<KeptZone>.fromOpaque(kept).release()
        }
        return rules
    }

    private final class KeptZone {
        let rules: ZoneRules

        init(_ rules: ZoneRules) {
            self.rules = rules
        }
    }
}
