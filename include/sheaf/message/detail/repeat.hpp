// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

// Lists of 1 to 24 items by number, for what no template can repeat: names of structured bindings and `{}`.
// SHEAF_DETAIL_LIST(n, item) is `item(1), …, item(n)`; SHEAF_DETAIL_STEPS(step) is `step(1) … step(24)`.

#define SHEAF_DETAIL_LIST(n, item) SHEAF_DETAIL_LIST_##n(item)
#define SHEAF_DETAIL_LIST_1(item) item(1)
#define SHEAF_DETAIL_LIST_2(item) SHEAF_DETAIL_LIST_1(item), item(2)
#define SHEAF_DETAIL_LIST_3(item) SHEAF_DETAIL_LIST_2(item), item(3)
#define SHEAF_DETAIL_LIST_4(item) SHEAF_DETAIL_LIST_3(item), item(4)
#define SHEAF_DETAIL_LIST_5(item) SHEAF_DETAIL_LIST_4(item), item(5)
#define SHEAF_DETAIL_LIST_6(item) SHEAF_DETAIL_LIST_5(item), item(6)
#define SHEAF_DETAIL_LIST_7(item) SHEAF_DETAIL_LIST_6(item), item(7)
#define SHEAF_DETAIL_LIST_8(item) SHEAF_DETAIL_LIST_7(item), item(8)
#define SHEAF_DETAIL_LIST_9(item) SHEAF_DETAIL_LIST_8(item), item(9)
#define SHEAF_DETAIL_LIST_10(item) SHEAF_DETAIL_LIST_9(item), item(10)
#define SHEAF_DETAIL_LIST_11(item) SHEAF_DETAIL_LIST_10(item), item(11)
#define SHEAF_DETAIL_LIST_12(item) SHEAF_DETAIL_LIST_11(item), item(12)
#define SHEAF_DETAIL_LIST_13(item) SHEAF_DETAIL_LIST_12(item), item(13)
#define SHEAF_DETAIL_LIST_14(item) SHEAF_DETAIL_LIST_13(item), item(14)
#define SHEAF_DETAIL_LIST_15(item) SHEAF_DETAIL_LIST_14(item), item(15)
#define SHEAF_DETAIL_LIST_16(item) SHEAF_DETAIL_LIST_15(item), item(16)
#define SHEAF_DETAIL_LIST_17(item) SHEAF_DETAIL_LIST_16(item), item(17)
#define SHEAF_DETAIL_LIST_18(item) SHEAF_DETAIL_LIST_17(item), item(18)
#define SHEAF_DETAIL_LIST_19(item) SHEAF_DETAIL_LIST_18(item), item(19)
#define SHEAF_DETAIL_LIST_20(item) SHEAF_DETAIL_LIST_19(item), item(20)
#define SHEAF_DETAIL_LIST_21(item) SHEAF_DETAIL_LIST_20(item), item(21)
#define SHEAF_DETAIL_LIST_22(item) SHEAF_DETAIL_LIST_21(item), item(22)
#define SHEAF_DETAIL_LIST_23(item) SHEAF_DETAIL_LIST_22(item), item(23)
#define SHEAF_DETAIL_LIST_24(item) SHEAF_DETAIL_LIST_23(item), item(24)

#define SHEAF_DETAIL_STEPS_8(s, a, b, c, d, e, f, g, h) s(a) s(b) s(c) s(d) s(e) s(f) s(g) s(h)
#define SHEAF_DETAIL_STEPS(s)                            \
  SHEAF_DETAIL_STEPS_8(s, 1, 2, 3, 4, 5, 6, 7, 8)        \
  SHEAF_DETAIL_STEPS_8(s, 9, 10, 11, 12, 13, 14, 15, 16) \
  SHEAF_DETAIL_STEPS_8(s, 17, 18, 19, 20, 21, 22, 23, 24)
