// SPDX-License-Identifier: MIT
// ecs.id: an identifier is one machine word whose bit fields are a type, proved at compile time.
//
//   field          names, bits and roles of the parts of a word
//   layout         a word divided into fields
//   proofs         what can be asserted about a layout, or about two
//   identifier     a value of a layout: regular, ordered, hashable, exactly one word
//   builder        consteval construction: what does not fit does not compile
//   decode         words, doubles and other layouts, checked on the way in
//   named_layouts  the published layouts and the library's own
//   partitions     named ranges of the index
export module ecs.id;
export import :field;
export import :layout;
export import :proofs;
export import :identifier;
export import :builder;
export import :decode;
export import :named_layouts;
export import :partitions;
