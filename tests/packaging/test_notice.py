"""The NOTICE file: who owns which file, which texts go with it, and what stops the build."""

import importlib.metadata
from importlib.metadata import PathDistribution
from pathlib import Path

import notice
import pytest


def _install(
    site: Path, name: str, metadata: str = "", files: dict[str, str] | None = None
) -> PathDistribution:
    """A distribution of `name` with a module, and with `files` in its folder of metadata."""
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir(parents=True)
    (site / f"{name}.py").touch()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{metadata}", encoding="utf-8"
    )
    for file, text in (files or {}).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    names = [f"{name}.py", *(f"{folder.name}/{file}" for file in ("METADATA", *(files or {})))]
    (folder / "RECORD").write_text("".join(f"{file},,\n" for file in names), encoding="utf-8")
    return PathDistribution(folder)


def test_only_what_is_shipped_is_listed_and_the_rest_is_owned_by_nobody(tmp_path: Path) -> None:
    alpha, beta = _install(tmp_path, "alpha"), _install(tmp_path, "beta")
    paths = [tmp_path / "alpha.py", tmp_path / "stray.so"]
    distributions, rest = notice.shipped_distributions(paths, [alpha, beta])
    assert [distribution.name for distribution in distributions] == ["alpha"]
    assert rest == {tmp_path / "stray.so"}


def test_files_are_recognised_through_a_linked_environment(tmp_path: Path) -> None:
    _install(tmp_path / "real", "alpha")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    linked = PathDistribution(tmp_path / "link" / "alpha-1.0.dist-info")
    distributions, rest = notice.shipped_distributions([tmp_path / "real" / "alpha.py"], [linked])
    assert (len(distributions), rest) == (1, set())


def test_all_licence_texts_of_a_distribution_are_taken(tmp_path: Path) -> None:
    texts = {"licenses/LICENSE": "be kind", "licenses/vendored/COPYING": "be free", "NOTICE.txt": "by us"}
    component = notice.distribution_component(
        _install(tmp_path, "alpha", "License-Expression: MIT\n", texts), tmp_path
    )
    assert (component.licence, set(component.texts)) == ("MIT", set(texts.values()))


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("License-Expression: MIT AND Zlib\nLicense: old\n", "MIT AND Zlib"),
        ("Classifier: License :: OSI Approved :: BSD License\nLicense: long text\n", "BSD License"),
        ("License: Apache 2.0\n", "Apache 2.0"),
        ("", "see the text below"),
    ],
)
def test_the_licence_is_named_as_the_metadata_name_it(tmp_path: Path, metadata: str, expected: str) -> None:
    assert notice.licence_name(_install(tmp_path, "alpha", metadata)) == expected


def test_a_distribution_without_a_text_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(notice.LicenceError, match=r"alpha 1\.0 comes without"):
        notice.distribution_component(_install(tmp_path, "alpha", "License: MIT\n"), tmp_path)


def test_our_own_copy_helps_out(tmp_path: Path, repository: Path) -> None:
    component = notice.distribution_component(
        _install(tmp_path, "PySide6_Essentials"), repository / "packaging" / "licences"
    )
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in component.texts[0]
    assert "GNU GENERAL PUBLIC LICENSE" in component.texts[1]


def test_a_file_of_the_system_that_no_package_owns_stops_the_build(tmp_path: Path) -> None:
    stray = tmp_path / "libstray.so.1"
    stray.touch()
    with pytest.raises(notice.LicenceError, match="libstray"):
        list(notice.system_components([stray]))


def test_a_text_that_two_works_share_is_printed_once() -> None:
    parts = [notice.Component(name, "1", "MIT", ("permission is granted\n",)) for name in ("beta", "Alpha")]
    text = notice.render(parts)
    assert text.count("permission is granted") == 1
    assert text.index("Alpha 1") < text.index("beta 1")
    assert "The same text as for Alpha." in text
    assert "may be replaced by compatible builds of your own" in text


def test_every_distribution_that_the_project_depends_on_has_its_text(repository: Path) -> None:
    """A new dependency without one is found here, not at the end of a build."""
    texts = repository / "packaging" / "licences"
    names = {
        line.partition(";")[0] for line in importlib.metadata.requires("lectern") or [] if "extra" not in line
    }
    assert len(names) > 10
    for name in names:
        distribution = importlib.metadata.distribution(name.partition("==")[0].strip())
        assert notice.distribution_component(distribution, texts).texts
    for needed in notice.TEXTS_OF_OUR_OWN.values():
        assert all((texts / name).is_file() for name in needed)
