#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns runs of the benchmarks into the performance table.

    performance.py RUNS                    prints it; RUNS is a directory of *.json
    performance.py --write README.md RUNS  also puts it between the file's two `performance` comments

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


def machine(path):
    context = json.loads(path.read_text())["context"]
    day = datetime.datetime.fromisoformat(context["date"]).date()
    return f"{context['num_cpus']} cores at {context['mhz_per_cpu']} MHz, {day}, ns for each item."


def write_between_marks(path, text):
    marked = re.compile(r"(<!-- performance: begin -->\n).*?(<!-- performance: end -->)", re.DOTALL)
    path.write_text(marked.sub(lambda found: found[1] + text + "\n" + found[2], path.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=pathlib.Path, metavar="RUNS")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    workloads, goals = collections.defaultdict(dict), {}
    runs = sorted(arguments.runs.glob("*.json"))
    for run in runs:
        read_run(run, workloads, goals)
    text = table(workloads, goals) + "\n\n" + machine(runs[0])
    print(text)
    if arguments.write:
        write_between_marks(arguments.write, text)


if __name__ == "__main__":
    main()
