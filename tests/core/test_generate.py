"""The generated folders are what the benchmark takes them for."""

from __future__ import annotations

from tests.generate import SIZES, agent_files, skill_name


def test_the_same_seed_gives_the_same_folder_and_another_one_another() -> None:
    assert agent_files(3) == agent_files(3)
    assert agent_files(3) != agent_files(3, seed=1)


def test_a_larger_folder_begins_with_the_skills_of_a_smaller_one() -> None:
    small, large = agent_files(2), agent_files(5)
    skills = [path for path in small if path.startswith("skills/")]
    assert {p: large[p] for p in skills} == {p: small[p] for p in skills}


def test_the_files_have_the_sizes_of_real_ones() -> None:
    files = agent_files(20)
    for name, size in {**SIZES, "memory.yml": 1400}.items():
        for number in range(20):
            assert abs(len(files[f"skills/{skill_name(number)}/{name}"]) - size) < 0.1 * size
