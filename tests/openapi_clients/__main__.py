"""Generate clients from the OpenAPI description and compile them.

    python -m tests.openapi_clients [python] [typescript-fetch] [java] [go]

Needs Java for openapi-generator, and the network for it and the clients' own dependencies. Exits
non-zero if a client is incomplete or does not compile. Clients whose tools or dependencies are
missing are skipped and named.
"""

import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.processes import ROOT

GENERATOR = "openapi-generator-cli==7.26.0"
FILE = ROOT / "config" / "openapi" / "openapi.json"
BASE_URL = b"{base_url}"  # The placeholder of an installation's URL in the file.
ADDRESS = b"https://reviews.example.com"
# Names that the generator uses for conflicts and for schemas without a name.
FAULTS = ("COLLISION", "Inline schema created")

# Reads each example of the description into its class and writes it back.
PYTHON_CHECK = """
import importlib, json, pkgutil, sys
import openapi_client

def same(text):  # RFC 3339 has two ways to write UTC.
    return json.loads(text.replace("+00:00", "Z"))

for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(module.name)
for path, methods in json.load(open(sys.argv[1]))["paths"].items():
    media = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    for each in media.values():
        model = getattr(openapi_client, each["schema"]["$ref"].rpartition("/")[2])
        for example in each["examples"].values():
            written = model.from_dict(example["value"]).to_json()
            assert same(written) == same(json.dumps(example["value"])), path
"""

TSC = "npx --no-install tsc --noEmit --strict --target es2020 --lib es2020,dom,dom.iterable"
# Options of the generator, and the commands that fetch dependencies and compile.
CLIENTS: Mapping[str, tuple[Sequence[str], Sequence[str], Sequence[str]]] = {
    "python": (
        (),
        [".venv/bin/pip", "install", "--quiet", "-r", "requirements.txt"],
        [".venv/bin/python", "-c", PYTHON_CHECK, "../openapi.json"],
    ),
    "typescript-fetch": (
        (),
        "npm install --silent --no-audit --no-fund typescript@5.9.3".split(),
        f"{TSC} --moduleResolution node index.ts".split(),
    ),
    "java": (
        ["--additional-properties=library=native,openApiNullable=false"],
        "mvn --quiet --batch-mode dependency:resolve".split(),
        "mvn --quiet --batch-mode compile".split(),
    ),
    "go": (
        ["--additional-properties=withGoMod=true"],
        "go mod download".split(),
        "go build ./...".split(),
    ),
}


class Failed(Exception):
    """A command that failed, with its output."""


def main(names: list[str]) -> int:
    if unknown := set(names) - set(CLIENTS):
        print(f"Unknown: {', '.join(sorted(unknown))}. There are: {', '.join(CLIENTS)}.")
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "openapi.json").write_bytes(FILE.read_bytes().replace(BASE_URL, ADDRESS))
        venv.create(folder / "generator", with_pip=True)
        run(["generator/bin/pip", "install", "--quiet", GENERATOR], folder)
        results = [is_whole(each, folder) for each in names or CLIENTS]
    return 0 if all(results) else 1


def is_whole(name: str, folder: Path) -> bool:
    """Generate and compile a client. Count one that cannot be compiled here as complete."""
    client = folder / name
    options, fetch, compile_client = CLIENTS[name]
    command = ["generator/bin/openapi-generator-cli", "generate", "-i", "openapi.json"]
    try:
        printed = run([*command, "-g", name, "-o", name, *options], folder)
        if faults := [line for line in printed.splitlines() if any(map(line.count, FAULTS))]:
            raise Failed("\n".join(faults))
        if name == "python":
            venv.create(client / ".venv", with_pip=True)
        try:
            run(fetch, client)
        except (Failed, FileNotFoundError) as error:
            print(f"{name}: not compiled, for want of a tool or a dependency: {error}")
            return True
        run(compile_client, client)
    except Failed as error:
        print(f"{name}: FAILED\n{error}")
        return False
    print(f"{name}: generated and compiled")
    return True


def run(command: Sequence[str], folder: Path) -> str:
    """Return the output of a command, or raise `Failed` with it."""
    program = str(folder / command[0]) if "/" in command[0] else command[0]
    done = subprocess.run(
        [program, *command[1:]],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode:
        raise Failed(done.stdout)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
