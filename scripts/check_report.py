#!/usr/bin/env python3
"""Opens pages of `kifu report` in Chromium and checks what they do.

    python3 scripts/check_report.py                 100,000 rows, 2,000 that disagree
    python3 scripts/check_report.py --short         5,000 rows, 600 that disagree; times are
                                                    told and not judged
    python3 scripts/check_report.py --keep FOLDER   pictures and pages stay there

Builds kifu, or takes the one that KIFU names. The rows are those of the sample
archive, boards included, repeated under other names with results changed.
Installs Debian's Chromium where it is missing.
"""

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time

from browser import Browser, install

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(2)>'
failures = []


def check(what, right, seen=""):
    """Notes a check."""
    print(f"{'ok' if right else 'FAILED':7} {what}{f': {seen}' if seen != '' else ''}")
    if not right:
        failures.append(what)


def kifu():
    """The binary."""
    if "KIFU" in os.environ:
        return os.environ["KIFU"]
    subprocess.run(["cargo", "build", "--quiet"], check=True)
    return os.path.join(os.environ.get("CARGO_TARGET_DIR", "target"), "debug", "kifu")


def samples(binary, folder):
    """Rows of the sample archive."""
    path = os.path.join(folder, "samples.csv")
    with_ = ["--with", "board,ownership,meta"]
    subprocess.run([binary, "label", "data/archive", *with_, "-o", path, "--quiet"], check=True)
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return reader.fieldnames, list(reader)


def write_rows(path, columns, rows, count, mismatches):
    """Many rows, of which some disagree; how far each is apart, by origin."""
    counted = [row for row in rows if row["status"] == "agree" and row["basis"] == "count"]
    counted = [row for row in counted if row["winner"] != "draw"]
    others = [row for row in rows if row["status"] != "broken" and "differs" not in row["status"]]
    broken = [row for row in rows if row["status"] == "broken"]
    apart = {}
    every = count // mismatches
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for number in range(count):
            if number % every == 0 and len(apart) < mismatches:
                row = dict(counted[number // every % len(counted)])
                at = len(apart)
                # A difference of its own for each: half points, in no order.
                distance = ((at * 7919) % mismatches + 1) / 2
                margin = float(row["margin"]) + distance
                row["recorded_margin"] = f"{margin:g}"
                row["recorded"] = f"{row['winner'][0].upper()}+{margin:g}"
                row["status"] = "margin_differs"
                row["reasons"] = f"komi=5.5;board_says={row['winner']}+{row['margin']}"
                row["origin"] = f"big/{at % 40:02}/{number:06}.sgf"
                row["date"] = f"{1990 + at % 35}-05-04"
                if at == 7:
                    row["origin"] = f"big/{SCRIPT}.sgf"
                if at == 8:
                    row["recorded"] = IMAGE
                    row["reasons"] = f"{IMAGE};komi=5.5\u2028</script>"
                    row["first_player"] = "\u202eabc"
                apart[row["origin"]] = distance
            elif number % 400 == 1:
                row = dict(broken[number // 400 % len(broken)])
                row["origin"] = f"big/broken/{number:06}.sgf"
                row["error"] = f"{row['error']} {IMAGE}"
            else:
                row = dict(others[number % len(others)])
                row["origin"] = f"big/{number % 40:02}/{number:06}.sgf"
            writer.writerow(row)
    return apart


def make_page(binary, rows, page):
    """Makes a page; seconds and peak memory of kifu."""
    began = time.monotonic()
    subprocess.run([binary, "report", rows, "-o", page], check=True)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return time.monotonic() - began, memory / 1024


def first_and_last(browser):
    """Names of the first and the last row of the table of records that disagree."""
    names = browser.run(
        """(async () => {
          const view = document.querySelector("#mismatch-table .view");
          const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
          const rows = () => [...view.querySelectorAll("tr.row")].map((row) => row.cells[0].textContent);
          view.scrollTop = 0; await drawn();
          const first = rows()[0];
          view.scrollTop = view.scrollHeight; await drawn();
          const last = rows().at(-1);
          view.scrollTop = 0; await drawn();
          return [first, last];
        })()"""
    )
    return names[0], names[1]


SORT = """(async () => {
  const head = [...document.querySelectorAll("#mismatch-table th button")].find((it) => it.textContent === "points apart");
  const began = performance.now();
  head.click();
  document.body.getBoundingClientRect();
  const took = performance.now() - began;
  return [took, head.closest("th").getAttribute("aria-sort")];
})()"""

FILTER = """(async () => {
  const box = document.querySelector("#filter-text");
  box.value = %s;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  return document.querySelector("#mismatch-table .count").textContent;
})()"""


def check_sorting(browser, apart, timed):
    """By points apart, the largest first and then the smallest."""
    order = sorted(apart, key=apart.get)
    for way, expected in (("descending", (order[-1], order[0])), ("ascending", (order[0], order[-1]))):
        took, said = browser.run(SORT)
        check(f"sorting {len(apart)} rows {way} takes less than 0.3 s", took < 300 or not timed, f"{took:.0f} ms")
        check("the head says how it is sorted", said == way, said)
        seen = first_and_last(browser)
        check("the first and the last row are right", seen == expected, seen)


def check_filters(browser, apart):
    """Texts, and the button of a folder."""
    wanted = sum("/07/" in origin for origin in apart)
    said = browser.run(FILTER % "'big/07/'")
    check("a text filters", said == f"{wanted:,} of {len(apart):,} rows", said)
    said = browser.run(FILTER % "'no such name'")
    check("nothing may match", said == f"0 of {len(apart):,} rows", said)
    browser.run(FILTER % "''")
    said = browser.run(
        """(() => {
          const rows = [...document.querySelectorAll("#group-tables tr")];
          rows.find((row) => row.cells[0].textContent === "big/03").querySelector("button.link").click();
          return document.querySelector("#mismatch-table .count").textContent;
        })()"""
    )
    wanted = sum("/03/" in origin for origin in apart)
    check("the number of a folder shows its records", said == f"{wanted:,} of {len(apart):,} rows", said)
    browser.run("document.querySelector('#filter-clear').click()")


def check_keyboard(browser):
    """Rows by arrows, details by Enter, closed by Escape, heads by Enter."""
    browser.run("document.querySelector('#mismatch-table tr.row').focus()")
    browser.press("ArrowDown")
    browser.press("ArrowDown")
    at = browser.run("document.activeElement.getAttribute('aria-rowindex')")
    check("arrows move among rows", at == "4", at)
    browser.press("Enter")
    seen = browser.run(
        "[!details.hidden, details.querySelector('h3').textContent === document.activeElement.cells[0].textContent,"
        " details.querySelectorAll('svg.board circle').length > 5]"
    )
    check("Enter opens the record with its board", seen == [True, True, True], seen)
    browser.press("Escape")
    seen = browser.run("[details.hidden, document.activeElement.getAttribute('aria-rowindex')]")
    check("Escape closes it, and the row has the focus", seen == [True, "4"], seen)
    browser.press("End")
    seen = browser.run(
        "Number(document.activeElement.getAttribute('aria-rowindex')) === Number(document.querySelector('#mismatch-table table').getAttribute('aria-rowcount'))"
    )
    check("End goes to the last row", seen)
    browser.press("Home")
    browser.run("document.querySelector('#mismatch-table th button').focus()")
    browser.press("Enter")
    said = browser.run("document.querySelector('#mismatch-table th').getAttribute('aria-sort')")
    check("Enter sorts by a head", said == "ascending", said)


def check_harmless(browser):
    """What records hold stays text."""
    for text in (SCRIPT, IMAGE):
        said = browser.run(FILTER % repr(text.lower()))
        check(f"a record with {text} is found", said.startswith("1 of "), said)
        browser.run("document.querySelector('#mismatch-table tr.row').click()")
        shown = browser.run(f"details.textContent.includes({text!r})")
        check("and shown as text", shown)
        browser.run("document.querySelector('#close').click()")
    browser.run("document.querySelector('#filter-clear').click()")
    made = browser.run("[document.images.length, document.scripts.length]")
    check("nothing of it is an element", made == [0, 2], made)


def check_lines(browser):
    """A row of stones that wins is marked, and only that."""
    for name, lines in (("wrong_winner_bee_2", ["12,10,12,14"]), ("foul_not_claimed", [])):
        browser.run(FILTER % repr(name))
        browser.run("document.querySelector('#mismatch-table tr.row').click()")
        seen = browser.run(
            "[...document.querySelectorAll('svg.board line.won')].map((it) =>"
            " ['x1', 'y1', 'x2', 'y2'].map((name) => it.getAttribute(name)).join())"
        )
        check(f"{name}: the line that wins is marked", seen == lines, seen)
        browser.run("document.querySelector('#close').click()")


def check_names(browser):
    """Every control has a name, every table a caption."""
    nameless = browser.run(
        """[...document.querySelectorAll("button, input, select")].filter((it) =>
          !(it.textContent.trim() || it.getAttribute("aria-label") || it.labels?.length)).length"""
    )
    check("every control has a name", nameless == 0, nameless)
    bare = browser.run("[...document.querySelectorAll('table')].filter((it) => !it.caption?.textContent.trim()).length")
    check("every table has a caption", bare == 0, bare)


def check_widths(browser, page, folder):
    """Pictures of each width and colour; nothing is wider than the window."""
    for width, height in ((1280, 900), (390, 844)):
        for scheme in ("light", "dark"):
            browser.size(width, height, mobile=width < 600)
            browser.colours(scheme)
            browser.open(page)
            wide = browser.run("document.documentElement.scrollWidth")
            check(f"{width} px, {scheme}: nothing sticks out", wide <= width, wide)
            name = os.path.join(folder, f"{width}-{scheme}")
            browser.shoot(f"{name}.png", whole=True)
            browser.run("document.querySelector('#mismatches').scrollIntoView()")
            browser.run("document.querySelectorAll('#mismatch-table tr.row')[2].click()")
            browser.shoot(f"{name}-open.png")
            paper = browser.run("getComputedStyle(document.body).backgroundColor")
            dark = sum(map(int, paper.strip("rgb()").split(","))) < 200
            check(f"{width} px, {scheme}: the paper is {scheme}", dark == (scheme == "dark"), paper)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--short", action="store_true", help="fewer rows")
    parser.add_argument("--keep", metavar="FOLDER", help="where pictures and pages stay")
    options = parser.parse_args()
    count, mismatches = (5_000, 600) if options.short else (100_000, 2_000)
    install()
    binary = kifu()
    with tempfile.TemporaryDirectory(prefix="kifu-report-") as folder:
        kept = os.path.abspath(options.keep or folder)
        os.makedirs(kept, exist_ok=True)
        columns, rows = samples(binary, folder)
        table, page = os.path.join(folder, "big.csv"), os.path.join(kept, "big.html")
        apart = write_rows(table, columns, rows, count, mismatches)
        seconds, memory = make_page(binary, table, page)
        print(f"        kifu report took {seconds:.2f} s and {memory:.0f} MiB at most (kifu label included)")
        size = os.path.getsize(page) / 1e6
        check("the page has at most 10 MB", size <= 10, f"{size:.2f} MB")
        sample = os.path.join(kept, "sample.html")
        make_page(binary, os.path.join(folder, "samples.csv"), sample)
        with Browser() as browser:
            browser.size(1280, 900)
            browser.colours("light")
            took = browser.open(page)
            check("it opens in less than 2 s", took < 2 or options.short, f"{took:.2f} s")
            check_harmless(browser)
            check_sorting(browser, apart, not options.short)
            check_filters(browser, apart)
            check_keyboard(browser)
            check_names(browser)
            complaints = browser.complaints()
            check_widths(browser, sample, kept)
            complaints += browser.complaints()
            browser.size(1280, 900)
            browser.colours("light")
            browser.open(sample)
            browser.paper(os.path.join(kept, "sample.pdf"))
            check_lines(browser)
            complaints += browser.complaints()
            check("no error, no dialog, no request", not complaints, "; ".join(complaints))
    if failures:
        sys.exit(f"{len(failures)} checks failed")


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    main()
