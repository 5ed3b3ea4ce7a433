// SPDX-License-Identifier: MIT
// ecs.relation: what one word means when it is added to an entity.
//
//   kind      entity, pair, wildcard ...: what the tag of a word says
//   builtin   entities every world has under the same index: child_of, is_a, the properties of relations
//   id        any of them in one word, with the predicates derived from the layouts
//   pair      a relation and a target in one word, wildcards in either place
//   flags     bits in the word that say how something is had
//   format    any identifier as text
//   roles     the words of the design of 2020, read and written
//   typed     the same for types: pair_of<Relation, Target>
export module ecs.relation;
export import ecs.id;
export import :kind;
export import :builtin;
export import :id;
export import :pair;
export import :flags;
export import :format;
export import :roles;
export import :typed;
