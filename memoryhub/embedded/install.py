"""Creates .venv and installs a lock file into it, when that has not been done: what `make setup` runs, with any Python 3.11+.

Only the standard library is there. A lock is installed again only when its content has changed, or the venv's Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
MINIMUM_FREE_MB = 1500


def main(name: str) -> int:
    """Install requirements/<name>.lock ("base" or "dev"); 1, after one line that says what to do, when that fails."""
    lock = ROOT / "requirements" / f"{name}.lock"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    # dev.lock holds everything that base.lock pins, in the same versions.
    stamps = {"base": ("base",), "dev": ("dev", "base")}[name]
    try:
        if _is_current(name, wanted):
            return 0
        _make_venv()
        status = _install(lock, name)
        if status == 0:
            _note_project()
            for stamp in stamps:
                content = (ROOT / "requirements" / f"{stamp}.lock").read_bytes()
                (VENV / f".memoryhub-{stamp}").write_text(
                    hashlib.sha256(content).hexdigest(), encoding="ascii"
                )
        return status
    except OSError as error:
        return _fail(
            f"Cannot write {VENV}: {error.strerror or error}. Free some space, or make the folder writable."
        )


def _python() -> Path:
    return VENV / "bin" / "python"


def _works(*arguments: str) -> bool:
    """Whether the venv's Python starts: not when the one it was made from is gone, or another user's."""
    try:
        return subprocess.run([str(_python()), *arguments], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def _is_current(name: str, wanted: str) -> bool:
    stamp = VENV / f".memoryhub-{name}"
    return stamp.is_file() and stamp.read_text(encoding="ascii").strip() == wanted and _works("-c", "")


def _make_venv() -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    if (VENV / "lib" / f"python{version}").is_dir() and _works("-m", "pip", "--version"):
        return
    free = shutil.disk_usage(ROOT).free // 1_000_000
    if free < MINIMUM_FREE_MB:
        raise OSError(0, f"only {free} MB are free on the disk, {MINIMUM_FREE_MB} MB are needed")
    print(f"Creating .venv with Python {version} ...", flush=True)
    venv.EnvBuilder(clear=VENV.exists(), with_pip=True, symlinks=True).create(VENV)


def _install(lock: Path, name: str) -> int:
    """Run pip, showing how far it is; its output only when it fails."""
    total = sum(
        1 for line in lock.read_text(encoding="utf-8").splitlines() if "==" in line and line[0] not in " #"
    )
    print(f"Installing about {total} pinned packages ({name}.lock) ...", flush=True)
    started = time.monotonic()
    command = [
        str(_python()),
        "-m",
        "pip",
        "install",
        "--require-hashes",
        "--no-deps",
        "--disable-pip-version-check",
    ]
    command += ["--no-input", "--progress-bar", "off", "-r", str(lock)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    output: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as pip:
        assert pip.stdout is not None
        seen = 0
        for line in pip.stdout:
            output.append(line)
            if line.startswith(("Collecting ", "Requirement already satisfied")):
                seen += 1
                if seen % 20 == 0:
                    print(f"  {seen} of {total} fetched, {time.monotonic() - started:.0f} s", flush=True)
            elif line.startswith("Installing collected"):
                print("  unpacking ...", flush=True)
    if pip.returncode == 0:
        print(f"Installed in {time.monotonic() - started:.0f} s.", flush=True)
        return 0
    sys.stderr.writelines(output[-15:])
    return _fail(_advice("".join(output)))


def _advice(output: str) -> str:
    if "No space left" in output:
        return "The disk is full: free about 1.5 GB, then run make again."
    if "DO NOT MATCH THE HASHES" in output:
        return "A downloaded package is not the pinned one: clear pip's cache (pip cache purge) or look at your package index."
    if "No matching distribution" in output:
        return "A pinned package has no build for this Python or machine: use Python 3.11, 3.12 or 3.13 (make up PYTHON=python3.13)."
    if any(
        sign in output for sign in ("Connection", "connection", "timed out", "resolve", "Temporary failure")
    ):
        return (
            "The package index cannot be reached: check the network (or PIP_INDEX_URL), then run make again."
        )
    return "pip could not install the packages; the lines above say why. Then run make again."


def _note_project() -> None:
    """Put the project on the venv's path, so that its tools (pytest, celery, mypy) find it from any folder."""
    site = subprocess.run(
        [str(_python()), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (Path(site) / "memoryhub-project.pth").write_text(f"{ROOT}\n", encoding="utf-8")


def _fail(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "base"))
