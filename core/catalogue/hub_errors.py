"""What can go wrong with a download, in words for the user."""

from pathlib import Path

from core.errors import DoesNotFitError, ModelError
from core.units import format_size

_GATED = "GatedRepo"


class Refusal(Exception):  # noqa: N818 - an answer of the server, not an error yet
    """The server answered with another status than success; `code` is the hub's own word for it."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"status {status} {code}".strip())
        self.status = status
        self.code = code


def refused(hub_id: str, refusal: Refusal, endpoint: str, *, has_token: bool) -> ModelError:
    token = (
        f"create a token at {endpoint}/settings/tokens, set it as the environment variable HF_TOKEN and try "
        "again."
    )
    if refusal.status == 403 or (refusal.status == 401 and refusal.code == _GATED):
        return ModelError(
            "The publisher wants to be asked first",
            f"{hub_id} is given only to people who have accepted its terms. Open {endpoint}/{hub_id} in a "
            f"browser, log in and accept them; then {token}",
        )
    if refusal.status == 401:
        why = "The token in HF_TOKEN may be wrong or expired. " if has_token else ""
        return ModelError(
            "Model not found",
            f"{endpoint} shows no model {hub_id} to strangers. {why}Check the spelling. If the model is "
            f"private or has terms to accept, {token}",
        )
    if refusal.status == 404:
        return ModelError(
            "Model not found",
            f"There is no {hub_id} on {endpoint}, or a file of it is gone. Check the spelling: it is "
            "organisation/name, as in the address of the model's page.",
        )
    if refusal.status == 429:
        return ModelError(
            "Too many requests", f"{endpoint} asks for a pause. Wait some minutes; what has come is kept."
        )
    return ModelError(
        "The server failed",
        f"{endpoint} answered with status {refusal.status}. Try again later; what has come is kept.",
    )


def no_connection(endpoint: str, why: str) -> ModelError:
    return ModelError(
        "No connection to the model server",
        f"{endpoint} cannot be reached ({why.rstrip('.')}). Check the connection and run the command again: "
        "what has come is kept. Models that are on this machine work without a connection.",
    )


def no_space(hub_id: str, needed_bytes: int, free_bytes: int, folder: Path) -> DoesNotFitError:
    return DoesNotFitError(
        "Not enough disk space",
        f"{hub_id} needs {format_size(needed_bytes)} more in {folder.parent}; {format_size(free_bytes)} are "
        "free. Free some space, or choose another folder with --cache-dir or LECTERN_CACHE_DIR.",
    )


def nothing_to_load(hub_id: str) -> ModelError:
    return ModelError(
        "Not a model that Lectern can load",
        f"{hub_id} has no config.json with safetensors weights. Pickled weights are never downloaded; a GGUF "
        "file can be downloaded by hand and named with --model.",
    )


def unreadable_reply(hub_id: str, endpoint: str) -> ModelError:
    return ModelError(
        "The server's answer cannot be read",
        f"{endpoint} does not describe {hub_id} as a Hugging Face Hub does. Check HF_ENDPOINT and the "
        "network: a log-in page of a public network may have answered.",
    )
