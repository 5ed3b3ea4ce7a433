# SPDX-License-Identifier: MIT
"""What the book of docs/ looks like in a headless Chromium, as narrow as a telephone and as wide as a desk.

    book_test.py CHROMIUM SITE"""

import functools
import http.server
import sys
import threading
import unittest

from chromium import Browser

PAGES = "index.html", "coming-from/entt.html", "reference/ecs.world.world.html", "performance.html", "explorer.html"
WIDTHS = 360, 1280
BROKEN = """Promise.all([...document.images].map(image => {
    image.loading = 'eager';
    return image.decode().then(() => '', () => image.src);
})).then(all => all.filter(source => source))"""
STICKING_OUT = """[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 5).map(e => e.outerHTML.slice(0, 100))"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Served:
    """The folder at an address of this machine, on a port of its own. Use it in a with statement."""

    def __init__(self, folder):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        self.address = "http://127.0.0.1:%d/" % self._server.server_port

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def opened():
    """Opens each page in each width, and says which it is."""
    for width in WIDTHS:
        browser.resize(width, 800)
        for page in PAGES:
            browser.open(site.address + page)
            yield {"page": page, "width": width}


class Book(unittest.TestCase):
    def test_no_page_is_wider_than_the_window_and_every_picture_is_shown(self):
        for which in opened():
            with self.subTest(**which):
                excess = browser.value_of("document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(excess, 0, browser.value_of(STICKING_OUT))
                self.assertEqual(browser.value_of(BROKEN), [])

    def test_the_search_finds_a_name_of_the_reference(self):
        browser.resize(WIDTHS[-1], 800)
        browser.open(site.address + "index.html")
        browser.value_of("document.querySelector('.md-search__input').focus()")
        browser.wait("/Type to start/.test(document.querySelector('.md-search-result__meta').textContent)", "that the index is read")
        browser.ask("Input.insertText", text="spawn_n")
        browser.ask("Input.dispatchKeyEvent", type="keyUp", key="n")  # With which the search begins.
        found = "[...document.querySelectorAll('.md-search-result__link')].map(e => e.pathname)"
        self.assertIn("/reference/ecs.world.world.html", browser.wait("%s.length && %s" % (found, found), "what is found"))


if __name__ == "__main__":
    executable, folder = sys.argv[1:]
    with Served(folder) as site, Browser(executable) as browser:
        unittest.main(argv=sys.argv[:1], verbosity=2)
