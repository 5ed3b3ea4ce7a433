// SPDX-License-Identifier: MIT
// A case and its control differ in one place: EITHER(what compiles, what must not).
#pragma once
#ifdef ECS_EXPECT_OK
#define EITHER(good, bad) good
#else
#define EITHER(good, bad) bad
#endif
