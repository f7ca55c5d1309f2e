"""Every error that a user can see: a title, a message that says what to do, and an exit code."""

from typing import ClassVar, Self


class LecternError(Exception):
    """An error with words fit to be shown as they are.

    `title` says what happened in a few words, `message` what it means and what to do about it.
    `exit_code` is what the command line returns for this class.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, title: str, message: str) -> None:
        super().__init__(f"{title}: {message}")
        self.title = title
        self.message = message

    def __reduce__(self) -> tuple[type["LecternError"], tuple[str, str]]:
        return type(self), (self.title, self.message)


class UsageError(LecternError):
    """The request itself makes no sense: an unknown option, a page range that is no range."""

    exit_code = 2


class DocumentError(LecternError):
    """The document cannot be read: damaged, empty, of an unknown kind, or without any text."""

    exit_code = 3


class FileChangedError(DocumentError):
    """The file is no longer the one that was read."""


class PasswordRequiredError(DocumentError):
    """The document is encrypted and no password was given."""


class WrongPasswordError(DocumentError):
    """The document is encrypted and the password given does not open it."""


class DoesNotFitError(LecternError):
    """The document, the model and the machine do not fit together; the message holds the numbers."""

    exit_code = 4


class DocumentsTooLargeError(DoesNotFitError):
    """The documents are more than the model or the memory takes; a part of them may fit."""


class ModelTooLargeError(DoesNotFitError):
    """The planner sees no room for the model; the user may load it anyway."""


class ConversationFullError(DoesNotFitError):
    """Documents, conversation and question leave no room for an answer; a new conversation may."""


class ModelError(LecternError):
    """The model is missing, damaged, or of a kind that the engine cannot run."""

    exit_code = 5


class DamagedCacheError(LecternError):
    """A document cache is not what was written. It is dropped and the document is read again."""

    exit_code = 3
    reason: str = ""

    @classmethod
    def of(cls, reason: str) -> Self:
        """`reason` is a clause without a full stop."""
        error = cls(
            "The document cache is damaged",
            f"What was kept of this document on the disk cannot be trusted: {reason}. Ask again in a new "
            "conversation: the document is then read anew.",
        )
        error.reason = reason
        return error


class OtherVersionCacheError(DamagedCacheError):
    """A document cache in the format of an older or newer program: sound, but not for this one.

    `documents` are the names of its documents as far as they can be told.
    """

    documents: tuple[str, ...] = ()


class DeviceError(LecternError):
    """The compute device failed or is absent."""

    exit_code = 6


class CancelledError(LecternError):
    """The user stopped the work; front ends stay silent about it."""

    exit_code = 130

    def __init__(
        self, title: str = "Stopped", message: str = "The work was stopped before it was done."
    ) -> None:
        super().__init__(title, message)
