"""How long documents are for a model, page by page, and how much it takes."""

from dataclasses import dataclass

from core.documents.page_range import PageRange
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.units import format_size


@dataclass(frozen=True)
class DocumentSizes:
    """Counted with the model's own tokenizer; all lengths are in tokens.

    `page_tokens` has a number for every page of every document, 0 where there is no text. `heading_tokens`
    is what naming a document costs beside its pages, `around_tokens` what stands around all of them: the
    instructions and a short answer. `limit` is the longest sequence now, `context_length` the longest that
    the model was trained on. `stretch` is the factor that makes it read everything, None if there is none. A
    question may read `section_budget` tokens of the `num_sections` sections, which are counted only where
    not everything fits; 0 if no section can be read. `kv_bytes_per_token` is what is kept of a token and
    `memory_bytes` what may be kept now.
    """

    model: str
    page_tokens: tuple[tuple[int, ...], ...]
    heading_tokens: tuple[int, ...]
    around_tokens: int
    limit: int
    context_length: int
    stretch: int | None
    section_budget: int
    num_sections: int
    kv_bytes_per_token: float
    memory_bytes: int

    def tokens_of(self, document_index: int, pages: PageRange) -> int:
        """What the pages of one document cost."""
        costs = self.page_tokens[document_index]
        text = sum(cost for index, cost in enumerate(costs) if index in pages)
        return text + self.heading_tokens[document_index] if text else 0

    def pages_of(self, document_index: int, pages: PageRange) -> int:
        """How many pages with text the range has."""
        costs = self.page_tokens[document_index]
        return sum(cost > 0 for index, cost in enumerate(costs) if index in pages)

    def needed_tokens(self, choice: ReadingChoice) -> int:
        """The length of the sequence, with a short answer. Raises `UsageError` for what is no range."""
        if choice.kind is ReadingKind.SECTIONS:
            return min(self.section_budget, self.needed_tokens(EVERYTHING)) + self.around_tokens
        indices = range(len(self.page_tokens))
        return self.around_tokens + sum(self.tokens_of(i, choice.range_of(i)) for i in indices)

    def limit_of(self, choice: ReadingChoice) -> int:
        """The longest sequence under the choice."""
        if choice.kind is ReadingKind.STRETCHED:
            return self.context_length * choice.stretch
        return self.limit

    def has_text(self, choice: ReadingChoice) -> bool:
        """Whether any page of the choice has text. Raises `UsageError` for what is no range."""
        return any(self.pages_of(i, choice.range_of(i)) for i in range(len(self.page_tokens)))

    def fits_model(self, choice: ReadingChoice) -> bool:
        if choice.kind is ReadingKind.SECTIONS:
            return self.section_budget > 0
        return self.has_text(choice) and self.needed_tokens(choice) <= self.limit_of(choice)

    def fits_memory(self, choice: ReadingChoice) -> bool:
        return self.needed_tokens(choice) * self.kv_bytes_per_token <= self.memory_bytes

    def fits(self, choice: ReadingChoice) -> bool:
        return self.fits_model(choice) and self.fits_memory(choice)

    def memory_words(self, choice: ReadingChoice) -> str:
        """What is kept of the choice, as a size: `1.2 GiB`."""
        return format_size(self.needed_tokens(choice) * self.kv_bytes_per_token)

    def fitting_range(self) -> ReadingChoice | None:
        """The longest beginning of the first document, and of all others, that fits; None if no page does."""
        most = max((len(costs) for costs in self.page_tokens), default=0)
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            if self.fits(self._first(middle)):
                low = middle
            else:
                high = middle - 1
        return self._first(low) if low else None

    def _first(self, num_pages: int) -> ReadingChoice:
        ends = (min(num_pages, len(costs)) for costs in self.page_tokens)
        ranges = ("1" if end == 1 else f"1-{end}" for end in ends)
        return ReadingChoice(ReadingKind.PAGES, tuple(ranges))
