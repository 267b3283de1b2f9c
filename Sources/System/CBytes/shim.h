// SPDX-License-Identifier: Apache-2.0
#ifndef CBYTES_SHIM_H
#define CBYTES_SHIM_H
#include <stdint.h>

/// A bit for each of 64 bytes, the first in the lowest: whether a string of JSON cannot simply go on with it, as it is
/// a quote, a backslash, a control character, or a part of a character of several bytes.
static inline uint64_t cbytes_stops(const void *_Nonnull bytes);

#if defined(__SSE2__)
#include <emmintrin.h>

static inline uint64_t cbytes_stops_of_16(const char *_Nonnull bytes) {
    const __m128i text = _mm_loadu_si128((const __m128i *)bytes);
    // A quote trades places with the blank, so that it comes right behind the control characters; bytes from 0x80 on
    // are negative. The sum has the high bit for all of these, as it does not wrap around.
    const __m128i turned = _mm_xor_si128(text, _mm_set1_epi8('"' ^ ' '));
    const __m128i low = _mm_subs_epi8(turned, _mm_set1_epi8(' ' + 1));
    const __m128i backslashes = _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'));
    return (uint64_t)_mm_movemask_epi8(_mm_or_si128(low, backslashes));
}

static inline uint64_t cbytes_stops(const void *_Nonnull bytes) {
    const char *text = (const char *)bytes;
    return cbytes_stops_of_16(text) | cbytes_stops_of_16(text + 16) << 16 | cbytes_stops_of_16(text + 32) << 32
        | cbytes_stops_of_16(text + 48) << 48;
}

#elif defined(__aarch64__)
#include <arm_neon.h>

/// In each byte that is a stop the bit of its place among eight.
static inline uint8x16_t cbytes_stops_of_16(const uint8_t *_Nonnull bytes) {
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t text = vld1q_u8(bytes);
    // Compared with sign, bytes from 0x80 on are below the blank as well.
    const uint8x16_t low = vcltq_s8(vreinterpretq_s8_u8(text), vdupq_n_s8(' '));
    const uint8x16_t marks = vorrq_u8(vceqq_u8(text, vdupq_n_u8('"')), vceqq_u8(text, vdupq_n_u8('\\')));
    return vandq_u8(vorrq_u8(low, marks), vld1q_u8(places));
}

static inline uint64_t cbytes_stops(const void *_Nonnull bytes) {
    const uint8_t *text = (const uint8_t *)bytes;
    // Neighbours are added three times: eight bytes become one.
    const uint8x16_t left = vpaddq_u8(cbytes_stops_of_16(text), cbytes_stops_of_16(text + 16));
    const uint8x16_t right = vpaddq_u8(cbytes_stops_of_16(text + 32), cbytes_stops_of_16(text + 48));
    const uint8x16_t both = vpaddq_u8(left, right);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
}

#else

static inline uint64_t cbytes_stops(const void *_Nonnull bytes) {
    const uint8_t *text = (const uint8_t *)bytes;
    uint64_t stops = 0;
    for (int place = 0; place < 64; place++) {
        const uint8_t byte = text[place];
        stops |= (uint64_t)(byte == '"' || byte == '\\' || byte < ' ' || byte >= 0x80) << place;
    }
    return stops;
}

#endif
#endif
