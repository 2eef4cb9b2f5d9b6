"""What the tests of faults share: a command of which one call of the system fails, and how many runs and findings there were.

strace makes the n-th call of a kind fail as the system would (its option --inject), in an unchanged program. Set
PLIANT_FAULTS=long, as tests/faults/run --long does, to try every call instead of a sample.
"""
import collections
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "cli"))

from command import BINARY, Case, cloth  # noqa: E402

LONG = os.environ.get("PLIANT_FAULTS") == "long"
ERRORS = {"openat": "EACCES", "write": "ENOSPC", "writev": "ENOSPC", "pwrite64": "ENOSPC", "fsync": "EIO", "fdatasync": "EIO",
          "close": "EIO", "link": "EPERM", "rename": "EIO", "renameat": "EIO", "ftruncate": "EIO", "mkdir": "EACCES"}
CALL = re.compile(r"^(\d+ +)?(\w+)\(")

Fault = collections.namedtuple("Fault", "call nth line")


def few(items, count):
    """All items in the long form, else a sample that is the same in each run."""
    items = list(items)
    return items if LONG or len(items) <= count else sorted(random.Random(21).sample(items, count))


def strace(*options):
    return ["strace", "-f", "-qq", "-y", "-e", "signal=none", *options]


def usable():
    """Whether strace is there and may follow a program."""
    return bool(shutil.which("strace")) and subprocess.run(strace("true"), capture_output=True).returncode == 0


def environment():
    # A program that is followed cannot look for its own leaks.
    return os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


def run(words, prefix=(), **options):
    return subprocess.run([*prefix, BINARY, *map(str, words)], capture_output=True, text=True, timeout=300, env=environment(),
                          **options)


def calls_on(folder, words):
    """Calls of the command by which files of the folder are written, each as the n-th call of its kind."""
    log = folder.parent / "calls.log"
    result = run(words, strace("-o", log, "-e", "trace=" + ",".join(ERRORS)))
    assert result.returncode == 0, result.stderr
    counts, found = collections.Counter(), []
    for line in log.read_text(errors="replace").splitlines():
        match = CALL.match(line)
        if not match:
            continue
        counts[match[1], match[2]] += 1
        reads = match[2] == "openat" and "O_WRONLY" not in line and "O_RDWR" not in line
        says = re.search(r"\(\d+<(?!/)", line)  # To a pipe, whatever it says.
        if str(folder) in line and not reads and not says and "= -1" not in line:
            found.append(Fault(match[2], counts[match[1], match[2]], line[:160]))
    return found


def with_fault(fault, words, on=False):
    """With `on`, all calls of the kind from this one on fail."""
    inject = f"inject={fault.call}:error={ERRORS[fault.call]}:when={fault.nth}{'+' * on}"
    return run(words, strace("-o", "/dev/null", "-e", "trace=" + fault.call, "-e", inject))


def contents(folder):
    """Bytes of each file below the folder, by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


__all__ = ["BINARY", "Case", "Fault", "LONG", "calls_on", "cloth", "contents", "few", "run", "usable", "with_fault"]
