# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Counts the public member functions of the classes of a C++ file, by its braces.

Overloads count each; constructors, destructors, deleted functions and friends do not.
"""

import re
from collections import namedtuple

from function_sizes import blank_preprocessor
from source_tree import without_comments

Class = namedtuple("Class", "name line functions")

HEAD = re.compile(r"\b(class|struct)\s+(?:\[\[[^\]]*\]\]\s*|alignas\s*\([^()]*\)\s*)*(\w+)[^;(){}]*$")
ACCESS = re.compile(r"^\s*(public|protected|private)\s*:(?!:)")
FUNCTION = re.compile(r"(~?\w+|operator\s*(?:\(\s*\)|[^\s\w(]+|[\w:\s]+))\s*\((?!\s*\*)")


def is_function(text, name):
    """Whether the declaration, without its body, is of a member function that counts."""
    text = re.sub(r"\[\[[^\]]*\]\]|\b(?:alignas|requires|decltype|noexcept|explicit)\s*\([^()]*\)", " ", text)
    while "<" in text and (shorter := re.sub(r"<[^<>]*>", " ", text)) != text:
        text = shorter
    text = text.strip()
    if re.match(r"(template\s*)?(friend|using|typedef|static_assert)\b", text) or re.search(r"=\s*delete\s*$", text):
        return False
    match = FUNCTION.search(text)
    return match is not None and "=" not in text[:match.start()] and match.group(1).strip("~") != name


class Frame:
    def __init__(self, name=None, line=0, public=False):
        self.name, self.line, self.public, self.count = name, line, public, 0


def classes(text):
    """Every class of the text."""
    text = blank_preprocessor(without_comments(text, keep_strings=False))
    stack, start, line, found = [Frame()], 0, 1, []
    for position, char in enumerate(text):
        top = stack[-1]
        if char == "\n":
            line += 1
        elif char == ":" and top.name and (access := ACCESS.match(text[start:position + 1])):
            top.public, start = access.group(1) == "public", position + 1
        elif char == "{":
            head = text[start:position]
            kind = HEAD.search(head) if not re.search(r"\benum\b", head) else None
            if top.name and not kind and top.public and is_function(head, top.name):
                top.count += 1
            stack.append(Frame(kind.group(2), line, kind.group(1) == "struct") if kind else Frame())
            start = position + 1
        elif char == "}" and len(stack) > 1:
            done = stack.pop()
            if done.name:
                found.append(Class(done.name, done.line, done.count))
            start = position + 1
        elif char == ";":
            if top.name and top.public and is_function(text[start:position], top.name):
                top.count += 1
            start = position + 1
    return found
