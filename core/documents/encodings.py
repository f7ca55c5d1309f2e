"""Text of unknown encoding: told by its mark, by what HTML says of itself, or by its letters."""

import codecs
import re
import unicodedata
from collections.abc import Iterator

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE = (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2))
_SAMPLE_BYTES = 65_536
_HEAD_BYTES = 4096
_ODD_CATEGORIES = ("Cc", "Cn", "Co", "Cs")
_LAYOUT = "\t\n\f\r"
_MAX_ODD_SHARE = 0.01
_ESCAPED_JAPANESE = re.compile(rb"\x1b\$[@B]")
_PLAIN = re.compile("[\x00-\x7f\u3001\u3002\uff0c\uff1a]")
_IN_TAG = r"<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s*=\s*[\"']?\s*"
_CHARSET = re.compile(_IN_TAG.encode() + rb"([\w.:-]{1,40})", re.IGNORECASE)
_NAMED = re.compile(rf"({_IN_TAG})[^\"'\s/>;?]+", re.IGNORECASE)
_ENDLESS_WORD = re.compile(r"[!-~]{250}(?=[!-~])")
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_LEAST_IDEOGRAPHS, _PAIRED_SHARE = 4, 0.9

_SIMPLIFIED = (
    "的一是不了在人有和中大为上个国以要他这我们时来用到作地于出就分对成会可主发年同工也能下过子说产种面方"
    "后多定行法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好"
    "应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反明看原又利比或但质气第向"
    "月租付签订承甲乙"
)
_TRADITIONAL = (
    "的一是不了在人有和中大為上個國以要他這我們時來用到作地於出就分對成會可主發年同工也能下過子說產種面方"
    "後多定行法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好"
    "應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反明看原又利比或但質氣第向"
    "月租付簽約承甲乙"
)
_MANY_BYTES = (
    ("cp932", "のにをはがとでたしてすいるなもあこれらりまかさくせそ"),
    ("euc_jp", "のにをはがとでたしてすいるなもあこれらりまかさくせそ"),
    ("cp949", "이다는을의에가은로하고지기한를인사어자리도해서수대시계일나정제그여라과들보부상전장약"),
    ("gb18030", _SIMPLIFIED),
    ("cp950", _TRADITIONAL),
)
"""Encodings of many bytes a letter, and the letters that are most common in what is written in them."""

_RUSSIAN = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїєґў"
_CZECH = "áčďéěíňóřšťúůýžľĺŕôÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"
_OTHER_SCRIPTS = (
    ("cp1251", _RUSSIAN),
    ("koi8_r", _RUSSIAN),
    ("cp866", _RUSSIAN),
    ("iso8859_5", _RUSSIAN),
    ("cp1255", "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    ("cp1253", "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"),
    ("cp1256", "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئپچژگ،؛؟"),
)
_LATIN = (
    ("cp1252", "äöüßÄÖÜé"),
    ("cp1252", "éèêàçùîôûâëïœÉÈÀÇæÊ"),
    ("cp1252", "áéíóúñãõçâêôàüÁÉÍÓÚÑ¿¡ºª"),
    ("cp1252", "àèéìòùÀÈÉÌÒÙ"),
    ("cp1252", "åäöæøéÅÄÖÆØ"),
    ("cp1254", "çğıöşüİŞĞÇÖÜâîû"),
    ("cp1252", "ðþýáéíóúæöÁÉÍÓÚÝÞÐÆÖ"),
    ("cp1250", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"),
    ("iso8859_2", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"),
    ("cp1250", _CZECH),
    ("iso8859_2", _CZECH),
    ("cp1250", "áéíóöőúüűÁÉÍÓÖŐÚÜŰ"),
    ("cp1250", "ăâîșțşţĂÂÎŞŢ"),
)
"""Encodings of a byte a letter, and the letters of each language beyond those of English."""

_SIGNS = "£€§°–—“”„‘’«»…•·©®™\xa0\xad"
_COMMON_IN_MANY, _COMMON_IN_ONE = 0.12, 0.8
_MIXED_SHARE = 0.1
_MAX_BROKEN_SHARE = 0.2
_NOT_OF_THE_WEB = ("punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf-7")
_MIXED = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[A-Za-z])")


def is_text(head: bytes, size_bytes: int) -> bool:
    """Whether a file of this size that begins with `head` is text in any encoding."""
    return (
        any(head.startswith(mark) for mark, _ in _BOMS)
        or b"\x00" not in head
        or bool(_wide(head, size_bytes))
    )


def decoded(data: bytes) -> str:
    """The text of `data`, in whatever encoding. What cannot be decoded becomes U+FFFD."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    wide = _wide(data[:_HEAD_BYTES], len(data)) if b"\x00" in data[:_HEAD_BYTES] else None
    if wide is not None:
        return data.decode(wide, "replace")
    if _ESCAPED_JAPANESE.search(data[:_SAMPLE_BYTES]):
        return data.decode("iso2022_jp_2", "replace")
    text = data.decode("utf-8", "replace")
    num_broken = text.count("\ufffd")
    if not num_broken or num_broken <= _MAX_BROKEN_SHARE * sum(not letter.isascii() for letter in text):
        return text
    return data.decode(_guessed(data), "replace")


def broken_up(text: str) -> str:
    """Plain text whose words are of a length that can be laid out in lines."""
    return _ENDLESS_WORD.sub(r"\g<0>\n", text)


def decoded_html(data: bytes) -> str:
    """The text of an HTML file, by its mark or by the encoding that it names; else as `decoded`.

    It then names UTF-8: MuPDF breaks over names that it does not know.
    """
    return _NAMED.sub(r"\1utf-8", _decoded_html(data))


def _decoded_html(data: bytes) -> str:
    named = _CHARSET.search(data[:_HEAD_BYTES])
    has_mark = any(data.startswith(mark) for mark, _ in _BOMS)
    if named is None or has_mark or b"\x00" in data[:_HEAD_BYTES]:
        return decoded(data)
    try:
        encoding = codecs.lookup(named[1].decode("ascii")).name
        if encoding in _NOT_OF_THE_WEB or encoding.startswith(("utf-16", "utf-32")):
            return decoded(data)  # the name itself was just read as one byte a letter
        # Browsers take these names for what Windows made of them.
        encoding = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}.get(
            encoding, {"shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950"}.get(encoding, encoding)
        )
        return data.decode(encoding)
    except (LookupError, ValueError):
        return decoded(data)


def _wide(head: bytes, size_bytes: int) -> str | None:
    """The encoding of two or four bytes a letter, without a mark, in which `head` is plainly text."""
    best, most_plain = None, 0
    for encoding, width in _WIDE:
        if size_bytes % width:
            continue
        text = head[: len(head) // width * width].decode(encoding, "replace")
        num_odd = sum(
            unicodedata.category(letter) in _ODD_CATEGORIES for letter in text if letter not in _LAYOUT
        )
        num_odd += text.count("\ufffd")
        num_plain = len(_PLAIN.findall(text))
        if num_odd <= _MAX_ODD_SHARE * len(text) and num_plain > most_plain:
            best, most_plain = encoding, num_plain
    return best


def _guessed(data: bytes) -> str:
    """The encoding that makes the most of the common letters of a language; Western European if in doubt."""
    sample = data[:_SAMPLE_BYTES]
    best, best_share = "", _COMMON_IN_ONE
    for encoding, share in _latin_and_other(sample):
        if share > best_share:
            best, best_share = encoding, share
    if best:
        return best
    best_share = _COMMON_IN_MANY
    for encoding, common in _MANY_BYTES:
        share = _share(_foreign(sample, encoding), common)
        if share > best_share:
            best, best_share = encoding, share
    return best or ("gb18030" if _is_chinese(data) else "cp1252")


def _latin_and_other(sample: bytes) -> Iterator[tuple[str, float]]:
    for encoding, letters in _LATIN:
        yield encoding, _share(_foreign(sample, encoding), letters + _SIGNS)
    for encoding, letters in _OTHER_SCRIPTS:
        foreign = _foreign(sample, encoding)
        mixed = _MIXED.findall(sample.decode(encoding, "replace"))
        if len(mixed) <= _MIXED_SHARE * len(foreign):
            yield encoding, _share(foreign, letters + letters.upper()[:1] + _SIGNS)


def _foreign(sample: bytes, encoding: str) -> str:
    """What the sample has beyond ASCII; nothing if it is not of this encoding, but for its cut end."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        text = decoder.decode(sample)
    except UnicodeDecodeError:
        return ""
    return "".join([letter for letter in text if not letter.isascii()])


def _share(foreign: str, common: str) -> float:
    return sum(map(set(common).__contains__, foreign)) / len(foreign) if foreign else 0.0


def _is_chinese(data: bytes) -> bool:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    num_ideographs = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    if num_ideographs > sum(letter.isascii() and letter.isalpha() for letter in text):
        return True
    return num_ideographs >= _LEAST_IDEOGRAPHS and _is_in_pairs(data)


def _is_in_pairs(data: bytes) -> bool:
    """Whether bytes beyond ASCII come two by two, as in Chinese among English; accents stand alone."""
    runs = _HIGH_BYTES.findall(data)
    num_even = sum(len(run) % 2 == 0 for run in runs)
    return num_even >= _PAIRED_SHARE * len(runs)
