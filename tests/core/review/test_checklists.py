"""Checklists: bundled ones are complete, a user's own can be kept, and mistakes are named by their line."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.review.answer_forms import NOT_FOUND, is_not_found, question_for_model
from core.review.checklist import AnswerForm, Checklist, ChecklistError, ChecklistItem, text_in
from core.review.checklist_format import parse_checklist, read_checklist, to_toml
from core.review.checklists import (
    bundled_checklists_dir,
    checklist_names,
    delete_checklist,
    find_checklist,
    is_users_own,
    load_checklist,
    save_checklist,
    user_checklists_dir,
)

BUNDLED = {"contract-review": 41, "key-dates": 13, "nda": 20}
CJK = re.compile(r"[\u4e00-\u9fff]")
OWN = Checklist(
    "my-lease",
    {"en": "My lease", "zh_CN": "我的租约"},
    (
        ChecklistItem("rent", {"en": "Rent"}, {"en": 'What is the "rent"?\nAnd \\ when?'}, AnswerForm.AMOUNT),
        ChecklistItem("pets", {"en": "Pets"}, {"en": "May I keep a dog?", "zh_CN": "可以养狗吗？"}),
    ),
)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60).filter(str.strip)


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path))


def test_the_bundled_checklists_are_complete_in_both_languages() -> None:
    assert {name: len(load_checklist(name).items) for name in checklist_names()} == BUNDLED
    for name in BUNDLED:
        checklist = load_checklist(name)
        for texts in (checklist.title, *(t for item in checklist.items for t in (item.title, item.question))):
            assert set(texts) == {"en", "zh_CN"}
            assert not CJK.search(texts["en"])
            assert CJK.search(texts["zh_CN"])
        for item in checklist.items:
            assert item.question["en"].endswith("?")
            assert item.question["zh_CN"].endswith("？")
            assert len({item.title["en"] for item in checklist.items}) == len(checklist.items)


@pytest.mark.parametrize("path", sorted(bundled_checklists_dir().glob("*.toml")), ids=lambda path: path.stem)
def test_bundled_files_stay_the_same_when_they_are_written_again(path: Path) -> None:
    without_comments = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert to_toml(read_checklist(path)).splitlines() == without_comments


def test_an_own_checklist_is_kept_hides_a_bundled_one_and_can_be_deleted() -> None:
    path = save_checklist(OWN)
    assert path.parent == user_checklists_dir()
    assert load_checklist("my-lease") == find_checklist("my-lease") == find_checklist(str(path)) == OWN
    assert checklist_names() == ("contract-review", "key-dates", "my-lease", "nda")
    mine = Checklist("nda", {"en": "Mine"}, OWN.items)
    save_checklist(mine)
    assert load_checklist("nda") == mine
    assert is_users_own("nda")
    delete_checklist("nda")
    assert len(load_checklist("nda").items) == BUNDLED["nda"]
    assert not is_users_own("nda")
    with pytest.raises(ChecklistError, match="none of your own"):
        delete_checklist("nda")
    assert {entry.name for entry in user_checklists_dir().iterdir()} == {"my-lease.toml"}


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_whatever_is_written_reads_back_as_it_was(title: str, question: str, chinese: str) -> None:
    item = ChecklistItem("a-1", {"en": title}, {"en": question, "zh_CN": chinese}, AnswerForm.DATE)
    checklist = Checklist("any", {"zh_CN": chinese}, (item,))
    assert parse_checklist(to_toml(checklist), Path("any.toml")) == checklist


def test_a_file_by_hand_may_be_short() -> None:
    text = '\ufefftitle = "Lease"\r\n[[questions]]\r\nid = "rent"\r\nquestion = """\r\nHow much?"""\r\n'
    (item,) = parse_checklist(text.removeprefix("\ufeff"), Path("lease.toml")).items
    assert item == ChecklistItem("rent", {"en": "rent"}, {"en": "How much?"}, AnswerForm.TEXT)
    path = user_checklists_dir() / "lease.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    assert load_checklist("lease").items == (item,)


GOOD = '[[questions]]\nid = "a"\nquestion = "A?"\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no questions"),
        ("questions = 5", "no questions"),
        ("questions = [1]", "Question 1 is no table"),
        ("title = 'x'\n[[questions]\n", "line 2"),
        (f"colour = 'red'\n{GOOD}", "unknown key 'colour'"),
        (f"{GOOD}{GOOD}", "Question 2 (line 4) has the id 'a' of question 1"),
        (f"{GOOD}\n\n[[questions]]\nquestion = 'B?'", "Question 2 (line 6) needs an id"),
        (f"{GOOD}[[questions]]\nid = 'B C'\nquestion = 'B?'", "Question 2 (line 4) needs an id"),
        (f"{GOOD}form = 'number'", "has the form 'number'; there are text, date"),
        (f"{GOOD}form = 3", "has the form 3"),
        (f"{GOOD}hint = 'x'", "Question 1 (line 1) has an unknown key 'hint'"),
        ("[[questions]]\nid = 'a'", "Question 1 (line 1) has a question that must be a text"),
        ("[[questions]]\nid = 'a'\nquestion.en = ' '", "must be 1 to 2,000 characters long in en"),
        ("[[questions]]\nid = 'a'\nquestion.english = 'x'", "has 'english' for a language"),
        (f"[[questions]]\nid = 'a'\nquestion = '{'x' * 2001}'", "must be 1 to 2,000 characters"),
        (f"title = 5\n{GOOD}", "The title must be a text"),
        (GOOD * 501, "501 questions"),
        (f"n = {'9' * 5000}", "cannot be read"),
        (f"n = {'[' * 5000}", "cannot be read"),
    ],
)
def test_mistakes_are_named(text: str, problem: str) -> None:
    with pytest.raises(ChecklistError, match=re.escape(problem)) as caught:
        parse_checklist(text, Path("mine.toml"))
    assert "mine.toml" in caught.value.message


def test_many_mistakes_are_told_at_once_but_not_all() -> None:
    with pytest.raises(ChecklistError) as caught:
        parse_checklist("[[questions]]\nid = 'a'\n" * 8, Path("mine.toml"))
    assert caught.value.message.count("must be a text") == 5
    assert "There are 10 more problems." in caught.value.message


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b"title = 'x'\ntitle2 = '\xff'\n")
    with pytest.raises(ChecklistError, match="line 2: the file is not in UTF-8"):
        read_checklist(path)
    path.write_bytes(b"#" * (1 << 19))
    with pytest.raises(ChecklistError, match="too large"):
        read_checklist(path)
    with pytest.raises(ChecklistError, match="cannot be read"):
        read_checklist(tmp_path / "absent.toml")


@pytest.mark.parametrize("name", ["", "../nda", "a/b", "x" * 65, ".hidden"])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(ChecklistError, match="Not a name"):
        save_checklist(Checklist(name, OWN.title, OWN.items))
    with pytest.raises(ChecklistError, match="Not a name"):
        delete_checklist(name)
    with pytest.raises(ChecklistError, match="No such checklist"):
        load_checklist(name)


def test_what_could_not_be_read_again_is_not_written() -> None:
    for broken in ((), (ChecklistItem("a", {"en": "A"}, {"en": "half \ud800"}),)):
        with pytest.raises(ChecklistError):
            save_checklist(Checklist("broken", {"en": "B"}, broken))
    assert not user_checklists_dir().exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "checklists").write_text("a file where the folder should be")
    with pytest.raises(ChecklistError, match="cannot be saved"):
        save_checklist(OWN)


def test_a_text_is_shown_in_the_language_nearest_to_the_one_asked_for() -> None:
    assert text_in({"en": "a", "zh_CN": "b"}, "zh_CN") == "b"
    assert text_in({"en": "a", "zh_CN": "b"}, "de") == "a"
    assert text_in({"fr": "c"}, "de") == "c"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("form", list(AnswerForm))
def test_the_model_is_told_the_form_and_what_to_say_of_nothing(form: AnswerForm, language: str) -> None:
    item = ChecklistItem("a", {"en": "A"}, {"en": "What?", "zh_CN": "什么？"}, form)
    asked = question_for_model(item, language)
    assert asked.startswith(item.question[language] + "\n")
    assert NOT_FOUND[language] in asked
    assert bool(CJK.search(asked)) == (language == "zh_CN")
    forms = {
        question_for_model(ChecklistItem("a", item.title, item.question, other), language)
        for other in AnswerForm
    }
    assert len(forms) == len(AnswerForm)


def test_a_language_without_instructions_is_asked_in_its_own_words_with_english_ones() -> None:
    item = ChecklistItem("a", {"de": "A"}, {"de": "Was?"}, AnswerForm.DATE)
    assert question_for_model(item, "de").startswith("Was?\nAnswer with the date")


@pytest.mark.parametrize(
    "answer",
    [
        "Not found",
        "Not found.",
        " **Not found.** ",
        "“Not found”",
        "not specified in the document.",
        "Not mentioned in this agreement",
        "The contract does not specify a renewal term.",
        "None found.",
        "N/A",
        "",
        " \n",
    ],
)
def test_answers_that_found_nothing_are_recognised(answer: str) -> None:
    assert is_not_found(answer, "en")
    assert is_not_found(answer, "zh_CN"), "models fall back to English"


@pytest.mark.parametrize(
    "answer",
    [
        "未找到",
        "未找到。",
        "“未找到”",
        "文件中未提及相关内容。",
        "本合同没有约定",
        "合同中未规定。",
        "不适用",
    ],
)
def test_chinese_answers_that_found_nothing_are_recognised(answer: str) -> None:
    assert is_not_found(answer, "zh_CN")
    assert not is_not_found(answer, "en")


@pytest.mark.parametrize(
    "answer",
    [
        "No.",
        "Yes, it is not found in Annex 2.",
        "Not found guilty parties shall be paid.",
        "The contract does not state a date, but Schedule 1 says 5 May.",
        "Not specified in Section 4; Section 5 says “ten days”.",
        "The document does not say. The annex says 5 May.",
        "否，合同未规定违约金，但附件一约定了。",
        "未找到的货物由卖方承担。",
        "Nonexclusive license.",
    ],
)
def test_answers_that_say_something_are_not_mistaken_for_nothing(answer: str) -> None:
    assert not is_not_found(answer, "en")
    assert not is_not_found(answer, "zh_CN")
