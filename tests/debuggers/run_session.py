# SPDX-License-Identifier: MIT
"""Runs the sessions that a document shows, and compares what the debugger says with what the document says.

    run_session.py gdb|lldb DEBUGGER SCRIPT PROGRAM DOCUMENT [core]

A session is a block of the document that begins with ```gdb or ```lldb; with the word core behind it, it is one
about a program that has died. Lines that begin with a prompt are commands, all others are what they print.
Prints "skipped: ..." where the system writes no core.
"""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile

PROMPT = {"gdb": "(gdb) ", "lldb": "(lldb) "}
BEGIN = "--- session ---"


def sessions(document, debugger, of_core):
    kind = debugger + (" core" if of_core else "")
    found = re.findall(r"^```%s\n(.*?)^```$" % re.escape(kind), document.read_text(), re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit("%s has no session of %s" % (document, kind))
    return found


def commands_of(session, prompt):
    return [line[len(prompt):] for line in session.splitlines() if line.startswith(prompt)]


def gdb_arguments(script, of_core, commands):
    yield from ("-batch", "-nx", "-ex", "set debuginfod enabled off", "-ex", "source %s" % script)
    if not of_core:
        yield from ("-ex", "break look_at", "-ex", "run")
    yield from ("-ex", "frame function main", "-ex", "echo %s\\n" % BEGIN)
    for command in commands:
        yield from ("-ex", "echo (gdb) %s\\n" % command, "-ex", command)


def lldb_arguments(script, of_core, commands):
    yield from ("--no-lldbinit", "--batch", "-o", "settings set symbols.enable-external-lookup false",
                "-o", "command script import %s" % script)
    if not of_core:
        yield from ("-o", "breakpoint set --name look_at", "-o", "run")
    yield from ("-o", "script thread = lldb.debugger.GetSelectedTarget().process.GetSelectedThread()",
                "-o", "script _ = thread.SetSelectedFrame([f.idx for f in thread.frames if f.name == 'main'][0])",
                "-o", "script print('%s')" % BEGIN)
    for command in commands:
        yield from ("-o", command)


def core_of(program, folder):
    """The core that the program leaves when it dies; None where the system writes none."""
    unlimited = lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    try:
        subprocess.run([program, "die"], cwd=folder, preexec_fn=unlimited, stderr=subprocess.DEVNULL)
    except subprocess.SubprocessError:
        return None
    return next(iter(sorted(pathlib.Path(folder).glob("core*"))), None)


def target_arguments(debugger, program, core):
    if core is None:
        return [program]
    return [program, str(core)] if debugger == "gdb" else ["--core", str(core), program]


def said(debugger, executable, script, program, core, session):
    arguments = gdb_arguments if debugger == "gdb" else lldb_arguments
    command = [executable, *arguments(script, core is not None, commands_of(session, PROMPT[debugger])),
               *target_arguments(debugger, program, core)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=100)
    text = done.stdout.split("\n" + BEGIN + "\n", 1)
    if len(text) != 2:
        sys.exit("the debugger did not get to the session:\n" + done.stdout)
    return without_end(text[1])


def without_end(text):
    """What a debugger says about the end of the program that it leaves."""
    return re.sub(r"(\(lldb\) |Process \d+|\[Inferior \d+).*\Z", lambda m: m[0] if m[0].startswith("(lldb) ") else "", text,
                  flags=re.DOTALL)


def run(debugger, executable, script, program, document, of_core):
    with tempfile.TemporaryDirectory() as folder:
        core = core_of(program, folder) if of_core else None
        if of_core and core is None:
            print("skipped: this system writes no core into the folder of the program")
            return True
        all_agree = True
        for session in sessions(pathlib.Path(document), debugger, of_core):
            found = said(debugger, executable, script, program, core, session)
            if found.strip() != session.strip():
                print("the document says:\n%s\n\nthe debugger says:\n%s" % (session, found))
                all_agree = False
        return all_agree


if __name__ == "__main__":
    sys.exit(0 if run(*sys.argv[1:6], of_core=sys.argv[6:] == ["core"]) else 1)
