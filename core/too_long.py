"""What to do about a document that is longer than a model reads: every choice, with its numbers."""

from dataclasses import dataclass

from core.errors import DocumentsTooLargeError


@dataclass(frozen=True)
class Excess:
    """Documents of `num_tokens` together that need `needed_tokens` with an answer, and a limit below that.

    `model_limit` is the model's own, `limit` the lower one if the user set one. `num_fitting_pages` of each
    document from its first page on would fit. `stretch` is a factor that the model's positions can be scaled
    by to read all. `are_chosen` tells that the pages are a choice of more.
    """

    num_pages: int
    num_tokens: int
    needed_tokens: int
    limit: int
    model_limit: int
    model: str
    num_fitting_pages: int
    stretch: int | None
    num_documents: int = 1
    are_chosen: bool = False


def too_long(excess: Excess) -> DocumentsTooLargeError:
    """The error that says so. Nothing is ever cut."""
    if excess.num_fitting_pages:
        what = (
            f"Its {excess.num_pages:,} pages are {excess.num_tokens:,} tokens; {excess.model} reads "
            f"{excess.limit:,} at most, question and answer included. Nothing was cut."
        )
    else:
        what = f"Even its first page does not fit into the {excess.limit:,} tokens of {excess.model}."
    message = " ".join([what, *_choices(excess)])
    return DocumentsTooLargeError("The document is too long for this model", message)


def _choices(excess: Excess) -> list[str]:
    if excess.needed_tokens <= excess.model_limit:
        more = f"--max-seq-len {excess.needed_tokens}"
        choices = [f"Allow longer sequences ({more}); the model reads {excess.model_limit:,}."]
    else:
        choices = [f"Choose a model that reads {excess.needed_tokens:,} tokens or more (--model)."]
        if excess.stretch is not None:
            choices.append(
                f"Stretch this model's context to {excess.stretch * excess.model_limit:,} tokens "
                f"(--rope-scaling yarn:{excess.stretch}); answers may lose precision."
            )
    if excess.num_documents > 1:
        choices.append("Leave a document out: --pages once for each file, and --pages none for that one.")
    if excess.are_chosen:
        choices.append("Choose fewer pages (--pages).")
    elif excess.num_fitting_pages:
        choices.append(f"Read fewer pages: --pages 1-{excess.num_fitting_pages} would fit.")
    if excess.num_fitting_pages:
        choices.append("Or have only the sections read that your question is about (--sections).")
    return choices
