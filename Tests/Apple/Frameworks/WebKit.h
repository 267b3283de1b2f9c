// SPDX-License-Identifier: Apache-2.0
#pragma once
#if __has_include(<AppKit/AppKit.h>)
#import <AppKit/AppKit.h>
#else
#import <UIKit/UIKit.h>
#endif
