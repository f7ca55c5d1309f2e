"""Reports as one HTML file that fetches nothing, in the reader's light or dark colours."""

import re
from html import escape

from core.review.export.report import Table

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_CELL_KINDS = ("answer", "quote", "page", "verified", "confidence", "status", "comment")
_STYLE = """
:root { color-scheme: light dark; --line: #c9ccd3; --head: #eef0f4; --text: #1b1d22; --page: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #454a55; --head: #2a2e37; --text: #e6e8ec; --page: #1c1f25; }
}
body { font: 15px/1.45 system-ui, "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; margin: 2rem;
  color: var(--text); background: var(--page); }
dl { display: grid; grid-template-columns: max-content auto; gap: 0.2rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
thead th { background: var(--head); }
tbody th { font-weight: 600; }
th, td { white-space: pre-line; }
td.quote { font-style: italic; }
@media print { thead { display: table-header-group; } tr { break-inside: avoid; } }
"""


def to_html(table: Table, language: str) -> str:
    title = _text(table.heading[1][1])
    heading = "\n".join(f"<dt>{_text(label)}</dt><dd>{_text(value)}</dd>" for label, value in table.heading)
    return f"""<!DOCTYPE html>
<html lang="{_text(language.replace("_", "-"))}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<dl>
{heading}
</dl>
<table>
<thead>
{_head(table)}
</thead>
<tbody>
{_body(table)}
</tbody>
</table>
</body>
</html>
"""


def _head(table: Table) -> str:
    columns = "".join(f'<th scope="col">{_text(column)}</th>' for column in table.columns)
    question = _text(table.question_column)
    if len(table.groups) == 1:
        return f'<tr><th scope="col">{question}</th>{columns}</tr>'
    groups = "".join(
        f'<th scope="colgroup" colspan="{len(table.columns)}">{_text(group)}</th>' for group in table.groups
    )
    return (
        f'<tr><th scope="col" rowspan="2">{question}</th>{groups}</tr>\n'
        f"<tr>{columns * len(table.groups)}</tr>"
    )


def _body(table: Table) -> str:
    lines = []
    for row in table.rows:
        cells = "".join(
            f'<td class="{kind}">{_text(cell)}</td>'
            for group in row.groups
            for kind, cell in zip(_CELL_KINDS, group, strict=True)
        )
        lines.append(f'<tr><th scope="row">{_text(row.question)}</th>{cells}</tr>')
    return "\n".join(lines)


def _text(text: str) -> str:
    return escape(_CONTROL.sub("", text))
