// SPDX-License-Identifier: MIT
export module entities;
import library;
import id;
import index;

inline void issue(std::span<const entity>) {}
export inline void issue(entity* list, unsigned long size) { issue({list, size}); }
