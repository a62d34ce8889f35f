"""The verbs together, and what happens when one of them meets a mistake of the user."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from cyclopts import App, CycloptsError, Parameter

from wheelwork import __version__
from wheelwork.engine.watch import raise_interrupt
from wheelwork.lazy import resource
from wheelwork.problems import ModelError

from . import BAD_INPUT, GOOD, INTERRUPTED
from .show import console, error_console, show_problems, show_warning

VERBS = {
    "demo": "Run a bundled example, a planetary gearbox that drives a drum, and write its result and its report.",
    "check": "Read, validate and assemble a model; report bodies, joints, degrees of freedom, redundant constraints, misfit.",  # noqa: E501
    "info": "List parameters with their values, and signals with units and meaning.",
    "help": "Print the data sheet of a joint, mesh, force, law or analysis: fields with units, equations, source.",
    "ratios": "Gear trains: graph, carriers, degrees of freedom, ratios, speeds, torques, power flow, efficiency.",
    "gears": "Data sheets of gear pairs: circles, contact ratio, line of action, backlash, interference, stiffness.",
    "run": "Run the model's `analysis` section (or a simulation until `--end`); write its result and a report.",
    "plot": "Draw signals of a result over time, measures of a study, or one of the ready-made figures.",
    "view": "Look at a mechanism in the browser: before a run with all names, after it in motion; or write it to a file.",  # noqa: E501
    "modes": "Natural frequencies, damping, mode shapes and where their energy is; with `--campbell` over a speed.",
    "response": "Linear frequency response of signals to a harmonic input, about an operating point.",
    "stability": "Whether small motions about a steady or periodic motion grow; with `--parameter` a chart of zones.",
    "sweep": "Steady vibration over a speed or frequency, each value starting where the last one ended.",
    "study": "Run many variants of a model, as its section `study` says, and measure each.",
    "convert": "Read a model or a robot in one format and write it in another; what cannot be converted is listed.",
    "fmu": "Write a model as a functional mock-up unit (FMI 2.0 or 3.0) for co-simulation and model exchange.",
    "equations": "Print the mechanism's equations: what each constraint does, its Phi, Phi_q, nu and gamma, and the motion's.",  # noqa: E501
    "validate": "Run published cases in every formulation and mesh model that can express them; compare with the sources.",  # noqa: E501
    "schema": "Print the JSON Schema of model files, for editors that complete and check YAML.",
}
"""What can be done: each is the function in the file of its name, loaded when it is chosen. The words are the first
line of its docstring, so that the list of all of them loads none."""


ENOUGH = 1e9
"""Bytes of address space."""


def new_app(name: str, words: str | None = None) -> App:
    """A command line of ours without any verb yet."""
    return App(
        name=name,
        help=words,
        help_epilogue="Exit codes: 0 good, 1 the analysis failed or stopped early, 2 bad input.",
        help_format="markdown",
        version=lambda: __version__,
        version_flags=["--version"],
        console=console(),
        error_console=error_console(),
        # a tick is given or not, and a default is shown where there is one
        default_parameter=Parameter(
            negative=(), show_default=lambda default: str(default) if default else None
        ),
    )


def make_app(chosen: str = "") -> App:
    """The command line `wheelwork` as cyclopts sees it; the chosen verb has all of its own words."""
    app = new_app(
        "wheelwork",
        "Dynamics of machines with gears: describe a mechanism once, check it, run it, look at it.",
    )
    for verb, line in VERBS.items():
        app.command(f"wheelwork.cli.{verb}:{verb}", name=verb, help=None if verb == chosen else line)
    return app


def run_app(arguments: list[str], make: Callable[[], App] | None = None) -> int:
    """One command, from arguments to exit code; `make`: another command line than `wheelwork`."""
    with warnings.catch_warnings(), _terminating():
        warnings.showwarning = show_warning
        _note_little_memory()
        try:
            app = make_app(*arguments[:1]) if make is None else make()
            code = app(arguments, exit_on_error=False, result_action="return_value")
            sys.stdout.flush()  # here, where errors are reported
        except CycloptsError:  # cyclopts has said what is wrong
            return BAD_INPUT
        except KeyboardInterrupt:
            error_console().print("interrupted")
            return INTERRUPTED
        except BrokenPipeError:  # the reader of our output has had enough
            _output_lost()
            return GOOD
        except Exception as error:
            problems = _mistakes(error)
            if problems is None:
                raise
            # what fails without a file to its name is the printing itself
            lost = _output_lost() or (isinstance(error, OSError) and error.filename is None)
            with suppress(OSError):  # nor can it be said that nothing can be said
                show_problems(problems, as_json="--json" in arguments and not lost)
            return BAD_INPUT
    return code if isinstance(code, int) else GOOD


def _note_little_memory() -> None:
    """Libraries that get too little while they are loaded wait for ever or abort, where nothing can be said."""
    limit = -1
    with suppress(ImportError):  # on Windows
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= limit < ENOUGH:
        text = f"memory is limited to {limit / 1e9:.2g} GB (`ulimit -v`): with less than {ENOUGH / 1e9:g} GB libraries "
        error_console().print(f"note: {text}may hang or abort", markup=False)


@contextmanager
def _terminating() -> Iterator[None]:
    """A request to terminate (SIGTERM) does what Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    before = signal.signal(signal.SIGTERM, raise_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _output_lost() -> bool:
    """Whether standard output takes no more; what it did not take is then not tried again when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _mistakes(error: Exception) -> ModelError | None:
    """What the user did wrong; None if it is our fault. The model layer loads here, when it is needed anyway."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return ModelError(f"{what[0].lower()}{what[1:]}", where=str(error.filename or ""))
    if type(error).__name__ == "ResultFileError":
        return ModelError(str(error))
    if type(error).__name__ in ("CompilerMissing", "CompilationFailed"):
        return ModelError(str(error), hint="CXX in the environment names a compiler of your own")
    if isinstance(error, MemoryError) or "failed to map segment" in str(
        error
    ):  # of a library, as `ulimit -v` has it
        return ModelError(
            str(error) if isinstance(error, MemoryError) and str(error) else "there is not enough memory"
        )
    if isinstance(error, ImportError) and "pip install" in str(error):
        return ModelError(str(error))
    return None
