// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <MacTypes.h>
#include <stdbool.h>
#include <dispatch/dispatch.h>
#define CF_BRIDGED_TYPE(T) __attribute__((objc_bridge(T)))
#define CF_BRIDGED_MUTABLE_TYPE(T) __attribute__((objc_bridge_mutable(T)))
#define CF_RELATED_TYPE(T,C,I) __attribute__((objc_bridge_related(T,C,I)))
#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin
typedef const CF_BRIDGED_TYPE(id) void * CFTypeRef;
typedef long CFIndex;
typedef unsigned long CFHashCode; typedef unsigned long CFTypeID;
typedef const struct CF_BRIDGED_TYPE(NSString) __CFString * CFStringRef;
typedef const struct CF_BRIDGED_TYPE(NSData) __CFData * CFDataRef;
typedef const struct CF_BRIDGED_TYPE(NSDictionary) __CFDictionary * CFDictionaryRef;
typedef const struct CF_BRIDGED_TYPE(NSArray) __CFArray * CFArrayRef;
typedef const struct CF_BRIDGED_TYPE(id) __CFAllocator * CFAllocatorRef;
typedef const struct CF_BRIDGED_TYPE(NSNumber) __CFBoolean * CFBooleanRef;
typedef struct CF_BRIDGED_TYPE(NSError) __CFError * CFErrorRef;
typedef struct CF_BRIDGED_MUTABLE_TYPE(NSInputStream) __CFReadStream * CFReadStreamRef;
typedef struct CF_BRIDGED_MUTABLE_TYPE(NSOutputStream) __CFWriteStream * CFWriteStreamRef;
extern Boolean CFEqual(CFTypeRef _Null_unspecified cf1, CFTypeRef _Null_unspecified cf2);
extern CFHashCode CFHash(CFTypeRef _Null_unspecified cf);
extern void CFWriteStreamSetDispatchQueue(CFWriteStreamRef _Null_unspecified stream, dispatch_queue_t
    _Null_unspecified q);
#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
