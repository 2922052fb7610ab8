"""Texts that a terminal, a markup parser or a table of widths may trip over, by kind."""

from __future__ import annotations

from typing import Final

ESCAPES = "\x1b]0;owned\x07\x1b[31mred\x1b[2J\x1b[?1049l\x9b5A\x1bP1$r\x1b\\ \x08\x7f\x00 after"
LONG: Final = 1_000_000

KINDS: Final = {
    "escape sequences": ESCAPES,
    "markup": "[red]x[/] [/nope] [@click=app.quit]go[/] [bold $error]y \\[z] {0} %s $text [link=file:///x]l[/link]",
    "bidi overrides": "start \u202eevil\u202c \u2066a\u2069 \u200fשלום end",
    "zero-width characters": "a\u200bb\u200cc\u2060d\ufeffe\u00adf \U000e0041\U000e0042 g",
    "a very long line": "x" * LONG,
    "a very long line of words": "word " * (LONG // 5),
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🇳🇴 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 end",
    "wide characters": "退款请求已收到，请稍候。한국어 日本語のテキスト ｆｕｌｌ " * 6,
    "combining marks": "e\u0301" + "a" + "\u0300\u0301\u0302" * 40 + " Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L end",
    "other line ends": "a\rb\r\nc\u2028d\u2029e\x0bf\x0cg\x85h\ti end",
    "half characters": "a\ud800b\udfffc end",
}
"""Each once in a name, a role, a tag, a turn, a reason, a label's note ..."""

OBEYED: Final = frozenset(
    [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
    + list("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2060\ufeff")
)
"""What must never be drawn as it is."""
