"""The verbs together, and what happens when one of them meets a mistake of the user."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from cyclopts import App, CycloptsError

from wheelwork import __version__
from wheelwork.problems import ModelError, Problem

from . import (
    BAD_INPUT,
    GOOD,
    INTERRUPTED,
    check,
    demo,
    equations,
    gears,
    info,
    modes,
    plot,
    ratios,
    repository,
    response,
    run,
    schema,
    sweep,
    validate,
    view,
)
from .show import console, error_console, show_problems, show_warning


def new_app(name: str, words: str | None = None) -> App:
    """A command line of ours without any verb yet."""
    return App(
        name=name,
        help=words,
        help_epilogue="Exit codes: 0 good, 1 the analysis failed or stopped early, 2 bad input.",
        help_format="markdown",
        version=_version,
        version_flags=["--version"],
        console=console(),
        error_console=error_console(),
    )


def make_app() -> App:
    """The command line `wheelwork` as cyclopts sees it."""
    app = new_app(
        "wheelwork",
        "Dynamics of machines with gears: describe a mechanism once, check it, run it, look at it.",
    )
    for verb in (
        demo.demo,
        check.check,
        info.info,
        ratios.ratios,
        gears.gears,
        run.run,
        plot.plot,
        view.view,
        modes.modes,
        response.response,
        sweep.sweep,
        equations.equations,
        validate.validate,
        schema.schema,
    ):
        app.command(verb)
    for verb in (repository.bench, repository.robustness):
        app.command(verb, show=False, help_flags=[])
    return app


def run_app(arguments: list[str], make: Callable[[], App] = make_app) -> int:
    """One command, from arguments to exit code."""
    with warnings.catch_warnings(), _terminating():
        warnings.showwarning = show_warning
        try:
            code = make()(arguments, exit_on_error=False, result_action="return_value")
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


@contextmanager
def _terminating() -> Iterator[None]:
    """A request to terminate (SIGTERM) does what Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
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
        return ModelError([Problem(f"{what[0].lower()}{what[1:]}", where=str(error.filename or ""))])
    if type(error).__name__ == "ResultFileError":
        return ModelError(str(error))
    if type(error).__name__ in ("CompilerMissing", "CompilationFailed"):
        return ModelError([Problem(str(error), hint="CXX in the environment names a compiler of your own")])
    if isinstance(error, ImportError) and "pip install" in str(error):
        return ModelError(str(error))
    return None


def _version() -> str:
    return __version__
