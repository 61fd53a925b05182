# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Line and bar charts as small SVG files, drawn here so that nothing else is needed."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 220, 30, 44
BAR_LEFT = 290
COLOURS = ("#1b6ca8", "#d1495b", "#2a9d5c", "#e09f3e", "#6d597a", "#3a7d8c", "#8d5524", "#b5179e", "#5f0f40", "#577590",
           "#43aa8b", "#90be6d", "#f8961e")


class Axis:
    """From values to places, evenly or by logarithm."""

    def __init__(self, values, low, high, by_log):
        self.by_log = by_log
        self.least, self.most = min(values), max(values)
        if by_log:
            self.least, self.most = 10 ** math.floor(math.log10(self.least)), 10 ** math.ceil(math.log10(self.most))
        if self.least == self.most:
            self.most = self.least + 1
        self.low, self.high = low, high

    def at(self, value):
        if self.by_log:
            share = math.log(value / self.least) / math.log(self.most / self.least)
        else:
            share = (value - self.least) / (self.most - self.least)
        return self.low + share * (self.high - self.low)

    def ticks(self):
        if not self.by_log:
            return [self.least + (self.most - self.least) * i / 7 for i in range(8)]
        decades = range(round(math.log10(self.least)), round(math.log10(self.most)) + 1)
        return [10.0 ** d for d in decades]


def svg(title, x_name, y_name, series, log_x, log_y):
    """A chart of {name: [(x, y), …]}."""
    points = [p for curve in series.values() for p in curve]
    x = Axis([p[0] for p in points], LEFT, WIDTH - RIGHT, log_x)
    y = Axis([p[1] for p in points] + ([] if log_y else [0]), HEIGHT - BOTTOM, TOP, log_y)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           label(LEFT, 18, title, 'font-weight="bold"')]
    out += grid(x, y)
    out.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_name, 'text-anchor="middle"'))
    out.append(label(LEFT - 56, TOP - 4, y_name))
    for number, (name, curve) in enumerate(series.items()):
        out += line(number, name, [(x.at(a), y.at(b)) for a, b in curve])
    return "\n".join(out + ["</svg>"]) + "\n"


def bars(title, unit, groups):
    """A chart of {group: [(name, value), …]}: a bar for each value, which stands behind it; by logarithm where they are far
    apart."""
    values = [value for group in groups.values() for _, value in group]
    apart = max(values) > 20 * min(values)
    across = Axis(values + ([] if apart else [0]), BAR_LEFT, WIDTH - 150, apart)
    names = list(dict.fromkeys(name for group in groups.values() for name, _ in group))
    out, at = [], TOP + 8
    for group, members in groups.items():
        out.append(label(BAR_LEFT - 8, at + 8 * len(members) + 4, group.strip(), 'text-anchor="end"'))
        for name, value in members:
            out.append(f'<rect x="{BAR_LEFT}" y="{at}" width="{across.at(value) - BAR_LEFT:.1f}" height="14" '
                       f'fill="{COLOURS[names.index(name) % len(COLOURS)]}"/>')
            out.append(label(across.at(value) + 6, at + 12, f"{name} {short_value(value)} {unit}".strip()))
            at += 16
        at += 8
    height = at + 8
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
            'font-size="12">', f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            label(LEFT, 18, title + (" (logarithmic)" if apart else ""), 'font-weight="bold"')]
    return "\n".join(head + out + ["</svg>"]) + "\n"


def short_value(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def grid(x, y):
    for tick in y.ticks():
        at = y.at(tick)
        yield f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield label(LEFT - 6, at + 4, short(tick), 'text-anchor="end"')
    for tick in x.ticks():
        at = x.at(tick)
        yield f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>'
        yield label(at, HEIGHT - BOTTOM + 16, short(tick), 'text-anchor="middle"')


def line(number, name, places):
    colour = COLOURS[number % len(COLOURS)]
    dashes = ' stroke-dasharray="5 3"' if number >= 6 else ""
    text = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    yield f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
    for a, b in places:
        yield f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>'
    at = TOP + 8 + 18 * number
    yield f'<path d="M{WIDTH - RIGHT + 14} {at}h22" stroke="{colour}" stroke-width="2"{dashes}/>'
    yield label(WIDTH - RIGHT + 42, at + 4, name)


def short(tick):
    return f"{tick:.4g}" if tick < 1e4 else f"{tick:.0e}".replace("e+0", "e")


def label(x, y, text, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{escape(text)}</text>'
