// SPDX-License-Identifier: Apache-2.0

#if COMBINE_STAND_IN
// What the publishers' files see of their own module, where they are compiled with the tests.
@_exported public import RestSDK
#endif
