"""The way in for people at a terminal: finds the command, imports its module alone, turns failures into sentences.

Nothing heavy is imported here, so that `sanya --help` costs little more than Python itself. Commands read their options
with argparse: Typer took 190 ms to import where argparse takes 10, which `sanya call` would pay on every use; Rich
draws tables and progress bars, and only on a terminal.

A command's module has `add_arguments(parser)` and `run(options) -> int`, where `options.home` is a path or None and
the number is the exit code: 0 done, 1 a fault, 2 wrong usage. It may have `EXAMPLES`, shown below its help.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing's own would be an import of 5 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("Serve MCP and HTTP on one address (default 127.0.0.1:8787).", "operations.serve"),
    "mcp": ("Serve MCP on stdin and stdout, for a client that starts Sanya itself.", "operations.mcp"),
    "call": ("Call one tool and print its answer as JSON.", "calls.call"),
    "tools": ("List the tools, or show the contract of one.", "calls.tools"),
    "tasks": ("Fill the tasks suite from your own files.", "tasks"),
    "funds": ("Import funds, and list, show, compare and chart them.", "funds.command"),
    "herbs": ("Show herbs, walk the graph from them, and check what speaks against them.", "herbs.command"),
    "eval": ("Measure search and answers of the herbs suite, and write a report.", "herbs.evaluation"),
    "papers": ("Bring in PubMed papers, find and show them, and name states of the corpus.", "papers.command"),
    "memory": ("Search, show, export, import and forget memories.", "memory"),
    "search": ("Show why a search answers as it does, or make an index anew.", "search"),
    "contracts": ("Export the contracts, or compare them with the lock.", "calls.contracts"),
    "audit": ("List, show and verify the record of all calls.", "calls.audit"),
    "replay": ("Run a past call again and say what changed since.", "calls.replay"),
    "parity": ("Make the same calls on every surface and compare the answers.", "calls.parity"),
    "doctor": ("Check a home and say what is wrong and what to do.", "operations.doctor"),
    "backup": ("Put all of a home into one file, while servers go on.", "operations.backup"),
    "restore": ("Make a home out of such a file.", "operations.restore"),
    "migrate": ("Move a home onto PostgreSQL, or back into a folder.", "operations.migrate"),
    "shadow": ("Compare a second engine with the one you have, call by call.", "operations.shadow"),
    "settings": ("Show every setting with its value and where it came from, or set one.", "operations.settings"),
    "connect": ("Write or print the configuration that connects an AI client.", "operations.connect"),
    "keys": ("Create, list and revoke bearer keys for the HTTP address.", "operations.keys"),
}

OK, FAULT, USAGE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
"""The exit codes; the last two are what a shell reports for the signals SIGINT and SIGPIPE."""


class UsageError(Exception):
    """The command line cannot be read; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    _speak_utf8()
    try:
        code = _dispatch(given)
        sys.stdout.flush()
        return code
    except UsageError as error:
        sys.stderr.write(f"sanya: {error}\n")
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return PIPE_CLOSED
    except OSError as error:
        # Only what is written here itself: a command's own failures are explained where it runs.
        _forget_stdout()
        sys.stderr.write(f"sanya: {error.strerror or error}\n")
        return FAULT


def _speak_utf8() -> None:
    """JSON is UTF-8 whatever the locale says, and a tick must not fail where the locale has none."""
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "encoding", "utf-8").lower() not in ("utf-8", "utf8") and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")


def _dispatch(given: list[str]) -> int:
    home, rest = take_home(given)
    if not rest or rest[0] in ("-h", "--help", "help"):
        return _help(home, rest[1:])
    if rest[0] in ("-V", "--version"):
        from sanya import __version__

        sys.stdout.write(f"sanya {__version__}\n")
        return OK
    if rest[0].startswith("-"):
        raise UsageError(f"there is no option {rest[0]}; put a command's options after the command, see `sanya --help`")
    if rest[0] not in COMMANDS:
        raise UsageError(_unknown(rest[0]))
    return _run(rest[0], rest[1:], home)


def take_home(given: list[str]) -> tuple[str | None, list[str]]:
    """`--home PATH` or `--home=PATH` from anywhere before a `--`, and the other words."""
    home: str | None = None
    rest: list[str] = []
    words = iter(given)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == "--home" or word.startswith("--home="):
            home = word.partition("=")[2] if "=" in word else next(words, "")
            if not home:
                raise UsageError("--home needs a folder, e.g. --home ~/sanya")
        else:
            rest.append(word)
    return home, rest


def _help(home: str | None, topic: list[str]) -> int:
    if topic and topic[0] in COMMANDS:
        return _run(topic[0], ["--help"], home)
    if topic:
        raise UsageError(_unknown(topic[0]))
    width = max(map(len, COMMANDS)) + 2
    commands = "".join(f"  {name:{width}}{help}\n" for name, (help, _) in COMMANDS.items())
    sys.stdout.write(
        "Usage: sanya [--home FOLDER] COMMAND …\n\n"
        "Five expert toolsets for any AI agent, behind one door that keeps its word.\n\n"
        f"Commands:\n{commands}\n"
        "Options:\n"
        "  --home FOLDER  Where the data and sanya.toml are; also after the command. Default: SANYA_HOME,\n"
        "                 else the platform's place for application data.\n"
        "  --version      Show the version.\n"
        "  --help         Show this, or the help of a command: sanya COMMAND --help\n\n"
        "Begin with:  sanya doctor   or   sanya call get_tasks '{\"limit\": 3}'\n"
    )
    return OK


def _unknown(word: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, COMMANDS, n=2, cutoff=0.5)
    hint = f"did you mean `sanya {'` or `sanya '.join(close)}`?" if close else "`sanya --help` lists them all"
    return f"there is no command {word!r}; {hint}"


def _run(name: str, words: list[str], home: str | None) -> int:
    from argparse import ArgumentParser, RawDescriptionHelpFormatter
    from importlib import import_module

    from sanya.surfaces.cli.failures import explained

    help, module_name = COMMANDS[name]
    module = import_module(f"sanya.surfaces.cli.{module_name}")
    parser: ArgumentParser = ArgumentParser(
        prog=f"sanya {name}",
        description=help,
        epilog=getattr(module, "EXAMPLES", None),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    options = parser.parse_args(words)
    options.home = home
    return explained(lambda: int(module.run(options)))


def _forget_stdout() -> None:
    """The reader went away: without this, Python would complain once more when it closes stdout."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


if __name__ == "__main__":
    sys.exit(main())
