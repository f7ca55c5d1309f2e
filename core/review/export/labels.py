"""The words of a report in the languages that checklists are bundled in."""

from core.review.export.report import Labels
from core.review.finding import FindingStatus

_CHINESE = Labels(
    question="问题",
    answer="答案",
    quote="引文",
    page="页码",
    verified="已核实",
    confidence="可信度",
    status="状态",
    comment="备注",
    document="文件",
    checklist="清单",
    date="日期",
    model="模型",
    mode="模式",
    yes="是",
    no="否",
    page_and_label="{ordinal} (印刷页码 {label})",
    statuses={
        FindingStatus.OPEN: "待定",
        FindingStatus.ACCEPTED: "已接受",
        FindingStatus.REJECTED: "已驳回",
    },
)


def labels_in(language: str) -> Labels:
    """The words in `language`, in English for one that they are not written in."""
    return _CHINESE if language == "zh_CN" else Labels()
