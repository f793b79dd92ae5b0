"""The command `reviewstead`: the demo, an installation, and its management.

    reviewstead [--port N]        run the demo: an invented business with its reviews
    reviewstead up [--port N]     run your installation, empty at first
    reviewstead manage COMMAND    manage.py on your installation; `manage help` lists the commands

STATE_DIR holds the data, and the settings in its file `.env`. It is by default the folder
`reviewstead` in ~/.local/share (XDG_DATA_HOME), or `reviewstead/demo` of the demo.
"""

import importlib
import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# In the wheel, the packages of the service are below `service`, since their common names must not
# be importable by other projects. In a checkout, they are beside this package.
SERVICE = PACKAGE / "service" if (PACKAGE / "service").is_dir() else PACKAGE.parent
# macOS reads this variable when a process starts. Without it, macOS kills forked processes.
FORK_SAFETY = "OBJC_DISABLE_INITIALIZE_FORK_SAFETY"


def main() -> None:
    command, *rest = sys.argv[1:] or ["demo"]
    if command in {"-h", "--help", "help"}:
        sys.stdout.write(f"{__doc__}")
        return
    if command.startswith("-"):
        command, rest = "demo", sys.argv[1:]
    if command not in {"demo", "up", "manage"}:
        sys.exit(f"There is no command {command!r}. `reviewstead --help` lists those there are.")
    if sys.platform == "darwin" and FORK_SAFETY not in os.environ:
        os.environ[FORK_SAFETY] = "YES"
        os.execv(sys.executable, [sys.executable, "-m", "reviewstead", *sys.argv[1:]])  # noqa: S606
    use_folder(data_folder(command))
    management = {"demo": ["up"], "up": ["up", "--no-demo"], "manage": []}[command]
    sys.argv = ["reviewstead manage", *management, *rest]
    sys.path.insert(0, str(SERVICE))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    importlib.import_module("manage").main()


def data_folder(command: str) -> Path:
    """Return `STATE_DIR`, or its default below the data folder of the user."""
    if given := os.environ.get("STATE_DIR", "").strip():
        return Path(given).absolute()
    share = os.environ.get("XDG_DATA_HOME", "").strip() or Path.home() / ".local" / "share"
    folder = Path(share, "reviewstead")
    return folder / "demo" if command == "demo" else folder


def use_folder(folder: Path) -> None:
    """Use `folder` for data, settings and relative paths."""
    os.environ["STATE_DIR"] = os.environ["BASE_DIR"] = str(folder)


if __name__ == "__main__":
    main()
