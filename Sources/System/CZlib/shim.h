// SPDX-License-Identifier: Apache-2.0
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <zlib.h>

/// `inflateInit2` is a macro, which Swift does not import. Window bits: 15 zlib, 15 + 16 gzip, -15 bare deflate.
static inline int czlib_begin_inflating(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }
#endif
