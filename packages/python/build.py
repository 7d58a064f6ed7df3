"""Usage: python3 build.py FOLDER. Builds the wheel, with the licence, from the standard library alone: no pip, no network."""

import base64
import hashlib
import pathlib
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).parent
# Zip archives begin in 1980; a fixed time makes the same wheel everywhere.
TIME = (1980, 1, 1, 0, 0, 0)


def files(project: dict, version: str) -> "list[tuple[str, bytes]]":
    info = f"docvet-{version}.dist-info"
    source = HERE / "src"
    modules = [path for path in sorted(source.rglob("*")) if path.is_file() and path.suffix in (".py", ".typed")]
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(),
    ]
    wheel = "Wheel-Version: 1.0\nGenerator: docvet\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return [
        *((path.relative_to(source).as_posix(), path.read_bytes()) for path in modules),
        (f"{info}/METADATA", "\n".join(metadata).encode()),
        (f"{info}/WHEEL", wheel.encode()),
        (f"{info}/licenses/LICENSE", (HERE / "../../LICENSE").read_bytes()),
    ]


def record(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def build(folder: pathlib.Path) -> pathlib.Path:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    first = (HERE / "src/docvet/__init__.py").read_text()
    version = first.split('__version__ = "')[1].split('"')[0]
    packed = files(project, version)
    name = f"docvet-{version}.dist-info/RECORD"
    packed.append((name, ("".join(record(*each) for each in packed) + f"{name},,\n").encode()))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"docvet-{version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in packed:
            archive.writestr(zipfile.ZipInfo(path, TIME), content, zipfile.ZIP_DEFLATED)
    return target


print(build(pathlib.Path(sys.argv[1])))
