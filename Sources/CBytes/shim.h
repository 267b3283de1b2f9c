// SPDX-License-Identifier: Apache-2.0
#ifndef CBYTES_SHIM_H
#define CBYTES_SHIM_H
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>

static inline uint32_t cbytes_stops_of_16(const void *_Nonnull bytes) {
    const __m128i text = _mm_loadu_si128((const __m128i *)bytes);
    const __m128i turned = _mm_xor_si128(text, _mm_set1_epi8(0x02));
    const __m128i low = _mm_subs_epi8(turned, _mm_set1_epi8(0x21));
    const __m128i backslashes = _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(low, backslashes));
}
#endif

static inline uint32_t cbytes_stops(const void *_Nonnull bytes) {
    return cbytes_stops_of_16(bytes) | cbytes_stops_of_16((const char *)bytes + 16) << 16;
}
#endif
