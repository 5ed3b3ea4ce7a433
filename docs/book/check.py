#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py SITE: every link of the built pages leads to a page and a place that are there, and no page loads anything
from elsewhere. Prints what is wrong, and ends with 1 then."""
import html.parser
import pathlib
import sys
import urllib.parse

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    """What a page refers to, what it loads, and the places in it that can be referred to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.places = [], [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        self.places.update(has[name] for name in ("id", "name") if has.get(name))
        if tag == "a" and "href" in has:
            self.links.append(has["href"])
        if LOADED.get(tag) in has and has.get("rel") != "canonical":
            self.loaded.append(has[LOADED[tag]])


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}
    mistakes = []
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # Its addresses are meant from the root of a server.
        for address in page.links + page.loaded:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loaded and parts.scheme != "data":
                    mistakes.append(f"{file.relative_to(site)}: {address} is loaded from elsewhere")
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                mistakes.append(f"{file.relative_to(site)}: {address} is not there")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                mistakes.append(f"{file.relative_to(site)}: there is no such place as {address}")
    print("\n".join(mistakes) if mistakes else f"{len(pages)} pages, and every link leads somewhere")
    sys.exit(bool(mistakes) or not pages)


main()
