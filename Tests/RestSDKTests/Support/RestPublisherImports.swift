// SPDX-License-Identifier: Apache-2.0

#if COMBINE_STAND_IN
// What the publisher's file sees of its own module, where that file is compiled with the tests.
@_exported public import RestSDK
#endif
