"""Checks links of a built site: every page, file and anchor exists, and nothing is loaded over the network."""

import html.parser
import pathlib
import re
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        for name in ("src", "href") if tag != "a" else ("src",):
            if given.get(name):
                self.loads.append(given[name])


def remote(link):
    return urllib.parse.urlsplit(link).scheme not in ("", "data") or link.startswith("/")


def dead_links(folder):
    """One line for each dead link and each resource outside the folder."""
    folder = pathlib.Path(folder)
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    problems = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        problems += [f"{name}: loads {link} over the network" for link in page.loads if remote(link)]
        for link in [*page.links, *page.loads]:
            if remote(link) or link.startswith("data:"):
                continue
            parts = urllib.parse.urlsplit(link)
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path.resolve()
            if not target.is_file():
                problems.append(f"{name}: {link} leads to no file")
            elif parts.fragment and target in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                    problems.append(f"{name}: {link} leads to no anchor")
    for path in sorted(folder.rglob("*.css")):
        for link in re.findall(r"url\(\s*['\"]?([^'\")]+)", path.read_text(encoding="utf-8")):
            if not link.startswith("data:") and not (path.parent / urllib.parse.urlsplit(link).path).is_file():
                problems.append(f"{path.relative_to(folder)}: {link} is not beside it")
    return list(dict.fromkeys(problems))
