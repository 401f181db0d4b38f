"""A folder in which every file wants something: to run, to reach out, to be loaded for ever, to speak to the terminal.

`hostile_folder(base)` writes the agent to `base/agent`, what its links lead to into `base/outside`, and leaves an empty
`base/fired`, into which every payload writes. `canaries(base)` tells what got through.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

__all__ = ["AGENT", "SECRET", "canaries", "hostile_folder"]

AGENT = "agent"
SECRET = "the-secret-behind-the-link"
"""Stands only in files outside of the agent's folder."""

SPARSE = 200 * 1024 * 1024
DEPTH = 10_000

ESC, BEL, CSI, ST = "\x1b", "\x07", "\x9b", "\x9c"
SPEAKS = f"{ESC}[2J{ESC}[31mred{ESC}]8;;http://example.invalid{BEL}link{ESC}]8;;{BEL}{ESC}]52;c;c3RvbGVu{BEL}{CSI}5m{ST}\x08\x7f"
"""Clears the screen, colours, links, writes the clipboard; in seven bits and in eight."""
MARKUP = "[@click=app.quit]quit[/] [link=file:///etc/passwd]x[/link] [red on blue]r[/] [/] [[ ]"
UNSEEN = "pay\u202eyap\u2066\u200b\u200d\ufeff\u2028\u00ad\U000e0041\u061c"
COMMAND = "::error file=agent.yml,line=1::run by the build"


def hostile_folder(base: Path) -> Path:
    """Write all of it; the agent's folder. `base` must exist and be empty."""
    root, fired = base / AGENT, base / "fired"
    fired.mkdir()
    for path, text in {**_sound(), **_yaml(fired), **_words(), **_code(fired), **_endless()}.items():
        _put(root / path, text.encode("utf-8", "surrogatepass"))
    _bytes(root)
    _names(root, fired)
    _links(root, base / "outside")
    _devices(root)
    (base / "before.json").write_text(json.dumps(_state(root)))
    return root


def canaries(base: Path) -> list[str]:
    """What fired: payloads that ran, and changes in the agent's folder; empty when all is well."""
    ran = [f"ran: {file.name}" for file in sorted((base / "fired").iterdir())]
    before, after = json.loads((base / "before.json").read_text()), _state(base / AGENT)
    changed = sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))
    return ran + [f"changed: {path}" for path in changed]


def _put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _state(root: Path) -> dict[str, list[int]]:
    """Every path under the root, itself included, with what a write would change."""
    found = {}
    for folder, directories, files in os.walk(root):
        for name in [".", *directories, *files]:
            status = os.lstat(os.path.join(folder, name))
            path = ascii(os.path.relpath(os.path.join(folder, name), root))
            found[path] = [status.st_mtime_ns, status.st_size, status.st_mode, status.st_ino]
    return found


def _skill(name: str, front: str = "", body: str = "Help the customer.") -> str:
    return f"---\nname: {name}\ndescription: Does {name}.\n{front}---\n{body}\n"


def _sound() -> dict[str, str]:
    """An agent in order, with one skill whose tool must still show, whatever lies beside it."""
    return {
        "agent.yml": "agent:\n  id: hostile\n  persona: You are kind.\norchestrator:\n  model_group: main\n",
        "integrations.yml": "model_groups:\n- id: main\n  models:\n  - provider: openai\n    model: gpt-4.1\n"
        "mcp_servers:\n- name: lure\n  url: http://127.0.0.1:9/mcp\n",
        "skills/sound/skill.md": _skill(
            "sound",
            "import_tools:\n- mcp/lure:bait\ntool_constraints:\n- safe_tool:\n    requires: session.sound.ready\n",
        ),
        "skills/sound/memory.yml": "schema:\n  public:\n    ready:\n      type: bool\n",
        "skills/sound/tools.py": "from rasa.mantle.tools.decorator import ToolContext, tool\n\n\n"
        '@tool(description="Is safe.")\nasync def safe_tool(context: ToolContext):\n    return None\n',
    }


# --- YAML that runs, or never ends -----------------------------------------------------------------------------------


def _yaml(fired: Path) -> dict[str, str]:
    def touch(name: str) -> str:
        return f'!!python/object/apply:os.system ["touch {fired / name}"]'

    bomb = "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9) if n else '1, 1, 1'}]\n" for n in range(12))
    oddities = (
        "when: 2020-99-99\nlater: !!timestamp never\nnumber: !!int many\nfloat: !!float ' '\nbytes: !!binary '*'\n"
        "minutes: 190:20:30\nset: !!set {a, b}\npairs: !!pairs [a]\nomap: !!omap {a: b}\nnull: !!null x\n<<: 5\n"
        f"? [a, b]\n: list\n? {{a: b}}\n: map\nself: &self [*self]\nhuge: {'9' * 100_000}\n__class__: x\n"
    )
    return {
        "memory.yml": f"known:\n  type: {touch('project-memory')}\nother: !!python/name:os.system\n",
        "responses.yml": f"responses:\n  utter_a:\n  - text: {touch('responses')}\n",
        "skills/yaml_front/skill.md": _skill("yaml_front", f"hidden: {touch('frontmatter')}\n"),
        "skills/yaml_fence/skill.md": _skill(
            "yaml_fence", body=f":::ordered_block id=main\nsteps:\n- id: {touch('fence')}\n:::"
        ),
        "skills/yaml_memory/skill.md": _skill("yaml_memory"),
        "skills/yaml_memory/memory.yml": "schema: !!python/object/new:subprocess.Popen\n"
        f"  args: [[touch, {fired / 'popen'}]]\n",
        "skills/yaml_module/skill.md": _skill("yaml_module", "import_tools: !!python/module:antigravity\n"),
        "skills/bomb/skill.md": _skill("bomb"),
        "skills/bomb/memory.yml": bomb + "schema: {public: *x11}\n",
        "skills/bomb/responses.yml": "responses: &r\n  utter_bomb: *r\n",
        "skills/bomb_front/skill.md": _skill("bomb_front", bomb),
        "skills/odd/skill.md": _skill(
            "odd", "tool_constraints:\n" + "".join(f"- {k}\n" for k in ("*a", "~", "<<", "!"))
        ),
        "skills/odd/memory.yml": oddities,
        "skills/odd/responses.yml": "\ufeff%YAML 9.9\n--- &a !<tag:x>\nresponses: *a\n...\n--- second\n",
        "skills/deep/skill.md": _skill("deep", f"routing: {'[' * DEPTH}{']' * DEPTH}\n"),
        "skills/deep/memory.yml": "{a: " * DEPTH + "1" + "}" * DEPTH,
        "skills/deep/responses.yml": "\n".join(" " * n + "a:" for n in range(1000)),
    }


# --- words that act on whoever shows them ----------------------------------------------------------------------------


def _quoted(text: str) -> str:
    """As a YAML string that says it by escapes, so that the loader is what makes it dangerous."""
    return json.dumps(text)


def _words() -> dict[str, str]:
    files: dict[str, str] = {}
    for name, text in (("speaks", SPEAKS), ("marks", MARKUP), ("hides", UNSEEN), ("commands", COMMAND)):
        said = _quoted(text)
        files |= {
            f"skills/{name}/skill.md": f"---\nname: {said}\ndescription: {said}\n{said}: 1\nprecondition: {said}\n"
            f"import_tools:\n- {said}\ntool_constraints:\n- {said}:\n    requires: {said}\n    on_success: {said}\n"
            f"- shown:\n    requires: {_quoted(f'session.{name}.key == {text!r}')}\n---\n{text}\n\n@tool.{text} "
            f"@skill.{text}\n\nif: {text}\n{text}\n\n:::ordered_block id=main\nsteps:\n- id: {said}\n"
            f"  action: {said}\n:::\n",
            f"skills/{name}_raw/skill.md": f"---\nname: {text}\n{text}: {text}\n---\n{text}\n",
            f"skills/{name}/memory.yml": f"schema:\n  public:\n    {said}:\n      type: {said}\n    key:\n"
            f"      type: categorical\n      enum_values: [{said}]\n      description: {said}\n",
            f"skills/{name}/responses.yml": f"responses:\n  {said}:\n  - text: {said}\n    condition: {said}\n"
            f"    buttons:\n    - title: {said}\n      payload: {said}\n",
            f"skills/{name}/tools.py": "from rasa.mantle.tools.decorator import ToolContext, tool\n\n\n"
            f"@tool(description={text!r})\nasync def shown(context: ToolContext, x: {text!r} = 1):\n"
            f"    context.memory.set({text!r}, {text!r})\n    await context.send({text!r})\n",
            f"skills/{name}_raw/tools.py": f'"""{text}"""\n{text}\n@tool(description="{text}")\nasync def {text}(:\n',
        }
    return files


# --- code ------------------------------------------------------------------------------------------------------------


def _code(fired: Path) -> dict[str, str]:
    """Python that anyone might import, run or collect; and settings that would make somebody do it."""

    def payload(name: str) -> str:
        return (
            f"import pathlib, socket\npathlib.Path({str(fired / name)!r}).write_text('ran')\n"
            "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'ran', ('127.0.0.1', 9))\n"
        )

    tool = (
        "from rasa.mantle.tools.decorator import ToolContext, tool\n\n\nclass Loud(str):\n    def __str__(self):\n"
        "        raise SystemExit(3)\n\n\n@tool(description=Loud('x') + open('/dev/zero').read(1))\n"
        "async def loud(context: ToolContext = exit()):\n    return __import__('os').system('true')\n"
    )
    places = (
        "hooks.py", "hooks/before.py", "hooks/deep/er/after.py", "tools/__init__.py", "tools/shared.py",
        "lib/helper.py", "lib/__init__.py", "__init__.py", "__main__.py", "conftest.py", "tests/conftest.py",
        "sitecustomize.py", "usercustomize.py", "setup.py", "skills/__init__.py", "skills/coded/tools.py",
        "skills/coded/tools/more.py", "skills/coded/__init__.py", "skills/coded/conftest.py",
    )  # fmt: skip
    shadows = ("yaml", "json", "textual", "rich", "frontmatter", "inspector", "inspector_core", "encodings", "rasa")
    code = {path: payload(path.replace("/", "-")) + tool for path in places}
    code |= {f"{name}.py": payload(f"shadow-{name}") for name in shadows}
    code |= {f"{name}/__init__.py": payload(f"shadow-package-{name}") for name in shadows if name != "rasa"}
    return code | {
        "skills/coded/skill.md": _skill("coded", "tool_constraints:\n- loud:\n"),
        ".env": f"PYTHONSTARTUP={fired}/x.py\nEDITOR=touch {fired}/editor\nPAGER=touch {fired}/pager\nNO_COLOR=\n",
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p sitecustomize"\n'
        '[project.entry-points."inspector.plugins"]\nx = "hooks:main"\n',
        "inspector.toml": f'editor = "touch {fired}/editor"\n',
        ".inspector/config.yml": f"editor: touch {fired}/editor\n",
        ".git/config": f'[core]\n\tfsmonitor = "touch {fired}/fsmonitor"\n\tpager = "touch {fired}/git-pager"\n',
        ".vscode/settings.json": '{"python.defaultInterpreterPath": "./evil"}\n',
    }


# --- texts without an end --------------------------------------------------------------------------------------------


def _endless() -> dict[str, str]:
    """What is slow, deep or long for whoever parses it in the obvious way."""
    gates = {
        "parens": "(" * DEPTH + "session.endless.a" + ")" * DEPTH,
        "nots": "not " * DEPTH + "session.endless.a",
        "ands": " and ".join(["session.endless.a"] * DEPTH),
        "chain": " < ".join(["session.endless.a"] * DEPTH),
        "digits": "session.endless.a == " + "9" * 100_000,
        "power": "session.endless.a == 10**10**9",
        "dots": "session" + ".a" * DEPTH,
        "attributes": "session.__class__.__mro__",
        "nul": "session.endless.a == '\0'",
        "strings": "session.endless.a == " + "'a' " * DEPTH,
        "surrogate": "session.endless.a == '\ud800'",
    }
    constraints = "".join(f"- {name}:\n    requires: {_quoted(text)}\n" for name, text in gates.items())
    functions = "".join(f"async def {name}(): pass\n{name} = tool(description='x')({name})\n" for name in gates)
    return {
        "skills/endless/skill.md": _skill(
            "endless", f"tool_constraints:\n{constraints}", f"if: {gates['parens']}\nSay.\n"
        ),
        "skills/endless/tools.py": functions,
        "skills/fences/skill.md": _skill("fences", body=":::ordered_block id=a\n" * 20_000),
        "skills/fences/tools.py": "(" * DEPTH + ")" * DEPTH,
        "skills/tokens/skill.md": _skill("tokens", body="@skill.a@tool@memory.b.c.d session.e.f " * 10_000),
        "skills/tokens/tools.py": "x = " + "-" * DEPTH + "1\n@tool(description='a')\nasync def f(): pass\n",
        "skills/lines/skill.md": _skill("lines", body="\n" * 200_000 + "a" * 700_000),
        "skills/lines/tools.py": "@tool\n" * 5_000
        + "def f(): pass\n"
        + "@tool(description='d')\ndef g(): pass\n" * 5_000,
        "skills/calls/skill.md": _skill("calls"),
        "skills/calls/tools.py": "x = " + "f(" * DEPTH + ")" * DEPTH + "\ny = '" + "a" * 100_000 + "\n",
        "skills/binary/skill.md": _skill("binary"),
        "skills/binary/tools.py": "x = " + " + ".join(["'a'"] * DEPTH) + "\n@tool(description=x)\nasync def f(): ...\n",
        "skills/dashes/skill.md": "---\n" * 50_000,
        "skills/ifs/skill.md": _skill("ifs", body="if: session.a.b\nsay\n\n" * 5_000),
    }


def _bytes(root: Path) -> None:
    """Files that are no text."""
    for number, content in enumerate(
        (
            b"\xff\xfe---\x00",
            b"---\nname: \xed\xa0\x80\n---\nx\n",
            b"---\nname: a\x00b\n---\nx\n",
            b"\x80" * 4000,
            b"\r" * 4000,
        )
    ):
        _put(root / f"skills/bytes_{number}/skill.md", content)
        _put(root / f"skills/bytes_{number}/tools.py", content)
    _put(
        root / "skills/escape/skill.md",
        b'---\nname: "\\ud800\\udfff\\e[31m\\x9b1m\\u202e"\ndescription: "\\0"\n---\nx\n',
    )
    _put(root / "tools/bytes.py", b"# coding: no-such-codec\n\xff\n")
    _put(root / "tools/other.py", b"# -*- coding: utf-7 -*-\n+AGEAYgBj-\n")


# --- names, links and things that are no files -----------------------------------------------------------------------


def _names(root: Path, fired: Path) -> None:
    code = f"open({str(fired / 'named')!r}, 'w')\n".encode()
    for name in (
        f"{ESC}[31mred",
        "new\nline",
        f"{CSI}1m",
        "\u202egnp",
        MARKUP.replace("/", "|"),
        "a b",
        "-rf",
        "%s%n",
        "'; x",
    ):
        _put(root / "skills" / name / "skill.md", _skill("named").encode())
        _put(root / "skills" / name / "tools.py", code)
        _put(root / "tools" / f"{name}.py", code)
    for raw in (b"\xff\xfe", b"\xed\xa0\x80"):
        _put(root / "skills" / os.fsdecode(raw) / "skill.md", _skill("named").encode())
        _put(root / "tools" / os.fsdecode(raw + b".py"), code)
    _put(root / "skills" / ("long" * 50) / "skill.md", _skill("named").encode())
    deep = root / "hooks"
    for _ in range(60):
        deep = deep / "d"
    _put(deep / "hook.py", code)


def _links(root: Path, outside: Path) -> None:
    _put(outside / "skill" / "skill.md", _skill(SECRET).encode())
    _put(outside / "tool.py", f"# {SECRET}\n@tool(description='{SECRET}')\nasync def stolen(): ...\n".encode())
    links = {
        "skills/link_out": outside / "skill",
        "skills/link_etc": Path("/etc"),
        "skills/link_root": Path("/"),
        "skills/loop": Path("."),
        "skills/self": Path("self"),
        "skills/up": Path("../.."),
        "skills/nowhere": Path("nothing"),
        "tools/stolen.py": outside / "tool.py",
        "tools/zero.py": Path("/dev/zero"),
        "tools/tty.py": Path("/dev/tty"),
        "tools/random.py": Path("/dev/random"),
        "tools/fd.py": Path("/proc/self/environ"),
        "hooks/out": outside,
        "references": outside,
    }
    for path, target in links.items():
        (root / path).symlink_to(target)
    (root / "skills" / "linked_file").mkdir()
    (root / "skills" / "linked_file" / "skill.md").symlink_to(outside / "skill" / "skill.md")
    (root / "skills" / "linked_file" / "memory.yml").symlink_to("/dev/zero")


def _devices(root: Path) -> None:
    """A pipe nobody writes to, a socket nobody serves, a file nobody may read, and one far too large."""
    for name in ("pipe", "huge", "locked", "socketed", "folder"):
        (root / "skills" / name).mkdir()
    os.mkfifo(root / "skills" / "pipe" / "skill.md")
    os.mkfifo(root / "tools" / "pipe.py")
    for name in ("<unknown>", "<string>", "<condition>", "<stdin>"):
        os.mkfifo(root / name)  # where Python looks for the source of what it could not parse
    with (root / "skills" / "huge" / "skill.md").open("wb") as file:
        file.truncate(SPARSE)
    _put(root / "skills" / "locked" / "skill.md", _skill("locked").encode())
    (root / "skills" / "locked" / "skill.md").chmod(0)
    (root / "skills" / "folder" / "skill.md").mkdir()
    os.mknod(root / "skills" / "socketed" / "skill.md", stat.S_IFSOCK | 0o600)
    (root / "skills" / "barred").mkdir(mode=0)
