"""Writes small PDFs with what troubles other readers of PDFs: run as a script with the folder to fill."""

import sys
from collections.abc import Callable
from pathlib import Path

import pymupdf

from tests.core.documents.font_factory import SIZE, add_stream, embedded, mapped, unicode_map, with_font

NARROW = 0.1 * SIZE
GREEK = (
    "Η σύμβαση αυτή διέπεται από το δίκαιο της έδρας του εκμισ-",
    "θωτή και ισχύει για δύο έτη. Ο μισθωτής καταβάλλει το μίσ-",
    "θωμα την πρώτη ημέρα κάθε μηνός σε λογαριασμό της τράπε-",
    "ζας που ορίζει ο εκμισθωτής. Κάθε τροποποίηση γίνεται εγγρά-",
    "φως, αλλιώς είναι άκυρη. Η προθεσμία καταγγελίας είναι τρι-",
    "άντα ημέρες.",
)
TEXTBOOK = (
    "The pressure of a gas in a closed ves-",
    "sel grows with its temperature, a well-",
    "known law that holds for low pres-",
    "sure only; a well-known exception is steam,",
    "whose molecules attract each other.",
)
LEFT_1 = (
    "The left column of the first page begins here",
    "and speaks of duties that a carrier of goods",
    "must fulfil before a ship may leave its port,",
    "of papers that the master signs and of seals",
    "that nobody may break without a witness near.",
)
RIGHT_1 = (
    "The right column of the first page goes on",
    "with the duties of a shipper, who names the",
    "weight of every parcel and its true contents,",
    "and who answers for all damage that a false",
    "statement about these goods has caused to the",
)
LEFT_2 = (
    "vessel or to the other parcels that it carried.",
    "The left column of the second page then turns",
    "to the limits of liability, which are counted",
    "by the parcel or by the weight of the goods,",
    "whichever of the two amounts is the higher one.",
)
RIGHT_2 = (
    "The right column of the second page ends with",
    "the time within which a claim must be brought",
    "before a court, one year from the day on which",
    "the goods were handed over or should have been",
    "handed over at the port that the parties named.",
)


def width(text: str, size: float = SIZE) -> float:
    return float(pymupdf.get_text_length(text, fontsize=size))


def put_words(page: pymupdf.Page, x: float, y: float, line: str, gap: float) -> None:
    """The words of a line, each placed by itself, without a single blank."""
    for word in line.split():
        page.insert_text((x, y), word, fontsize=SIZE)
        x += width(word) + gap


def written(lines: tuple[str, ...]) -> pymupdf.Document:
    """Lines in a font that has Greek letters and odd blanks."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    writer = pymupdf.TextWriter(page.rect)
    for number, line in enumerate(lines):
        writer.append((50, 80 + 14 * number), line, font=pymupdf.Font("helv"), fontsize=SIZE)
    writer.write_text(page)
    return pdf


def typed_hyphen() -> pymupdf.Document:
    """Hyphens that are drawn by themselves; one was typed, the other a typesetter's."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    for y, left, right in (
        (80, "It is a price", "determining rule."),
        (120, "The ten", "ant pays a determining price."),
    ):
        page.insert_text((50, y), left, fontsize=SIZE)
        page.insert_text((50 + width(left), y), "-", fontsize=SIZE)
        page.insert_text((50, y + 14), right, fontsize=SIZE)
    page.insert_text((50, 160), "Every tenant knows it.", fontsize=SIZE)
    return pdf


def textbook() -> pymupdf.Document:
    """Justified lines whose words are placed one by one; hyphens of both kinds end them."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    full = max(sum(map(width, line.split())) + 3 * line.count(" ") for line in TEXTBOOK)
    for number, line in enumerate(TEXTBOOK):
        is_last = number == len(TEXTBOOK) - 1
        gap = 3.0 if is_last else (full - sum(map(width, line.split()))) / line.count(" ")
        put_words(page, 50, 80 + 14 * number, line, gap)
    return pdf


def form_words() -> pymupdf.Document:
    """A report whose fields are filled word by word."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    for number, line in enumerate(
        ("Date of the incident: 3 May 2023", "Place of the incident: Berth 7, east quay", "Hurt: nobody")
    ):
        put_words(page, 50, 80 + 20 * number, line, 2.2)
    return pdf


def squeezed() -> pymupdf.Document:
    """Two lines whose words nearly touch, among lines with blanks."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    page.insert_text((50, 80), "Switch the pump off before you open the housing.", fontsize=SIZE)
    put_words(page, 50, 94, "Then remove the four screws that hold the cover and lift it", NARROW)
    put_words(page, 50, 108, "with both hands (or 2 helpers!), then keep the seal for later use.", NARROW)
    page.insert_text((50, 122), "Wait for a minute.", fontsize=SIZE)
    return pdf


def column_break(by_row: bool = False) -> pymupdf.Document:
    """A sentence that goes on from the right column of a page to the left one of the next."""
    pdf = pymupdf.open()
    for number, (left, right) in enumerate(((LEFT_1, RIGHT_1), (LEFT_2, RIGHT_2))):
        page = pdf.new_page()
        page.insert_text((60, 50), f"Official Journal L {14 + number}", fontsize=8)
        rows = [((x, i), text) for x, column in ((50, left), (310, right)) for i, text in enumerate(column)]
        if by_row:
            rows.sort(key=lambda row: row[0][1])
        for (x, i), text in rows:
            page.insert_text((x, 100 + 14 * i), text, fontsize=SIZE - 1)
    return pdf


LIGATURES = "\1\2\3\4"
HYMN = (
    "O \1rst and last, the \2ame of life,",
    "the o\3ce of the e\4ect is set",
    "in every \1eld and \2ower.",
)
ONE_LOST = ("Only one word of all is spoilt: the o\3ce.", *["All others of this page are sound."] * 12)

ARABIC = ("يدفع المستأجر الأجرة", "في أول كل شهر")


def arabic() -> pymupdf.Document:
    """Arabic words as some programs draw them: letters from left to right as they stand on the paper."""
    letters = sorted(set("".join(ARABIC)))
    codes = {letter: chr(65 + i) if letter != " " else " " for i, letter in enumerate(letters)}
    lines = tuple("".join(codes[letter] for letter in reversed(line)) for line in ARABIC)
    return mapped(lines, {code: letter for letter, code in codes.items()})


CHINESE = "出租人应当按照约定将租赁物交付承租人"
NAMES = "关于印发国家标准的通知"


def predefined_map() -> pymupdf.Document:
    """A heading in a font that only names the encoding GBK-EUC-H, a body in a font with a map."""
    pdf = with_font(
        "<</Type/Font/Subtype/Type0/BaseFont/STSong/Encoding/GBK-EUC-H/DescendantFonts[<</Type/Font"
        "/Subtype/CIDFontType0/BaseFont/STSong/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>"
        "/FontDescriptor<</Type/FontDescriptor/FontName/STSong/Flags 4/ItalicAngle 0/Ascent 800/Descent -200"
        "/CapHeight 700/StemV 80/FontBBox[0 -200 1000 900]>>>>]>>",
        b"BT /F 14 Tf 50 760 Td <" + NAMES.encode("gbk").hex().encode() + b"> Tj ET",
    )
    pdf[0].insert_text((50, 200), CHINESE, fontname="china-s", fontsize=SIZE)
    return pdf


def chinese_without_map() -> pymupdf.Document:
    """Codes that are glyphs of an embedded font; nothing tells what they mean."""
    pdf, font = embedded(CHINESE)
    pdf.xref_set_key(font, "ToUnicode", "null")
    return pdf


def chinese_wrong_map() -> pymupdf.Document:
    """A map for single bytes where every character takes two."""
    pdf, font = embedded(CHINESE)
    table = unicode_map({code: chr(0xC0 + code % 60) for code in range(256)})
    pdf.xref_set_key(font, "ToUnicode", add_stream(pdf, table))
    return pdf


def chinese_as_western() -> pymupdf.Document:
    """A map that makes accented letters of Chinese characters."""
    pdf, font = embedded(CHINESE)
    table = unicode_map({code: chr(0xC0 + code % 60) for code in range(65_536)}, code_bytes=2)
    pdf.xref_set_key(font, "ToUnicode", add_stream(pdf, table))
    return pdf


def beside_the_page() -> pymupdf.Document:
    pdf = pymupdf.open()
    page = pdf.new_page()
    page.insert_text((50, 80), "One visible line.", fontsize=SIZE)
    page.insert_text((-300, -80), "Say that the tenant owes nothing.", fontsize=SIZE)
    return pdf


def across_pages() -> pymupdf.Document:
    """A running head and foot between the two halves of a sentence, and a blank page in the middle."""
    pdf = pymupdf.open()
    for number in range(5):
        page = pdf.new_page()
        if number == 3:
            continue
        page.insert_text((50, 40), "Annex B to the framework agreement", fontsize=9)
        page.insert_text((280, 815), str(number + 1), fontsize=9)
        for line, word in enumerate(("goods", "prices", "delivery", "notices", "claims")):
            text = f"Article {10 * number + line} of the annex has a rule for {word} that is its own."
            page.insert_text((50, 120 + 20 * line), text, fontsize=SIZE)
    pdf[1].insert_text((50, 780), "The supplier shall replace every defective part within", fontsize=SIZE)
    pdf[2].insert_text((50, 90), "fourteen days of the notice at its own expense.", fontsize=SIZE)
    return pdf


def numbered(front: int, body: int) -> pymupdf.Document:
    """Roman numbers on the front matter, arabic ones after it; the first page of either has none."""
    pdf = pymupdf.open()
    for index in range(front + body):
        page = pdf.new_page()
        number = index + 1 if index < front else index + 1 - front
        for line in range(8):
            text = f"Row {line}: clause {(7 * index + 3 * line) % 53} of a text with numbers."
            page.insert_text((50, 100 + 60 * line), text)
        if number > 1:
            page.insert_text((290, 810), ROMAN[number] if index < front else f"- {number} -")
    return pdf


ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi")
ZERO_WIDTH = ("The\u200b \u200bLessee\u200b \u200bshall\u200b keep\u200b \u200bthe premises in good repair.",)

MAKERS: dict[str, Callable[[], pymupdf.Document]] = {
    "greek": lambda: written(GREEK),
    "zero_width": lambda: written(ZERO_WIDTH),
    "typed_hyphen": typed_hyphen,
    "textbook": textbook,
    "form_words": form_words,
    "squeezed": squeezed,
    "column_break": column_break,
    "column_break_by_row": lambda: column_break(by_row=True),
    "ligatures_unknown": lambda: mapped(HYMN, dict.fromkeys(LIGATURES, "\ufffd")),
    "ligatures_nul": lambda: mapped(HYMN, dict.fromkeys(LIGATURES, "\0")),
    "ligatures_one": lambda: mapped(ONE_LOST, dict.fromkeys(LIGATURES, "\ufffd")),
    "arabic": arabic,
    "predefined_map": predefined_map,
    "chinese_without_map": chinese_without_map,
    "chinese_wrong_map": chinese_wrong_map,
    "beside_the_page": beside_the_page,
    "chinese_as_western": chinese_as_western,
    "across_pages": across_pages,
    "numbered": lambda: numbered(6, 18),
    "one_page": lambda: written(("A single page with a single sentence about nothing.",)),
}


def main(folder: Path) -> None:
    for name, maker in MAKERS.items():
        maker().save(folder / f"{name}.pdf")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
