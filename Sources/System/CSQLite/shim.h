// SPDX-License-Identifier: Apache-2.0
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>

/// `sqlite3_bind_text` with `SQLITE_TRANSIENT`, a cast Swift does not import.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

/// `sqlite3_bind_blob` with `SQLITE_TRANSIENT`; nothing is bound as bytes, and not as null.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, length > 0 ? bytes : "", length, SQLITE_TRANSIENT);
}

/// `sqlite3_db_config` is variadic, which Swift cannot call; this one takes a switch and the value to give it.
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
#endif
