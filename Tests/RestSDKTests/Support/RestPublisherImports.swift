// SPDX-License-Identifier: Apache-2.0

#if COMBINE_STAND_IN
// The publishers' files are part of RestSDK, and need its declarations when they are compiled with the tests.
@_exported public import RestSDK
#endif
