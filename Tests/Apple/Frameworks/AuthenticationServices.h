// SPDX-License-Identifier: Apache-2.0
#pragma once
#if __has_include(<AppKit/AppKit.h>)
#import <AppKit/AppKit.h>
#define AS_WINDOW NSWindow
#else
#import <UIKit/UIKit.h>
#define AS_WINDOW UIWindow
#endif
#pragma clang assume_nonnull begin
typedef AS_WINDOW * ASPresentationAnchor;
extern NSErrorDomain const ASWebAuthenticationSessionErrorDomain;
typedef enum __attribute__((enum_extensibility(open)))
    __attribute__((ns_error_domain(ASWebAuthenticationSessionErrorDomain)))
    __attribute__((swift_name("ASWebAuthenticationSessionError"))) ASWebAuthenticationSessionErrorCode : NSInteger
    ASWebAuthenticationSessionErrorCode;
enum __attribute__((enum_extensibility(open)))
    __attribute__((ns_error_domain(ASWebAuthenticationSessionErrorDomain))) ASWebAuthenticationSessionErrorCode :
    NSInteger { ASWebAuthenticationSessionErrorCodeCanceledLogin = 1,
    ASWebAuthenticationSessionErrorCodePresentationContextNotProvided = 2,
    ASWebAuthenticationSessionErrorCodePresentationContextInvalid = 3 };
typedef void (^ASWebAuthenticationSessionCompletionHandler)(NSURL *_Nullable callbackURL, NSError *_Nullable error)
    NS_SWIFT_NAME(ASWebAuthenticationSession.CompletionHandler);
@class ASWebAuthenticationSession;
NS_SWIFT_NAME(ASWebAuthenticationSession.Callback) @interface ASWebAuthenticationSessionCallback : NSObject
+ (instancetype)new __attribute__((unavailable)); - (instancetype)init __attribute__((unavailable));
+ (instancetype)callbackWithCustomScheme:(NSString *)customScheme NS_SWIFT_NAME(customScheme(_:));
+ (instancetype)callbackWithHTTPSHost:(NSString *)host path:(NSString *)path NS_SWIFT_NAME(https(host:path:));
@end
NS_SWIFT_UI_ACTOR @protocol ASWebAuthenticationPresentationContextProviding <NSObject>
- (ASPresentationAnchor)presentationAnchorForWebAuthenticationSession:(ASWebAuthenticationSession *)session
    NS_SWIFT_NAME(presentationAnchor(for:));
@end
@interface ASWebAuthenticationSession : NSObject
- (instancetype)initWithURL:(NSURL *)URL callback:(ASWebAuthenticationSessionCallback *)callback
    completionHandler:(ASWebAuthenticationSessionCompletionHandler)completionHandler
    NS_SWIFT_NAME(init(url:callback:completionHandler:));
@property (nonatomic, nullable, weak) id<ASWebAuthenticationPresentationContextProviding> presentationContextProvider;
@property (nonatomic) BOOL prefersEphemeralWebBrowserSession;
- (BOOL)start;
- (void)cancel;
@end
#pragma clang assume_nonnull end
