"""`lectern checklists`: which there are, what they ask, and whether a file of one's own is right."""

import argparse

from core.cancel import CancelToken
from core.console import Console
from core.errors import UsageError
from core.review.checklist import Checklist, ChecklistError, text_in
from core.review.checklists import checklist_names, find_checklist, is_users_own, load_checklist


def checklists(options: argparse.Namespace, console: Console, _cancel: CancelToken) -> None:
    """List the checklists there are, show the questions of one, or check a file."""
    if options.action == "list":
        _list(options.language, console)
        return
    if not options.name:
        raise UsageError("No checklist", f"Write a name or a file: lectern checklists {options.action} nda")
    checklist = find_checklist(options.name)
    if options.action == "show":
        _show(checklist, options.language, console)
    else:
        languages, num_questions = _languages(checklist), len(checklist.items)
        console.finish(
            f"{options.name} is right: {num_questions} questions in {', '.join(languages)}.",
            {"name": checklist.name, "num_questions": num_questions, "languages": languages},
        )


def _list(language: str, console: Console) -> None:
    """A file that cannot be understood is named with its problems; the others are listed all the same."""
    names = checklist_names()
    for name in names:
        try:
            checklist = load_checklist(name)
        except ChecklistError as error:
            console.note(f"{error.title}: {error.message}")
            continue
        title, origin = text_in(checklist.title, language), "your own" if is_users_own(name) else "bundled"
        console.record(
            "checklist",
            f"{name}: {title}, {len(checklist.items)} questions, {origin}",
            {
                "name": name,
                "title": title,
                "num_questions": len(checklist.items),
                "is_users_own": is_users_own(name),
            },
        )
    console.finish("", {"num_checklists": len(names)})


def _show(checklist: Checklist, language: str, console: Console) -> None:
    title = text_in(checklist.title, language)
    for number, item in enumerate(checklist.items, start=1):
        item_title, question = text_in(item.title, language), text_in(item.question, language)
        console.record(
            "question",
            f"{number}. {item_title} [{item.form}]\n   {question}",
            {"id": item.item_id, "title": item_title, "question": question, "form": item.form.value},
        )
    console.finish("", {"name": checklist.name, "title": title, "num_questions": len(checklist.items)})


def _languages(checklist: Checklist) -> list[str]:
    """The languages that every question has."""
    common = set.intersection(*(set(item.question) for item in checklist.items))
    return sorted(common)
