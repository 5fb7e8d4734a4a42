"""`sanya serve`: serve MCP, HTTP and gRPC on one address, in one process or in several workers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.setting_options import add_setting_options, read_setting_options, report_unknown_variables

EXAMPLES = """examples:
  sanya serve
  sanya serve --port 9000 --time-zone Asia/Bangkok
  sanya serve --workers auto
  sanya serve --no-migrate"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--no-migrate",
        dest="migrate",
        action="store_const",
        const="false",
        help="Do not change the schema: refuse to start until `sanya upgrade` did.",
    )
    add_setting_options(parser)


def run(options: Namespace) -> int:
    from sanya.surfaces.serving.supervisor import count_workers, run_supervisor

    report_unknown_variables()
    overrides = read_setting_options(options)
    if (count := count_workers(options.home, overrides)) > 1:
        return run_supervisor(options.home, overrides, count)

    from sanya.surfaces.serving.home import prepare_process, serve_home  # here: a supervisor has no use for its memory

    prepare_process()
    run_in_home(options, serve_home, busy=True, **overrides)
    return OK
