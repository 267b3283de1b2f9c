// SPDX-License-Identifier: Apache-2.0

#if COMBINE_STAND_IN
// What the files of publishers see of their own modules, where they are compiled with the tests.
@_exported public import Dropbox
@_exported public import RestBulk
@_exported public import RestSDK
#endif
