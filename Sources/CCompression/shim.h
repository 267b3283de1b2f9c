// SPDX-License-Identifier: Apache-2.0
#ifndef CCOMPRESSION_SHIM_H
#define CCOMPRESSION_SHIM_H
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

// inflateInit2 is a macro, which Swift does not import. Window bits as in zlib.h: 15 zlib, 15 + 16 gzip, -15 bare deflate.
static inline int ccompression_inflate_start(z_stream *s, int window_bits) { return inflateInit2(s, window_bits); }
#endif
