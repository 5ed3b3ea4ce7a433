// SPDX-License-Identifier: MIT
export module index;
import id;
export inline long index_of(entity e) { return e.index(); }
