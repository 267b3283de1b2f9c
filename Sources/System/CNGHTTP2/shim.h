// SPDX-License-Identifier: Apache-2.0
#ifndef CNGHTTP2_SHIM_H
#define CNGHTTP2_SHIM_H
#include <sys/types.h>
#include <nghttp2/nghttp2.h>
#endif
