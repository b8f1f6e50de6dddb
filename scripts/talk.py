"""Programs that answer lines with lines: engines that others play with."""

import csv
import io
import re
import subprocess


class Talk:
    """A program, and what is said to it and by it."""

    def __init__(self, *command, folder=None):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, bufsize=1, cwd=folder
        )

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines(self):
        """What it says from now on, without ends of lines."""
        for line in self.process.stdout:
            yield line.rstrip("\n")
        raise SystemExit(f"{self.process.args[0]} has ended")

    def until(self, word):
        return next(line for line in self.lines() if line.startswith(word))

    def gtp(self, command):
        """The sign and the text of an answer in GTP."""
        self.say(command)
        found = []
        for line in self.lines():
            if line.strip():
                found.append(line.strip())
            elif found:
                text = "\n".join(found)
                return text[0], re.sub(r"^[=?]\d*\s*", "", text)

    def uci(self, **options):
        """Begins to talk UCI; options have two underscores for a blank."""
        self.say("uci")
        self.until("uciok")
        for name, value in options.items():
            self.say(f"setoption name {name.replace('__', ' ')} value {value}")
        self.say("isready")
        self.until("readyok")

    def position(self, moves):
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def best(self, moves, nodes):
        """The move that it makes after others over UCI."""
        self.position(moves)
        self.say(f"go nodes {nodes}")
        return self.until("bestmove").split()[1]

    def end(self, word):
        """Its exit status once this is said."""
        self.say(word)
        self.process.stdin.close()
        return self.process.wait(10)


def row(kifu, text, *arguments, folder=None):
    """The row of the only record of a text."""
    command = [kifu, "label", "-", "-q", "-j", "1", *arguments]
    said = subprocess.run(
        command, input=text, capture_output=True, text=True, check=True, cwd=folder
    )
    return next(csv.DictReader(io.StringIO(said.stdout)))


def xiangqi_row(kifu, moves, *arguments, folder=None):
    """The row of a game of xiangqi as UCI writes its moves."""
    text = "position startpos moves " + " ".join(moves) + "\n"
    return row(kifu, text, "--input-format", "fen", *arguments, folder=folder)
