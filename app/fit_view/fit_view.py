"""What a model with a text of some length takes on this machine, live: bars, verdict and offers."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QPushButton, QVBoxLayout, QWidget

from app.core_texts import translated
from app.fit_view.context_slider import ContextSlider
from app.fit_view.fit_planner import FitAnswer, FitPlanner, FitQuestion
from app.fit_view.offers import Offer, offers_of
from app.fit_view.place_row import PlaceRow
from app.fit_view.words import codec_names, duration_words, mode_names, per_token_words, segments_of
from app.preferences import MemoryChoices
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.planning.assessment import context_limit
from core.planning.devices import chosen_gpus
from core.planning.loading import memory_shortfalls
from core.planning.machine import Machine
from core.planning.planner import Plan
from core.planning.reach import Engine
from core.settings import EngineSettings
from core.units import format_size


class FitView(QWidget):
    """Shows the plan for the settings that it is given; what is chosen here goes out as `memory_chosen`.

    The owner answers that with new settings. `answer_shown` comes when a plan is on screen. The length of
    the text is tried out only, unless the owner `keeps_context`: then it is a choice like the others.
    """

    memory_chosen = Signal(object)
    answer_shown = Signal(object)

    def __init__(
        self,
        planner: FitPlanner,
        *,
        has_choices: bool = True,
        keeps_context: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("fit_view")
        self._planner, self._keeps_context = planner, keeps_context
        self._question: FitQuestion | None = None
        self._memory = MemoryChoices()
        self._answer: FitAnswer | None = None
        self.verdict, self.notes, self.figures = (
            plain_label("title"),
            plain_label("muted"),
            plain_label("muted"),
        )
        for label in (self.verdict, self.notes, self.figures):
            label.setWordWrap(True)
        self.context = ContextSlider()
        self.codec_label, self.mode_label = plain_label(), plain_label()
        self.codec_box, self.mode_box = QComboBox(), QComboBox()
        self.codec_label.setBuddy(self.codec_box)
        self.mode_label.setBuddy(self.mode_box)
        for box, names in ((self.codec_box, codec_names()), (self.mode_box, mode_names())):
            for name in names:
                box.addItem("", name)
        self.places: list[PlaceRow] = []
        self.offers: list[QPushButton] = []
        self.offer_notes = plain_label("muted")
        self.offer_notes.setWordWrap(True)
        self._chosen: dict[QPushButton, MemoryChoices] = {}
        self._lay_out(has_choices=has_choices)
        self._retranslate()
        self.context.num_tokens_chosen.connect(self._on_num_tokens_chosen)
        self.codec_box.activated.connect(self._on_codec_activated)
        self.mode_box.activated.connect(self._on_mode_activated)
        planner.answered.connect(self._on_answered)

    @property
    def question(self) -> FitQuestion | None:
        """What was asked last; the answer may still be on its way."""
        return self._question

    @property
    def answer(self) -> FitAnswer | None:
        """What is on screen."""
        return self._answer

    def show_settings(
        self,
        settings: EngineSettings,
        memory: MemoryChoices,
        num_tokens: int | None = None,
        machine: Machine | None = None,
    ) -> None:
        """Plan for `settings`, in which `memory` is what the user chose; None keeps the length shown.

        `machine` stands in for the one at hand.
        """
        self._memory = memory
        if self._question is not None and num_tokens is None:
            same = self._question.settings.model == settings.model
            num_tokens = self._question.num_tokens if same else None
        self._question = FitQuestion(settings, num_tokens, machine)
        self.codec_box.setCurrentIndex(self.codec_box.findData(settings.kv_compression))
        self.mode_box.setCurrentIndex(self.mode_box.findData(settings.mode))
        self._planner.ask(self._question)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self, *, has_choices: bool) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE.m)
        form.setVerticalSpacing(SPACE.s)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.codec_label, self.codec_box)
        form.addRow(self.mode_label, self.mode_box)
        for widget in (self.codec_label, self.codec_box, self.mode_label, self.mode_box):
            widget.setVisible(has_choices)
        self._bars, self._offers = QVBoxLayout(), QVBoxLayout()
        self._bars.setSpacing(SPACE.l)
        self._offers.setSpacing(SPACE.s)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.l)
        column.addWidget(self.verdict)
        column.addWidget(self.notes)
        column.addLayout(self._bars)
        column.addWidget(self.context)
        if has_choices:
            column.addLayout(form)
        column.addWidget(self.figures)
        column.addLayout(self._offers)
        column.addWidget(self.offer_notes)
        column.addStretch(1)

    def _retranslate(self) -> None:
        for box, names in ((self.codec_box, codec_names()), (self.mode_box, mode_names())):
            for name, words in names.items():
                box.setItemText(box.findData(name), words)
        self.codec_label.setText(self.tr("Compression of the cache"))
        self.codec_box.setAccessibleName(self.tr("Compression of the cache"))
        self.mode_label.setText(self.tr("Mode"))
        self.mode_box.setAccessibleName(self.tr("Mode"))
        self._show()

    def _show(self) -> None:
        answer = self._answer
        plan = answer.plan if answer is not None else None
        for widget in (self.context, self.figures):
            widget.setVisible(plan is not None)
        if answer is None:
            self._say("muted", self.tr("Looking at this machine…"), "")
        elif answer.error is not None:
            self._say("warning", translated(answer.error.title), translated(answer.error.message))
        if plan is None or answer is None:
            self._show_places([])
            self._show_offers([])
            return
        self._show_verdict(plan)
        self._show_bars(answer, plan)
        if answer.geometry is not None:
            limit = context_limit(answer.geometry, plan.request) or plan.request.context
            self.context.show_context(plan.request.context, limit)
        self._show_figures(plan)
        self._show_offers(offers_of(plan, self._memory))

    def _say(self, kind: str, verdict: str, notes: str) -> None:
        if self.verdict.property("tone") != kind:
            self.verdict.setProperty("tone", kind)
            self.verdict.style().unpolish(self.verdict)
            self.verdict.style().polish(self.verdict)
        self.verdict.setText(verdict)
        self.notes.setText(notes)
        self.notes.setVisible(bool(notes))

    def _show_verdict(self, plan: Plan) -> None:
        short = memory_shortfalls(plan)
        if plan.reach.engine is Engine.UNSUPPORTED:
            self._say("error", self.tr("The engine cannot run this model"), translated(plan.reach.reason))
            return
        notes = ""
        if plan.reach.engine is Engine.UNKNOWN:
            notes = self.tr("Whether the engine can run it is found out when it is loaded.")
        if not short:
            self._say("success", self.tr("Fits this machine"), notes)
            return
        words = (
            self.tr("Does not fit: {size} of GPU memory are missing")
            if short[0].place == "vram"
            else self.tr("Does not fit: {size} of memory are missing")
        )
        self._say("error", words.format(size=format_size(short[0].over)), notes)

    def _show_bars(self, answer: FitAnswer, plan: Plan) -> None:
        gpus = chosen_gpus(answer.machine, plan.request) if plan.assessment.vram_by_gpu else ()
        rows = [
            (gpu.name if len(gpus) > 1 else self.tr("GPU memory"), items, gpu.usable_bytes)
            for gpu, items in zip(gpus, plan.assessment.vram_by_gpu, strict=True)
        ]
        rows.append((self.tr("Memory"), plan.places["ram"], answer.machine.usable_ram_bytes))
        self._show_places(rows)

    def _show_places(self, rows: list[tuple[str, dict[str, int], int]]) -> None:
        while len(self.places) < len(rows):
            row = PlaceRow()
            self.places.append(row)
            self._bars.addWidget(row)
        for i, place in enumerate(self.places):
            place.setVisible(i < len(rows))
        for place, (name, items, usable) in zip(self.places, rows, strict=False):
            place.show_place(name, segments_of(items), usable)

    def _show_figures(self, plan: Plan) -> None:
        estimate = plan.assessment.estimate
        lines = [
            self.tr("Longest text that fits: {count} tokens.").format(count=f"{plan.max_context:,}"),
            self.tr("Estimated: {reading} to read this length, then {token} for each word part.").format(
                reading=duration_words(estimate.prefill_s), token=per_token_words(estimate.per_token_s)
            ),
        ]
        self.figures.setText("\n".join(lines))

    def _show_offers(self, offers: list[Offer]) -> None:
        for button in self.offers:
            self._offers.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.offers, self._chosen = [], {}
        for offer in offers:
            if offer.memory is not None:
                button = QPushButton(offer.words)
                button.setAutoDefault(False)
                button.clicked.connect(self._on_offer_clicked)
                self.offers.append(button)
                self._chosen[button] = offer.memory
                self._offers.addWidget(button)
        self.offer_notes.setText("\n".join(offer.words for offer in offers if offer.memory is None))
        self.offer_notes.setVisible(bool(self.offer_notes.text()))

    def _on_answered(self, answer: FitAnswer) -> None:
        if answer.question == self._question:
            self._answer = answer
            self._show()
            self.answer_shown.emit(answer)

    def _on_num_tokens_chosen(self, num_tokens: int | None) -> None:
        if self._keeps_context:
            self.memory_chosen.emit(replace(self._memory, max_seq_len=num_tokens))
        elif self._question is not None:
            self._question = replace(self._question, num_tokens=num_tokens)
            self._planner.ask(self._question)

    def _on_codec_activated(self, _index: int) -> None:
        self.memory_chosen.emit(replace(self._memory, codec=self.codec_box.currentData()))

    def _on_mode_activated(self, _index: int) -> None:
        self.memory_chosen.emit(replace(self._memory, mode=self.mode_box.currentData()))

    def _on_offer_clicked(self) -> None:
        memory = self._chosen.get(self.sender())  # type: ignore[call-overload]
        if memory is not None:
            self.memory_chosen.emit(memory)
