"""Entry point of the `sanya` program: find the command, import its module alone, run it, return the exit code.

This module imports nothing heavy, so `sanya --help` costs little more than Python itself. Commands parse their options
with argparse: Typer takes 190 ms to import, argparse 10 ms, and every `sanya call` would pay the difference. Rich draws
tables and progress bars, and only on a terminal.

The module of a command defines `add_arguments(parser)` and `run(options) -> int`. `options.home` is a path or None. The
result is the exit code: 0 for success, 1 for a fault, 2 for wrong usage. An optional `EXAMPLES` follows the help text.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from sanya.suites.registry import BUILT_IN

TYPE_CHECKING = False  # importing it from typing would take 5 ms
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("Serve MCP and HTTP on one address (default 127.0.0.1:8787).", "operations.serve"),
    "mcp": ("Serve MCP on stdin and stdout, for a client that starts Sanya itself.", "operations.mcp"),
    "call": ("Call one tool and print its answer as JSON.", "calls.call"),
    "tools": ("List the tools, or show the contract of one.", "calls.tools"),
    "tasks": BUILT_IN["tasks"].command,
    "funds": BUILT_IN["funds"].command,
    "herbs": BUILT_IN["herbs"].command,
    "eval": ("Measure the search and the answers of the herbs suite, and write a report.", "herbs.evaluation"),
    "papers": BUILT_IN["papers"].command,
    "memory": BUILT_IN["memory"].command,
    "suites": ("List the suites with their versions and state, and disable or enable one.", "operations.suites"),
    "suite": ("Write a new suite of your own, publish its contracts, and check it.", "suite"),
    "search": ("Explain how a query is ranked, or rebuild a search index.", "search"),
    "models": ("List, install, check and compare the models that search by meaning.", "operations.models"),
    "contracts": ("Export the contracts, or compare them with the lock.", "calls.contracts"),
    "audit": ("List, show and verify the rows of the ledger.", "calls.audit"),
    "replay": ("Run a past call again and report what changed since.", "calls.replay"),
    "parity": ("Make the same calls on every surface and compare the answers.", "calls.parity"),
    "doctor": ("Check a home, report problems and how to fix them.", "operations.doctor"),
    "backup": ("Copy a whole home into one file while servers run.", "operations.backup"),
    "restore": ("Create a home from a backup file.", "operations.restore"),
    "upgrade": ("Bring a home to the schema of this version, or tell what that would do.", "operations.upgrade"),
    "migrate": ("Copy a home to PostgreSQL, or back into a folder.", "operations.migrate"),
    "shadow": ("Compare a second engine with the current one, call by call.", "operations.shadow"),
    "settings": ("Show every setting with its value and where it came from, or set one.", "operations.settings"),
    "connect": ("Write or print the configuration that connects an AI client.", "operations.connect"),
    "keys": ("Create, list and revoke bearer keys for the HTTP address.", "operations.keys"),
}

OK, FAULT, USAGE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
"""Exit codes. The last two are the codes that a shell reports for the signals SIGINT and SIGPIPE."""


class UsageError(Exception):
    """A command line that cannot be parsed. The message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Looking for plugins of pydantic takes 15 ms of every command. Sanya needs none; a set variable is left as it is.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _switch_to_utf8()
    try:
        code = _dispatch(given)
        sys.stdout.flush()
        return code
    except UsageError as error:
        _write_error(str(error))
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
        return PIPE_CLOSED
    except OSError as error:
        # Only failures of our own writes arrive here: `run_and_explain` handles the failures of a command.
        _discard_stdout()
        _write_error(error.strerror or str(error))
        return FAULT


def _write_error(message: str) -> None:
    from sanya.surfaces.cli.output.terminal import write_note

    write_note(f"sanya: {message}")


def _switch_to_utf8() -> None:
    """Write UTF-8 whatever the locale says: JSON requires it, and a tick must not fail in an ASCII locale."""
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "encoding", "utf-8").lower() not in ("utf-8", "utf8") and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")


def _dispatch(given: list[str]) -> int:
    home, rest = take_home(given)
    if not rest or rest[0] in ("-h", "--help", "help"):
        return _print_help(home, rest[1:])
    if rest[0] in ("-V", "--version"):
        from sanya.build_version import describe_version

        sys.stdout.write(f"sanya {describe_version()}\n")
        return OK
    if rest[0].startswith("-"):
        raise UsageError(f"unknown option {rest[0]}; put the options of a command after the command (`sanya --help`)")
    if rest[0] not in COMMANDS and not _is_guest(rest[0]):
        raise UsageError(_describe_unknown_command(rest[0]))
    return _run(rest[0], rest[1:], home)


def _is_guest(name: str) -> bool:
    """Return whether an installed package declares a suite of this name: it has a command without saying so."""
    from sanya.assembly.guest_entries import find_guest_entries

    return any(entry.name == name for entry in find_guest_entries())


def take_home(given: list[str]) -> tuple[str | None, list[str]]:
    """Split `--home PATH` or `--home=PATH`, anywhere before a `--`, from the other arguments."""
    home: str | None = None
    rest: list[str] = []
    arguments = iter(given)
    for argument in arguments:
        if argument == "--":
            rest += [argument, *arguments]
        elif argument == "--home" or argument.startswith("--home="):
            home = argument.partition("=")[2] if "=" in argument else next(arguments, "")
            if not home:
                raise UsageError("--home needs a folder, e.g. --home ~/sanya")
        else:
            rest.append(argument)
    return home, rest


def _print_help(home: str | None, topic: list[str]) -> int:
    if topic and topic[0] in COMMANDS:
        return _run(topic[0], ["--help"], home)
    if topic:
        raise UsageError(_describe_unknown_command(topic[0]))
    width = max(map(len, COMMANDS)) + 2
    commands = "".join(f"  {name:{width}}{help}\n" for name, (help, _) in COMMANDS.items())
    sys.stdout.write(
        "Usage: sanya [--home FOLDER] COMMAND …\n\n"
        "Five suites of tools for AI agents, served over MCP, HTTP, GraphQL, gRPC and this command line.\n\n"
        f"Commands:\n{commands}\n"
        "Options:\n"
        "  --home FOLDER  Folder of the data and sanya.toml; also accepted after the command. Default: SANYA_HOME,\n"
        "                 else the platform's folder for application data.\n"
        "  --version      Show the version.\n"
        "  --help         Show this help, or the help of a command: sanya COMMAND --help\n\n"
        "Start with:  sanya doctor   or   sanya call get_tasks '{\"limit\": 3}'\n"
    )
    return OK


def _describe_unknown_command(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=2, cutoff=0.5)
    hint = f"did you mean `sanya {'` or `sanya '.join(close)}`?" if close else "`sanya --help` lists all commands"
    return f"unknown command {name!r}; {hint}"


def _run(name: str, arguments: list[str], home: str | None) -> int:
    # What a command imports and reads stays, so to search it for garbage after every 700 new objects takes a tenth of
    # its time, and one search of the 180,000 objects of `herbs ask` a twentieth. Servers set a limit of their own.
    gc.set_threshold(500_000, 20, 20)
    # To search it once more as the interpreter ends took a fifth of `herbs ask`; the system takes the memory back.
    atexit.register(gc.freeze)
    from argparse import RawDescriptionHelpFormatter
    from importlib import import_module

    from sanya.surfaces.cli.command_parser import CommandParser
    from sanya.surfaces.cli.failures import run_and_explain

    help, module_name = COMMANDS.get(name, (f"Tools of the suite {name}.", "guest"))
    module = import_module(f"sanya.surfaces.cli.{module_name}")
    parser = CommandParser(
        prog=f"sanya {name}",
        description=help,
        epilog=getattr(module, "EXAMPLES", None),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    options = parser.parse_args(arguments)
    options.home, options.guest_suite = home, name
    return run_and_explain(lambda: int(module.run(options)))


def _discard_stdout() -> None:
    """Point stdout at the null device: after a broken pipe, Python would report the error again on exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


if __name__ == "__main__":
    sys.exit(main())
