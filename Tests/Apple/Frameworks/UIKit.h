// SPDX-License-Identifier: Apache-2.0
#pragma once
#import <Foundation/Foundation.h>
#pragma clang assume_nonnull begin
NS_SWIFT_UI_ACTOR @interface UIResponder : NSObject @end
NS_SWIFT_UI_ACTOR @interface UIWindow : UIResponder @end
#pragma clang assume_nonnull end
