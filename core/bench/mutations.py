"""Ways to damage a file, each repeatable from the random generator that it is given."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

Mutation = Callable[[bytes, Sequence[bytes], Random], bytes]

_OBJECT = re.compile(rb"\d+ \d+ obj.*?endobj", re.DOTALL)
_LENGTH = re.compile(rb"/Length (\d+)(?! \d+ R)")
_NUMBER = re.compile(rb"\d{1,9}")
_MAX_FLIPS = 40
_MAX_CHUNK = 4096
_MAX_COPIES = 50


def flip_bits(data: bytes, _others: Sequence[bytes], random: Random) -> bytes:
    """A few single bits are wrong."""
    changed = bytearray(data)
    for _ in range(random.randint(1, _MAX_FLIPS)):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(data: bytes, _others: Sequence[bytes], random: Random) -> bytes:
    """The end is missing, or a piece from the middle."""
    start = random.randrange(1, len(data))
    end = len(data) if random.random() < 0.5 else random.randrange(start, len(data))
    return data[:start] + data[end:]


def splice(data: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """A piece of some file stands in the middle, over what was there or between."""
    source = random.choice(others)
    start = random.randrange(len(source))
    chunk = source[start : start + random.randint(1, _MAX_CHUNK)]
    place = random.randrange(len(data))
    rest = place + len(chunk) if random.random() < 0.5 else place
    return data[:place] + chunk + data[rest:]


def repeat_object(data: bytes, _others: Sequence[bytes], random: Random) -> bytes:
    """An object, or a piece of a file without any, comes many times, or under another's number."""
    objects = [match.span() for match in _OBJECT.finditer(data)]
    if not objects:
        start = random.randrange(len(data))
        chunk = data[start : start + random.randint(1, _MAX_CHUNK)]
        return data[:start] + chunk * random.randint(2, _MAX_COPIES) + data[start:]
    start, end = random.choice(objects)
    content = data[start:end]
    if random.random() < 0.5:
        first, last = random.choice(objects)
        number = data[first:last].split(b" ", 1)[0]
        content = number + content[content.index(b" ") :]
    place = random.choice(objects)[0]
    return data[:place] + (content + b"\n") * random.randint(1, _MAX_COPIES) + data[place:]


def swap_lengths(data: bytes, _others: Sequence[bytes], random: Random) -> bytes:
    """Two lengths, or two numbers of a file without any, stand in each other's place; or one is absurd."""
    found = [match.span(1) for match in _LENGTH.finditer(data)]
    if len(found) < 2 or random.random() < 0.3:
        found = [match.span() for match in _NUMBER.finditer(data)]
    pairs = [(one, two) for one, two in pairwise(random.sample(found, len(found))) if _differ(data, one, two)]
    if not pairs:
        return flip_bits(data, _others, random)
    (a, b), (c, d) = sorted(pairs[0])
    first = data[a:b] if random.random() < 0.5 else str(random.choice((0, 2**31 - 1, 10**12))).encode()
    return data[:a] + data[c:d] + data[b:c] + first + data[d:]


def _differ(data: bytes, one: tuple[int, int], two: tuple[int, int]) -> bool:
    return data[slice(*one)] != data[slice(*two)]


MUTATIONS: dict[str, Mutation] = {
    "bits flipped": flip_bits,
    "cut": cut,
    "spliced": splice,
    "objects repeated": repeat_object,
    "lengths swapped": swap_lengths,
}
