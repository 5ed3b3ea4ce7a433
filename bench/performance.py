#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns runs of the benchmarks into the performance tables: of a world, and of identifiers alone.

    performance.py RUNS          prints them; RUNS is a directory of *.json
    performance.py --write RUNS  also puts them between the `performance` and `identifiers` comments of docs/performance.md,
                                 and the rows that people ask about between the `summary` comments of the README
    performance.py --threads RUNS [--write]
                                 the table of what more threads gain alone, which goes between the `threads` comments of
                                 docs/performance.md: RUNS may be of another machine

A row is a workload; its contenders ran interleaved in one process, and each is judged by its fastest repetition, the
one that the rest of the machine disturbed least. `floor` is what plain arrays need, ratios are ours to the floor.
"""
import argparse
import collections
import datetime
import json
import pathlib
import re

OURS = "ecs"
FLOOR = "floor"

# What is asked of identifiers: words, our benchmark, the one it is compared with in the same run, and the goal for the
# ratio of their times for each identifier.
IDENTIFIERS = {
    "bench_registry": [
        ("create, one by one", "create_one_by_one/registry", "create_one_by_one/floor_vector_free_list", 1.2),
        ("create in bulk; write the words", "create_in_bulk/registry", "create_in_bulk/floor_write_the_words", 2),
        ("create + destroy", "create_destroy_pair/registry", "create_destroy_pair/floor_vector_free_list", 1.5),
        ("recycle 1M scattered; a linked list", "recycle_scattered/registry/1000000/manual_time",
         "recycle_scattered/floor_linked_list/1000000/manual_time", 0.2),
        ("alive, shuffled", "alive_shuffled/registry", "alive_shuffled/floor_load_and_compare", 1.5),
    ],
    "bench_concurrent_registry": [
        ("many threads: create, one by one", "create_one_by_one/handle_after_clear",
         "create_one_by_one/floor_vector_free_list_after_clear", 1.2),
        ("in a fresh registry; write to fresh pages", "create_one_by_one/handle", "create_one_by_one/floor_fresh_pages", 1.2),
        ("many threads: create in bulk; write the words", "create_in_bulk/registry_after_clear",
         "create_in_bulk/floor_write_the_words", 2),
        ("in a fresh registry; write the words to fresh pages", "create_in_bulk/registry",
         "create_in_bulk/floor_write_to_fresh_pages", 2),
        ("many threads: create + destroy, one at work", "pair/handle/real_time/threads:1",
         "pair/floor_vector_free_list/real_time", 1.5),
        ("two at work; one of ours at work", "pair/handle/real_time/threads:2", "pair/handle/real_time/threads:1", 0.5),
        ("two at work; a mutex and a vector", "pair/handle/real_time/threads:2",
         "pair/floor_mutex_and_vector/real_time/threads:2", 0.1),
        ("two with work of their own; one of ours", "pair_and_work/handle/real_time/threads:2",
         "pair_and_work/handle/real_time/threads:1", 0.556),
        ("destroyed by another thread; by its own", "destroyed_by_another/handle/real_time/threads:2",
         "pair/handle/real_time/threads:1", 2),
        ("many threads: recycle 1M scattered; a linked list", "recycle_1M_scattered/handle",
         "recycle_1M_scattered/floor_linked_free_list", 0.2),
        ("many threads: alive, 100k shuffled", "alive_100k_shuffled/concurrent_registry",
         "alive_100k_shuffled/floor_array_load_and_compare", 1.5),
    ],
}


# What is measured with one thread up to all processors.
WITH_THREADS = ["walk_1000000", "walk_1000000_with_work", "walk_10000", "run_16_systems_of_50000", "run_100_tiny_systems",
                "spawn_1000000", "add_later_to_100000", "open_and_close_commands", "pair", "pair_and_work", "window_1024"]

# The rows that people ask about, in their words.
ASKED_ABOUT = [
    ("create an entity", "create_empty_one_by_one"),
    ("create and destroy, over and over", "churn_create_and_destroy"),
    ("is it alive?", "alive_shuffled_half_dead"),
    ("spawn with three components", "spawn_3_one_call"),
    ("the same, all in one call", "spawn_3_bulk"),
    ("despawn", "despawn_3"),
    ("add a component and remove it", "add_and_remove_component"),
    ("the same, kept in place", "add_and_remove_in_place"),
    ("the same in tables, with an observer of each", "add_and_remove_observed"),
    ("has it the component?", "has_component_shuffled"),
    ("get a component, in random order", "get_1_shuffled"),
    ("the same, through a getter", "get_1_shuffled_held"),
    ("the same, of a list of handles in one call", "get_1_shuffled_batch"),
    ("iterate over two components", "iterate_2_of_100000"),
    ("end a child with its parent", "end_1000_parents_of_100"),
    ("find triangles of pairs; for each pair", "triangles_3000x30"),
    ("bytes, with components of 20 bytes", "bytes_per_entity_with_3_of_20_bytes"),
]


def read_run(path, workloads, goals):
    """Adds the least value of every contender of a run: ns or bytes for each item."""
    in_order_of_registration = lambda result: result["family_index"]
    for result in sorted(json.loads(path.read_text())["benchmarks"], key=in_order_of_registration):
        if result["run_type"] != "iteration" or "goal" not in result:
            continue
        workload, contender = result["run_name"].split("/")[:2]
        value = result.get("bytes") or 1e9 / result["items_per_second"]
        best = workloads[workload].get(contender, value)
        workloads[workload][contender] = min(best, value)
        goals[workload] = result["goal"]


def verdict(costs, goal):
    """Whether the goal is met, and who is faster than we are."""
    if OURS not in costs:
        return "not there yet"
    ratio = costs[OURS] / costs[FLOOR]
    words = "meets" if ratio <= goal else "**misses**"
    faster = [name for name, cost in costs.items() if name not in (OURS, FLOOR) and cost < 0.97 * costs[OURS]]
    lost = f"; **{' and '.join(faster)} {'is' if len(faster) == 1 else 'are'} faster**" if faster else ""
    return f"{words} {goal:.2f}{lost}"


def number(value):
    return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def table(workloads, goals):
    peers = sorted({name for costs in workloads.values() for name in costs} - {OURS, FLOOR})
    rows = [["workload", "floor", OURS, "ratio", *peers, "verdict"], ["---"] + ["--:"] * (3 + len(peers)) + ["---"]]
    for workload, costs in workloads.items():
        ratio = costs[OURS] / costs[FLOOR] if OURS in costs else None
        rows.append([f"`{workload}`", number(costs[FLOOR]), number(costs.get(OURS)), number(ratio),
                     *(number(costs.get(name)) for name in peers), verdict(costs, goals[workload])])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def summary(workloads):
    """Ours against the fastest peer, which is named."""
    rows = [["for each entity", OURS, "fastest peer", "ratio", ""], ["---", "--:", "--:", "--:", "---"]]
    for words, workload in ASKED_ABOUT:
        costs = workloads.get(workload, {})
        peers = {name: cost for name, cost in costs.items() if name not in (OURS, FLOOR)}
        if OURS not in costs or not peers:
            continue
        name = min(peers, key=peers.get)
        ratio = costs[OURS] / peers[name]
        lost = f"**{name} is faster**" if ratio > 1.03 else ""
        rows.append([words, number(costs[OURS]), f"{number(peers[name])} {name}", f"{ratio:.2f}", lost])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def least_of_each(path):
    """ns for each identifier, by benchmark."""
    least = {}
    for result in json.loads(path.read_text())["benchmarks"]:
        if result["run_type"] == "iteration" and "items_per_second" in result:
            value = 1e9 / result["items_per_second"]
            least[result["run_name"]] = min(least.get(result["run_name"], value), value)
    return least


def table_of_identifiers(runs):
    rows = [["identifiers alone; and the floor, where it is no vector of free ones", "floor", OURS, "ratio", "verdict"],
            ["---", "--:", "--:", "--:", "---"]]
    paths = {run.stem: run for run in runs}
    for name in (name for name in IDENTIFIERS if name in paths):
        least = least_of_each(paths[name])
        for words, ours, floor, goal in IDENTIFIERS[name]:
            if ours not in least:
                continue  # A tiny run has other sizes.
            ratio = least[ours] / least[floor]
            verdict_on_it = "meets" if ratio <= goal else "**misses**"
            rows.append([words, number(least[floor]), number(least[ours]), number(ratio), f"{verdict_on_it} {goal:.3g}"])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def by_threads(paths):
    """ns for each item, all threads together: by workload and contender, then by the number of threads."""
    least = collections.defaultdict(dict)
    for path in paths:
        for name, value in least_of_each(path).items():
            threads = re.search(r"/threads:(\d+)", name)
            if not threads or name.count("/") < 2:
                continue
            workload, contender = name.split("/")[:2]
            least[workload, contender][int(threads[1])] = value
    return least


def table_of_threads(paths):
    least = by_threads(paths)
    counts = sorted({count for values in least.values() for count in values})
    rows = [["workload", "who", *(f"{count}" for count in counts)], ["---", "---"] + ["--:"] * len(counts)]
    peers = {"EnTT", "flecs", "gaia-ecs", "mustache"}
    rank = lambda contender: (contender.startswith("floor"), not peers & {re.split("[ ,]", contender)[0]}, contender)
    for workload in WITH_THREADS:
        for contender in sorted((c for w, c in least if w == workload), key=rank, reverse=True):
            values = least[workload, contender]
            rows.append([f"`{workload}`", contender.replace("_", " "), *(number(values.get(count)) for count in counts)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def machine(path):
    context = json.loads(path.read_text())["context"]
    day = datetime.datetime.fromisoformat(context["date"]).date()
    return f"{context['num_cpus']} cores at {context['mhz_per_cpu']} MHz, {day}, ns for each item."


def write_between_marks(path, name, text):
    marked = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    path.write_text(marked.sub(lambda found: found[1] + text + "\n" + found[2], path.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=pathlib.Path, metavar="RUNS")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--threads", action="store_true")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    if arguments.threads:
        runs = sorted(arguments.runs.glob("*.json"))
        text = table_of_threads(runs) + "\n\n" + machine(runs[0])
        print(text)
        if arguments.write:
            write_between_marks(root / "docs/performance.md", "threads", text)
        return
    workloads, goals = collections.defaultdict(dict), {}
    runs = sorted(arguments.runs.glob("*.json"))
    for run in runs:
        read_run(run, workloads, goals)
    text = table(workloads, goals) + "\n\n" + machine(runs[0])
    identifiers = table_of_identifiers(runs)
    print(text, identifiers, sep="\n\n")
    if arguments.write:
        if not workloads or identifiers.count("\n") < 2:
            parser.error(f"{arguments.runs} lacks the runs of a table: each is named after its program, bench_world.json")
        write_between_marks(root / "docs/performance.md", "performance", text)
        write_between_marks(root / "docs/performance.md", "identifiers", identifiers)
        write_between_marks(root / "README.md", "summary", summary(workloads) + "\n\n" + machine(runs[0]))


if __name__ == "__main__":
    main()
