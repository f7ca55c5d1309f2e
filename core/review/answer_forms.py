"""How a question of a checklist is put to the model, and whether its answer says that nothing is there."""

import re
import unicodedata

from core.review.checklist import DEFAULT_LANGUAGE, AnswerForm, ChecklistItem, text_in

_INSTRUCTIONS = {
    "en": {
        AnswerForm.TEXT: "Answer in one or two sentences.",
        AnswerForm.DATE: "Answer with the date as the document writes it.",
        AnswerForm.DURATION: "Answer with the length of time and the event from which it runs.",
        AnswerForm.AMOUNT: "Answer with the amount, its currency and what it is for.",
        AnswerForm.PARTIES: "Answer with the full name of each party and what the document calls it.",
        AnswerForm.LAW: "Answer with the country or state whose law applies.",
        AnswerForm.YES_NO: "Begin with Yes or No, then say in one sentence what the clause provides.",
    },
    "zh_CN": {
        AnswerForm.TEXT: "请用一两句话回答。",
        AnswerForm.DATE: "请按文件中的写法回答日期。",
        AnswerForm.DURATION: "请回答期限的长短及其起算点。",
        AnswerForm.AMOUNT: "请回答金额、币种及用途。",
        AnswerForm.PARTIES: "请回答各方当事人的全称及其在文件中的简称。",
        AnswerForm.LAW: "请回答适用哪个国家或地区的法律。",
        AnswerForm.YES_NO: "请先回答“是”或“否”，再用一句话说明条款的内容。",
    },
}
_QUOTE = {
    "en": "Quote the decisive words of the document in quotation marks.",
    "zh_CN": "请用引号引用文件中的关键原文。",
}
NOT_FOUND = {"en": "Not found", "zh_CN": "未找到"}
"""What the model is asked to answer if the document does not say."""

_IF_ABSENT = {
    "en": f"If the document does not say, answer only: {NOT_FOUND['en']}.",
    "zh_CN": f"如果文件中没有相关内容，只回答：{NOT_FOUND['zh_CN']}。",
}
_ABSENT = {
    "en": re.compile(
        r"(?:(?:the )?(?:answer|information|clause|provision) (?:is|was) )?"
        r"(?:not (?:found|specified|stated|mentioned|provided|addressed|applicable)|none(?: found)?|n/a|"
        r"(?:the|this) (?:document|agreement|contract|lease|text) does not "
        r"(?:say|state|specify|mention|contain|address|provide)\b[^.,;:]*)"
        r"(?: (?:in|by) (?:the|this) (?:document|agreement|contract|lease|text))?"
    ),
    "zh_CN": re.compile(
        r"(?:(?:该|本)?(?:文件|合同|协议|文档)(?:中|里|内)?)?"
        r"(?:未找到|没有找到|未提及|没有提及|未提到|没有提到|未规定|没有规定|未约定|没有约定|未说明|没有说明|未载明|不适用)"
        r"(?:相关|有关)?(?:内容|信息|条款|规定|约定)?"
    ),
}
_EDGES = " .,;:!*_\"'`“”‘’「」。、"


def question_for_model(item: ChecklistItem, language: str) -> str:
    """The question in `language`, and in which form to answer it; instructions are in English elsewhere."""
    spoken = language if language in _INSTRUCTIONS else DEFAULT_LANGUAGE
    parts = [text_in(item.question, language).strip(), _INSTRUCTIONS[spoken][item.form]]
    parts += [_QUOTE[spoken], _IF_ABSENT[spoken]]
    return "\n".join((parts[0], " ".join(parts[1:]) if spoken == "en" else "".join(parts[1:])))


def is_not_found(answer: str, language: str) -> bool:
    """Whether an answer says, in `language` or in English, that the document holds none, and nothing else.

    An empty answer is none. "No" to a question that asks whether there is a clause is an answer.
    """
    text = " ".join(unicodedata.normalize("NFKC", answer).split()).strip(_EDGES).casefold()
    if not text:
        return True
    patterns = [_ABSENT[name] for name in dict.fromkeys((language, DEFAULT_LANGUAGE)) if name in _ABSENT]
    return any(pattern.fullmatch(text) for pattern in patterns)
