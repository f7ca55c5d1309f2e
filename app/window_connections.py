"""What the controller and the conversation tell each other, and what both tell the evidence on screen."""

from app.chat_view.chat_view import ChatView
from app.controller import Controller
from app.evidence_display import EvidenceDisplay


def connect_conversation(controller: Controller, chat: ChatView) -> None:
    controller.conversation_cleared.connect(chat.clear)
    controller.conversation_restarted.connect(chat.mark_restart)
    controller.conversation_restored.connect(chat.show_conversation)
    controller.turn_wanted.connect(chat.show_turn)
    controller.question_asked.connect(chat.add_turn)
    controller.question_changed.connect(chat.change_question)
    controller.answer_restarted.connect(chat.restart_answer)
    controller.answer_grew.connect(chat.append_text)
    controller.answer_finished.connect(chat.finish_answer)
    controller.answer_stopped.connect(chat.stop_answer)
    controller.answer_failed.connect(chat.fail_answer)
    chat.question_submitted.connect(controller.ask)
    chat.question_edited.connect(controller.edit)
    chat.stop_clicked.connect(controller.stop)
    chat.regenerate_clicked.connect(controller.regenerate)
    chat.new_conversation_clicked.connect(controller.start_conversation)
    chat.place_clicked.connect(controller.show_place)


def connect_evidence(chat: ChatView, evidence: EvidenceDisplay) -> None:
    """Warm pages belong to the answer that is being read."""
    chat.evidence_chosen.connect(evidence.show)
