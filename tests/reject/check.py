# SPDX-License-Identifier: MIT
"""check.py SOURCE COMPILER ARGUMENT ...

What a source says must be refused is refused, for the reason that it says. With ECS_EXPECT_OK defined the source must
compile. Without, it has cases: a case begins with a comment

    // refused: REGULAR EXPRESSION

and ends where the next one begins. All are compiled at once. The first error of each case, with the notes that belong to it,
must match its expressions, of which there may be several comments one below the other; and no error may be outside. An error
that names no line of the source is that of the case before, or of the only one. A compiler also shows the line that it
speaks of: an expression is of words that this line does not have."""
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"^\s*// refused: (.*)$")
ERROR = re.compile(r": (?:fatal )?error: ")
# What g++ says first of an error: in which function it is.
BEGINNING = re.compile(r"^\S.*: (?:In |At global scope)")
# What g++ says before an error, of where it is. It says the same, further in, of what the error is made of.
CONTEXT = re.compile(r"^\S.*: (?:In |At global scope)|^\S+:   (?:required|recursively|in )|^In file included")


def cases_of(source):
    """Of each case the number of its first line and its expressions."""
    cases = []
    before = False
    for number, line in enumerate(source.read_text().splitlines(), 1):
        mark = MARK.match(line)
        if mark and before:
            cases[-1][1].append(mark[1])
        elif mark:
            cases.append((number, [mark[1]]))
        before = bool(mark)
    return cases


def errors_of(text):
    """The errors, each with what is said of it before and after."""
    errors = [[]]
    has_error = False
    for line in text.splitlines():
        is_error = bool(ERROR.search(line))
        if BEGINNING.search(line) or (has_error and (is_error or CONTEXT.search(line))):
            errors.append([])
            has_error = False
        errors[-1].append(line)
        has_error = has_error or is_error
    return ["\n".join(error) for error in errors if any(ERROR.search(line) for line in error)]


def case_at(cases, line):
    """The number of the first line of the case; None where the line is before all."""
    begun = [first for first, _ in cases if first <= line]
    return begun[-1] if begun else None


def case_of(error, source, cases):
    """The case that the error is of: what is said of it first names a line there. None where nothing does."""
    lines = (int(found) for found in re.findall(re.escape(source.name) + r":(\d+)", error))
    return next((case for case in (case_at(cases, line) for line in lines) if case), None)


def compile_with(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    # g++ says of each name which module it is from, as in ecs::bits@ecs.id<19, 18>.
    return done.returncode, re.sub(r"@ecs[.a-z]*", "", done.stdout)


def complaints_about(source, cases, text):
    first_errors = {}
    home = cases[0][0] if len(cases) == 1 else None
    for error in errors_of(text):
        home = case_of(error, source, cases) or home  # Clang says once where several errors come from.
        if home is None:
            yield f"this error belongs to no case:\n{error}"
        first_errors.setdefault(home, error)
    for line, expressions in cases:
        error = first_errors.get(line)
        if error is None:
            yield f"{source}:{line}: this compiles, or its error is one that an earlier case has had"
        for expression in expressions if error else []:
            if not re.search(expression, error, re.DOTALL):
                yield f"{source}:{line}: the first error does not match '{expression}':\n{error}"


def main():
    source, command = Path(sys.argv[1]), [*sys.argv[2:], sys.argv[1]]
    cases = cases_of(source)
    if not cases:
        sys.exit(f"{source} has no case")
    status, text = compile_with([*command, "-DECS_EXPECT_OK"])
    if status != 0:
        sys.exit(f"The control must compile, and does not:\n{text}")
    status, text = compile_with(command)
    if status != 1:
        sys.exit(f"The compiler must refuse the source, with status 1, not {status}:\n{text}")
    complaints = list(complaints_about(source, cases, text))
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"{len(cases)} programs are refused for the reasons that {source.name} says")


main()
