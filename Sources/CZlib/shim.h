// SPDX-License-Identifier: Apache-2.0
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <zlib.h>

/// `deflateInit2` is a macro, which Swift does not import: gzip framing (15 bits of window and 16), the fastest level.
static inline int czlib_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
#endif
