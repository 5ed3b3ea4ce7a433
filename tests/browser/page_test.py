# SPDX-License-Identifier: MIT
"""What the page of ecs.remote shows of a battle, in a headless Chromium: the state of its DOM is looked at.

    page_test.py CHROMIUM EXPLORE SCENARIO [PICTURES]

With a folder for pictures, nothing is tested: the page is drawn as docs/explorer.md shows it."""

import pathlib
import re
import subprocess
import sys
import time
import unittest

from chromium import Browser, PageError

NAMES = "[...document.querySelectorAll('#tree .name')].map(e => e.textContent)"
ROWS = "[...document.querySelectorAll('#answer tr')].slice(1).map(r => [...r.cells].map(c => c.textContent))"


class World:
    """The example with a scenario, on a port of its own. Use it in a with statement."""

    def __init__(self, program, scenario, rate):
        self._command = [program, scenario, "--port", "0", "--token", "secret", "--rate", str(rate)]

    def __enter__(self):
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+?/", self.process.stdout.readline())[0]
        return self

    def __exit__(self, *_):
        self.end()
        self.process.stdout.close()

    def end(self):
        self.process.kill()  # It would wait for the browser, which keeps its connections.
        self.process.wait()


def click(browser, name, kind="name"):
    """On an entity in the tree, or on what is in front of it, when it is there."""
    item = "[...document.querySelectorAll('#tree li')].find(e => e.querySelector('.name').textContent === '%s')" % name
    browser.wait("%s !== undefined" % item, name)
    browser.value_of("%s.querySelector('.%s').click()" % (item, kind))


def ask(browser, query):
    browser.wait("document.querySelector('#expr') !== null", "the place for a query")
    browser.value_of("document.querySelector('#expr').focus(), document.querySelector('#expr').select()")
    browser.type(query)


def edit(browser, member, text):
    """Types into the inspector."""
    field = "document.querySelector('#inspector input[aria-label=\"%s\"]')" % member
    browser.wait("%s !== null" % field, member)
    browser.value_of("%s.focus(), %s.select()" % (field, field))
    browser.type(text)


class Page(unittest.TestCase):
    """Each test begins with a world and a page of its own."""

    def setUp(self):
        self.world = self.enterContext(World(explore, scenario, 50))
        self.browser = browser

    def open(self, parameters):
        self.browser.open(self.world.address + "?" + parameters)
        self.browser.wait("document.body.dataset.ready === 'yes'", "the world")

    def test_the_tree_shows_armies_platoons_ships_and_units(self):
        self.open("")
        self.browser.wait("%s.includes('Reds')" % NAMES, "an army")
        self.assertNotIn("Red_1", self.browser.value_of(NAMES))
        click(self.browser, "Reds", "fold")
        click(self.browser, "Red_1", "fold")
        self.browser.wait("%s.includes('Unit_5')" % NAMES, "a unit")
        shown = self.browser.value_of(NAMES)
        self.assertEqual(shown[:10], ["Blues", "Reds", "Aurora", "Red_1", *("Unit_%d" % n for n in range(1, 6)), "Red_2"])
        click(self.browser, "Red_1", "fold")
        self.browser.wait("!%s.includes('Unit_5')" % NAMES, "the platoon without its units")

    def test_a_level_that_is_too_long_says_so(self):
        self.open("open=Blues&open=Blues.Blue_1")
        self.browser.wait("document.querySelector('#tree .more') !== null", "that there are more")
        self.assertEqual(self.browser.value_of("document.querySelector('#tree .more').parentElement.children.length"), 501)
        self.open("open=Reds&open=Reds.Red_1")
        self.assertIsNone(self.browser.value_of("document.querySelector('#tree .more')"))

    def test_the_rows_of_a_query_are_shown(self):
        self.open("")
        ask(self.browser, "Health, (child_of, Reds.Red_2), ?Turret")
        self.browser.wait("%s.length === 3" % ROWS, "a row for each unit")
        self.assertEqual(sorted(row[:2] for row in self.browser.value_of(ROWS)),
                         [["Reds.Red_2.Unit_%d" % n, "points: 12"] for n in (1, 2, 3)])
        self.assertEqual({row[3] for row in self.browser.value_of(ROWS)}, {""})

    def test_what_moves_is_seen_to_move(self):
        self.open("expr=Velocity,[in]%20Position,(child_of,Reds.Red_2)")
        first = self.browser.wait("%s.length === 3 && %s" % (ROWS, ROWS), "a row for each unit")
        self.browser.wait("%s[0][2] !== %r" % (ROWS, first[0][2]), "another position")

    def test_a_unit_whose_health_is_edited_falls(self):
        self.open("token=secret&open=Reds&open=Reds.Red_1&expr=Health,(child_of,Reds.Red_1)")
        click(self.browser, "Unit_2")
        edit(self.browser, "points", "0")
        self.browser.wait("!%s.includes('Unit_2')" % NAMES, "the tree without the unit")
        self.browser.wait("%s.length === 4" % ROWS, "a row less")
        self.browser.wait("/nobody who is alive/.test(document.querySelector('#inspector .bad')?.textContent)", "who is gone")
        self.assertEqual(self.browser.value_of("document.querySelector('#error').textContent"), "")

    def test_an_edit_that_is_refused_says_why(self):
        self.open("token=secret&open=Reds&open=Reds.Red_1&entity=Reds/Red_1/Unit_1")
        self.assertEqual(self.browser.value_of("document.querySelector('#tree .chosen')?.textContent"), "Unit_1")
        edit(self.browser, "points", "-5")
        said = self.browser.wait("document.querySelector('#error').textContent", "an error")
        self.assertIn("points: -5 is less than 0", said)
        self.browser.wait("document.querySelector('#inspector input[aria-label=points]')?.value === '12'", "what it was before")
        edit(self.browser, "points", "11")
        self.browser.wait("document.querySelector('#error').textContent === ''", "an error no more")

    def test_an_edit_without_the_token_is_refused(self):
        self.open("entity=Reds/Red_1/Unit_1")
        edit(self.browser, "points", "0")
        said = self.browser.wait("document.querySelector('#error').textContent", "an error")
        self.assertEqual(said, "the token that allows changes is missing or wrong")

    def test_what_is_wrong_with_a_query_is_said(self):
        self.open("")
        ask(self.browser, "Health, Helth")
        said = self.browser.wait("document.querySelector('#answer .bad')?.textContent", "an error")
        self.assertIn('nothing is named "Helth"', said)

    def test_a_world_that_has_ended_is_missed(self):
        self.open("")
        self.world.end()
        self.browser.wait("/does not answer/.test(document.querySelector('#status').textContent)", "that nobody answers")

    def test_tables_are_shown_with_their_rows(self):
        self.open("view=Tables")
        counts = self.browser.wait("[...document.querySelectorAll('.block')].map(e => e.querySelector('b').textContent)", "tables")
        self.assertIn("5", counts)

    def test_systems_are_drawn_with_who_waits_for_whom(self):
        self.open("view=Systems")
        systems = "[...document.querySelectorAll('#systems tr')].slice(1).map(r => [...r.cells].map(c => c.textContent))"
        rows = {row[0]: row[1:] for row in self.browser.wait("%s.length > 2 && %s" % (systems, systems), "systems")}
        self.assertEqual(rows["walk"], ["Position", "Velocity, Haste", ""])
        self.assertIn("walk (", rows["turn back at the edge"][2])
        self.assertEqual(rows["run out"][2], "")
        self.browser.wait("/µs, thread 0/.test(document.querySelector('.system[data-name=aim] .took')?.textContent)", "what a system took")
        self.assertIn("aim waits for muster: the whole world",
                      self.browser.value_of("[...document.querySelectorAll('.wait title')].map(e => e.textContent)"))

    def test_the_last_changes_are_listed_with_who_made_them(self):
        self.open("view=Changes&token=secret&entity=Reds/Red_1/Unit_1")
        edit(self.browser, "points", "0")
        changes = "[...document.querySelectorAll('#changes tr')].slice(1).map(r => [...r.cells].map(c => c.textContent))"
        rows = self.browser.wait("%s.some(r => r[2] === 'despawned') && %s" % (changes, changes), "the end of a unit")
        self.assertEqual(rows[0][2:], ["despawned", "", "the program"])
        self.assertIn(["removed", "(child_of,Reds.Red_1)"], [row[2:4] for row in rows])

    def test_the_fields_of_words_are_drawn(self):
        self.open("view=Layouts")
        self.browser.wait("document.querySelectorAll('.layout').length === 7", "the layouts")
        names = "[...document.querySelectorAll('.layout')[1].querySelectorAll('.field')].map(e => e.title)"
        self.assertEqual(self.browser.value_of(names), ["kind: bits 63 to 60", "target_generation: bits 59 to 56",
                                                        "relation: bits 55 to 32", "target: bits 31 to 0"])
        click(self.browser, "Reds")
        word = "[...document.querySelectorAll('.word')].map(e => [...e.querySelectorAll('.field .holds')].map(f => f.textContent))"
        first = self.browser.wait("%s[0]" % word, "the words of an entity")
        shown = self.browser.wait("document.querySelector('#inspector .kind')?.textContent", "the entity")
        self.assertEqual(int(shown[1:]), int(first[2]) * 2**32 + int(first[3]))


PICTURES = {
    "explorer-systems.png": "view=Systems&open=Reds&open=Reds.Red_1&entity=Reds/Red_1/Unit_30",
    "explorer-layouts.png": "view=Layouts&open=Reds&open=Reds.Aurora&entity=Reds/Red_1/Unit_29",
    "explorer-changes.png": "view=Changes&open=Blues",
    "explorer.png": "token=secret&open=Reds&open=Reds.Aurora&open=Reds.Red_1&entity=Reds/Aurora/Turret_1"
                    "&expr=Position,%20Health,%20%3FShield,%20(child_of,%20Reds.Red_1)",
}


def draw(folder):
    with World(explore, scenario, 10) as world:
        time.sleep(5)
        for name, parameters in PICTURES.items():
            browser.open(world.address + "?" + parameters)
            browser.wait("document.body.dataset.ready === 'yes'", "the world")
            time.sleep(3)  # The line of the last seconds begins.
            browser.picture(pathlib.Path(folder) / name)


if __name__ == "__main__":
    executable, explore, scenario = sys.argv[1:4]
    with Browser(executable) as browser:
        if len(sys.argv) > 4:
            draw(sys.argv[4])
        else:
            unittest.main(argv=sys.argv[:1], verbosity=2, failfast=True)
