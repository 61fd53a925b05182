# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Finds the functions of a C++ file by its braces: name, first line, lines of the body, deepest nesting of control.

No compiler is asked, so templates that nobody uses are seen too. A brace opens a function when the text before it ends
like a signature; it opens control when that text has if, for, while, switch, do, else, try or catch. A lambda adds its lines to its function and starts counting nesting anew.
"""

import re
from collections import namedtuple

from source_tree import without_comments

Function = namedtuple("Function", "name line lines nesting")

CONTROL = re.compile(r"\b(if|for|while|switch|do|else|try|catch)\b")
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|concept)\b")
BLOCK = re.compile(r"(^|[:{};]|\bextern \"\")\s*$")
MEMBER_INITIALIZER = re.compile(r"\)\s*(noexcept\s*)?:(?!:).*[\w>]\s*$", re.S)
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(<[^{}]*>\s*)?(\(|mutable\b|noexcept\b|->|$)")
NAME = re.compile(r"((?:[\w~]+(?:<[^<>()]*>)?::)*(?:operator\s*(?:\(\)|\[\]|[^\s\w(]+|[\w:]+)|~?\w+))\s*\(")
TEST = re.compile(r"^\s*(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\s*\(\s*(\w+)\s*,\s*(\w+)")


def blank_preprocessor(text):
    """Directives, with their continuations, become empty lines. An #else branch goes too, so that braces balance."""
    lines, result, skipping, continued = text.split("\n"), [], [], False
    for line in lines:
        stripped = line.lstrip()
        directive = continued or stripped.startswith("#")
        if not continued and directive:
            word = re.match(r"#\s*(\w*)", stripped).group(1)
            if word in ("if", "ifdef", "ifndef"):
                skipping.append(False)
            elif word in ("else", "elif") and skipping:
                skipping[-1] = True
            elif word == "endif" and skipping:
                skipping.pop()
        continued = directive and line.rstrip().endswith("\\")
        result.append("" if directive or any(skipping) else line)
    return "\n".join(result)


def signature_name(head):
    """The function's name where `head`, the text before a brace, is a signature; None where it is not."""
    test = TEST.match(head)
    if test:
        return f"{test.group(2)}.{test.group(3)}"
    head = re.sub(r"\[\[[^\]]*\]\]|\b(alignas|requires|decltype|noexcept|explicit)\s*\([^()]*\)", " ", head)
    match = NAME.search(head)
    if not match or head.rstrip().endswith(("=", ",", "(", "return")) or re.match(r"\s*return\b", head):
        return None
    before = head[:match.start()]
    if re.search(r"[^=!<>]=[^=]", before) or (SCOPE.search(before) and "(" not in before and "<" not in before):
        return None
    return match.group(1).strip()


class Brace:
    """One open brace: what it is, and for functions and lambdas how deep the control inside goes."""

    def __init__(self, kind, line, name=None, depth=0):
        self.kind, self.line, self.name, self.depth, self.deepest = kind, line, name, depth, depth


def classify(head, stack, line):
    """What the brace after `head` opens."""
    inside = any(b.kind in ("function", "lambda") for b in stack)
    depth = stack[-1].depth if stack else 0
    if LAMBDA.search(head) and (inside or "=" in head) and not re.search(r"\boperator\s*\[\]", head):
        assigned = re.search(r"(\w+)\s*=\s*\[", head)
        return Brace("lambda" if inside else "function", line, assigned.group(1) if assigned else "lambda")
    if inside and CONTROL.search(head):
        return Brace("control", line, depth=depth + len(re.findall(r"\b(?:if|for|while|switch|do|try|catch)\b|"
                                                                   r"\belse\b(?!\s*if)", head)))
    if not inside and ")" in head and not MEMBER_INITIALIZER.search(head):
        name = signature_name(head)
        if name:
            return Brace("function", line, name)
    if BLOCK.search(head) or (SCOPE.search(head) and "(" not in head):
        return Brace("block", line, depth=depth)
    return Brace("initializer", line, depth=depth)


def functions(text):
    """Every function of the text; a local class's members count with the function around them."""
    text = blank_preprocessor(without_comments(text, keep_strings=False))
    stack, start, line, parens, found = [], 0, 1, [], []
    for position, char in enumerate(text):
        if char == "\n":
            line += 1
        elif char == "(":
            parens.append(start)
        elif char == ")" and parens:
            parens.pop()
        elif char == ";" and not parens:
            start = position + 1
        elif char == "{":
            stack.append(classify(text[start:position], stack, line))
            stack[-1].outer, parens, start = (parens, start), [], position + 1
        elif char == "}" and stack:
            brace = stack.pop()
            parens, statement = brace.outer
            # After a braced initializer, or a lambda among arguments, the statement goes on.
            start = statement if brace.kind == "initializer" else position + 1
            if brace.kind == "function":
                found.append(Function(brace.name, brace.line, line - brace.line + 1, brace.deepest))
            elif stack:
                # A lambda's control is counted from its own brace, and the deeper count is its function's.
                stack[-1].deepest = max(stack[-1].deepest, brace.deepest)
    return found
