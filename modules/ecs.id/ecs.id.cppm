// SPDX-License-Identifier: MIT
// ecs.id: an identifier is one machine word whose bit fields are a type, proved at compile time.
//
//   field          names, bits and roles of the parts of a word
//   layout         a word divided into fields
//   proofs         what can be asserted about one layout
//   comparison     what can be asserted about two: they are told apart, one holds the other
//   lifetime       how long a layout's identifiers last
//   diagnosis      why a layout is refused, as the first error says it
//   identifier     a value of a layout: regular, ordered, hashable, exactly one word
//   builder        consteval construction: what does not fit does not compile
//   decode         words, doubles and other layouts, checked on the way in
//   fingerprint    a layout as a number, for a handshake
//   drawing        a layout drawn from itself, as text and as a picture
//   format         identifiers as people read them
//   widths         how wide the library's own fields are, a choice of the build
//   named_layouts  the published layouts and the library's own
//   partitions     named ranges of the index
export module ecs.id;
export import ecs.std; // An importer that gets a vector can then walk over it, whatever it includes.
export import :list;
export import :field;
export import :layout;
export import :proofs;
export import :comparison;
export import :lifetime;
export import :text;
export import :diagnosis;
export import :identifier;
export import :builder;
export import :decode;
export import :fingerprint;
export import :drawing;
export import :format;
export import :widths;
export import :named_layouts;
export import :partitions;
