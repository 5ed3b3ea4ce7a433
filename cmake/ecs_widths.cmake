# SPDX-License-Identifier: MIT
# How many bits the index, the generation and the world of an entity have. docs/ids.md says how to choose.
include_guard(GLOBAL)

set(ECS_INDEX_BITS 32 CACHE STRING "Bits of an entity's index, 10 to 32")
set(ECS_GENERATION_BITS 20 CACHE STRING "Bits of an entity's generation, 1 to 20")
set(ECS_WORLD_BITS 8 CACHE STRING "Bits of the number of an entity's world, 1 to 8")

# ecs_require_width(NAME bits least most): stops unless the bits are a number in between.
function(ecs_require_width name bits least most)
  if(NOT bits MATCHES "^[1-9][0-9]*$" OR bits LESS least OR bits GREATER most)
    message(FATAL_ERROR "${name} is \"${bits}\", and must be a number from ${least} to ${most}.")
  endif()
endfunction()

# ecs_set_widths(target index generation world): the target, which is made of the sources of ecs.id, has identifiers of
# these widths. Importers read them from the module.
function(ecs_set_widths target index generation world)
  ecs_require_width(ECS_INDEX_BITS "${index}" 10 32)
  ecs_require_width(ECS_GENERATION_BITS "${generation}" 1 20)
  ecs_require_width(ECS_WORLD_BITS "${world}" 1 8)
  target_compile_definitions(${target}
    PRIVATE ECS_INDEX_BITS=${index} ECS_GENERATION_BITS=${generation} ECS_WORLD_BITS=${world})
endfunction()
