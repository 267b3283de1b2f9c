// SPDX-License-Identifier: Apache-2.0
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <zlib.h>

/// `deflateInit2` is a macro, which Swift does not import: gzip framing (15 bits of window and 16), the fastest level.
static inline int czlib_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// `inflateInit2` is a macro too. Window bits: 15 zlib, 15 + 16 gzip, -15 bare deflate.
static inline int czlib_begin_inflating(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
#endif
