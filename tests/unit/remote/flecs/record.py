# SPDX-License-Identifier: MIT
"""Records what Flecs answers to requests.txt, in answers.json. Run it where flecs.h and flecs.c are, beside each other:

    clang -std=gnu11 -c flecs.c && clang++ -std=c++20 -I. .../record.cc flecs.o -o record && python3 .../record.py ./record

What Flecs has built in is left out: it would be a thousand times what the scene is."""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SCENE = {"Fleet", "Ship", "Boat", "Bob", "Hull", "position", "velocity", "course", "owes", "opaque", "sealed", "frozen", "likes"}


def is_of_scene(row):
    return row.get("name") in SCENE | {"sail"} and not row.get("parent", "").startswith("flecs")


def pruned(answer):
    if isinstance(answer, list):
        return [row for row in answer if is_of_scene(row)]
    if isinstance(answer, dict) and "results" in answer:
        answer["results"] = [row for row in answer["results"] if is_of_scene(row) and row["name"] != "sail"]
    return answer


with tempfile.TemporaryDirectory() as folder:
    said = pathlib.Path(folder) / "said.json"
    subprocess.run([sys.argv[1], said], stdin=(HERE / "requests.txt").open(), stdout=subprocess.DEVNULL, check=True)
    answers = json.loads(said.read_text())
lines = [json.dumps(dict(a, answer=pruned(a["answer"]))) for a in answers]
(HERE / "answers.json").write_text("[" + ",\n".join(lines) + "]\n")
