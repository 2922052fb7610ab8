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

PAGE_ATTACKS: Final = (
    "</script><script>window.owned = 1</script>",
    "<script src=http://203.0.113.9/a.js></script>",
    "<!--<script>",
    "--><img src=http://203.0.113.9/a.png onerror='window.owned = 2'>",
    "<svg onload=window.owned=3><base href=http://203.0.113.9/>",
    "<iframe srcdoc='<script>parent.owned = 4</script>'></iframe>",
    "<link rel=stylesheet href=http://203.0.113.9/a.css><style>@import url(http://203.0.113.9/b.css)</style>",
    "<meta http-equiv=refresh content='0;url=http://203.0.113.9/'>",
    "javascript:window.owned=5",
    "</title></style></textarea><script>document.title = 'owned by it'</script>",
    '{"__proto__": {"owned": 6}}\u2028window.owned = 7//',
    "${window.owned = 8}{{constructor.constructor('window.owned = 9')()}}",
    "<!--island--><!--script--><!--title-->",
    "<a href='http://203.0.113.9/' ping='http://203.0.113.9/p'>script</a><form action=http://203.0.113.9/>",
)
"""What would run a script, or ask an address of nobody for something, if a transcript were markup."""

# fmt: off
_UNITS: Final = (
    # Markup that is opened and never closed, or closed and never opened.
    "<a",
    "<a ",
    '<a b="',
    "<a b='x>",
    "<",
    "</",
    "</a>",
    "<!--",
    "<!--x>",
    "<!",
    "<![",
    '<!["a"',
    "<![CDATA[",
    "<?",
    "<a>",
    "<div>",
    "<p>",
    "<b><i>",
    "<table><td>",
    "<td>",
    "<script>",
    "<svg/><x/>",
    "<i>x</b>",
    "&",
    "&#",
    "&amp",
    "=x",
    "<r a='1'/>",
    # Braces, brackets and quotation marks.
    "{",
    "}",
    "[",
    "]",
    "{}",
    "[]",
    '{"a":',
    "{a: ",
    "[1,",
    '"',
    "'",
    "`",
    "```",
    "```\n",
    '{"',
    "{{",
    "${",
    "{%",
    "{#",
    "\\",
    '\\"',
    "```sql\nx y\n```\n",
    "```json\n{",
    "{\n",
    "[\n",
    '"a": 1,\n',
    # Statements.
    "(",
    "select ",
    "select a from ",
    "select all ",
    "--",
    "/*",
    "$$",
    "$a$",
    "a, ",
    "select 1;",
    "case when ",
    "((1))+",
    "not ",
    "a.b.",
    "x'",
    "-- a\n",
    # Words and none.
    "a",
    "aA1",
    "x@",
    "@",
    "a@b ",
    "A ",
    "a ",
    " ",
    "\n",
    "\t",
    "! ",
    "!",
    "?!",
    "#",
    "# ",
    "##A",
    "<A",
    "...",
    ". ",
    "a. A",
    "- ",
    "* ",
    "1. ",
    "http://",
    "https://a ",
    "'s ",
    "i have already ",
    "you ",
    "the \u00e9",
    "\u4e00",
    "\u0e01",
    "\u0301",
    "\U0001f600",
    "\u202e",
    "\x00",
    "\ud83d",
    "1",
    "1,",
    "1.",
    "-",
    "+1 ",
    "0x",
    "e",
    "i ",
    "_",
    "no ",
    "one moment ",
    "i will ",
    "for the ",
    "transfer ",
)
# fmt: on


def long_texts(length: int = 200_000) -> dict[str, str]:
    """Texts that a pattern, a parser or a measure may be held up by, each of one piece over and over."""
    texts = {repr(unit): unit * (length // len(unit)) for unit in _UNITS}
    half = length // 2
    texts |= {
        "braces that are closed": "{" * half + "}" * half,
        "brackets that are closed": "[" * half + "]" * half,
        "parentheses that are closed": "select " + "(" * half + "1" + ")" * half,
        "elements that are closed": "<b>" * (length // 7) + "</b>" * (length // 7),
        "elements closed across": "<b>" * (length // 10) + "<i>" * (length // 10) + "</b>" * (length // 10),
        "YAML that breaks at its end": "{" * 100 + "x, " * (length // 3) + "]",
        "a body with openings": "<r>" + "<!--" * (length // 4) + "</r>",
        "JSON that is whole": "[" + "1," * half + "1]",
        "an object of many": "{" + ",".join(f'"k{n}": {n}' for n in range(length // 15)) + "}",
        "tokens of base 64": "QUJD" * (length // 4) + "=",
        "one word and a mark": "a" * length + "!",
    }
    return texts


OBEYED: Final = frozenset(
    [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
    + list("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2060\ufeff")
)
"""What must never be drawn as it is."""
