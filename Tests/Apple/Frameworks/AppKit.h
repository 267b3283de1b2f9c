// SPDX-License-Identifier: Apache-2.0
#pragma once
#import <Foundation/Foundation.h>
#pragma clang assume_nonnull begin
NS_SWIFT_UI_ACTOR @interface NSResponder : NSObject @end
NS_SWIFT_UI_ACTOR @interface NSWindow : NSResponder @end
#pragma clang assume_nonnull end
