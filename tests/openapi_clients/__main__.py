"""Generate clients from the OpenAPI description, and compile those that the machine has tools for.

    python -m tests.openapi_clients [orval] [oazapfts] [python] [typescript-fetch] [java] [go]

Needs npm for orval and oazapfts, Java for the generator of the others, and the network for
generators and the clients' own dependencies.
Ends non-zero when a client is not whole or does not compile. A client whose tools or dependencies
are missing is left out, and named.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.processes import ROOT

GENERATOR = "openapi-generator-cli==7.26.0"
TYPESCRIPT = "typescript@5.9.3"
# Generators from npm: their packages, and the command that writes `index.ts`.
NPM: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "orval": (
        ["orval@8.38.0"],
        ["--client", "fetch", "--input", "openapi.json", "--output", "index.ts"],
    ),
    "oazapfts": (["oazapfts@7.5.0", "@oazapfts/runtime@1.2.0"], ["openapi.json", "index.ts"]),
}
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "java": ("--additional-properties=library=native,openApiNullable=false",),
    "go": ("--additional-properties=withGoMod=true",),
}
STYLE = re.compile(r"\x1b\[[0-9;]*m")
FILE = ROOT / "config" / "openapi" / "openapi.json"
BASE_URL = b"{base_url}"  # The place of an installation's address in the file.
ADDRESS = b"https://reviews.example.com"

# Reads each example of the description into its class and writes it again.
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


class LeftOut(Exception):
    """A tool or a dependency that this machine does not have."""


class Failed(Exception):
    """A client that is not whole or does not compile."""


def main(names: list[str]) -> int:
    known = [*NPM, *COMPILERS]
    if unknown := set(names) - set(known):
        print(f"Unknown: {', '.join(sorted(unknown))}. There are: {', '.join(known)}.")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        return generate_and_compile(Path(folder), names or known)


def generate_and_compile(folder: Path, names: list[str]) -> int:
    description = folder / "openapi.json"
    description.write_bytes(FILE.read_bytes().replace(BASE_URL, ADDRESS))
    failures = 0
    for name in names:
        client = folder / name
        try:
            if name in NPM:
                generate_from_npm(name, description, client)
            else:
                generate(install_generator(folder / "generator"), description, name, client)
                COMPILERS[name](client, description)
        except LeftOut as reason:
            print(f"{name}: left out: {reason}")
        except Failed as error:
            failures += 1
            print(f"{name}: FAILED\n{error}")
        else:
            print(f"{name}: generated and compiled")
    return 1 if failures else 0


def generate_from_npm(name: str, description: Path, client: Path) -> None:
    client.mkdir()
    shutil.copy(description, client)
    packages, arguments = NPM[name]
    programs = install_from_npm(client, TYPESCRIPT, *packages)
    run([programs / name, *arguments], client)
    compile_strictly(programs, client, "--module", "esnext", "--moduleResolution", "bundler")


def install_from_npm(folder: Path, *packages: str) -> Path:
    """The folder of the programs of these packages."""
    needed("npm")
    (folder / "package.json").write_text(json.dumps({"private": True}))
    fetch(["npm", "install", "--silent", "--no-audit", "--no-fund", *packages], folder)
    return folder / "node_modules" / ".bin"


def compile_strictly(programs: Path, client: Path, *options: str) -> None:
    target = ["--target", "es2020", "--lib", "es2020,dom,dom.iterable"]
    run([programs / "tsc", "--noEmit", "--strict", *target, *options, "index.ts"], client)


@cache
def install_generator(folder: Path) -> Path:
    needed("java")
    venv.create(folder, with_pip=True)
    fetch([folder / "bin" / "pip", "install", "--quiet", GENERATOR], folder)
    return folder / "bin" / "openapi-generator-cli"


def generate(generator: Path, description: Path, name: str, client: Path) -> None:
    command = [generator, "generate", "-i", description, "-g", name, "-o", client]
    printed = run([*command, *OPTIONS.get(name, ())], description.parent)
    collisions = [line for line in printed.splitlines() if "COLLISION" in line]
    if collisions:
        raise Failed("\n".join(collisions))
    unnamed = [line for line in printed.splitlines() if "Inline schema created" in line]
    if unnamed:
        raise Failed("\n".join(unnamed))


def compile_python(client: Path, description: Path) -> None:
    environment = client / "environment"
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    fetch([python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt"], client)
    run([python, "-c", PYTHON_CHECK, description], client)


def compile_typescript(client: Path, description: Path) -> None:
    tools = client / "tools"
    tools.mkdir()
    compile_strictly(install_from_npm(tools, TYPESCRIPT), client, "--moduleResolution", "node")


def compile_java(client: Path, description: Path) -> None:
    needed("mvn")
    fetch(["mvn", "--quiet", "--batch-mode", "dependency:resolve"], client)
    run(["mvn", "--quiet", "--batch-mode", "compile"], client)


def compile_go(client: Path, description: Path) -> None:
    needed("go")
    fetch(["go", "mod", "download"], client)
    run(["go", "build", "./..."], client)


COMPILERS: Mapping[str, Callable[[Path, Path], None]] = {
    "python": compile_python,
    "typescript-fetch": compile_typescript,
    "java": compile_java,
    "go": compile_go,
}


def needed(program: str) -> None:
    if shutil.which(program) is None:
        raise LeftOut(f"{program} is not installed")


def fetch(command: list[str | Path], folder: Path) -> None:
    """Run a command that fails where a dependency is missing."""
    try:
        run(command, folder)
    except Failed as error:
        lines = [line for line in STYLE.sub("", str(error)).splitlines() if line.strip()]
        reason = lines[0] if lines else "no output"
        raise LeftOut(f"a dependency could not be fetched ({reason})") from error


def run(command: list[str | Path], folder: Path) -> str:
    """The output of a command; raises `Failed` with it when the command fails."""
    done = subprocess.run(
        list(map(str, command)),
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
