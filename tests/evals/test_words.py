"""Words of case ids: no word may be found in another's place by `-k`."""

from evals import TASK_HOMES, load_task

# What -k sees besides the ids: folders, files, functions and marks.
AROUND = ("evals", "evaluation", "tests", "test", "call", *TASK_HOMES)


def test_no_word_of_an_id_is_found_in_another_word():
    words = {(name, word) for name in TASK_HOMES for word in load_task(name).words}
    others = {word for _, word in words} | {*AROUND}
    clashes = {
        (name, word, other)
        for name, word in words
        for other in others
        if word != other and word in other
    }
    assert not clashes


def test_a_word_belongs_to_one_task():
    tasks = [word for name in TASK_HOMES for word in load_task(name).words]
    assert len(tasks) == len(set(tasks))


def test_no_name_of_a_task_holds_a_word_of_an_id():
    for name in TASK_HOMES:
        assert not [w for task in TASK_HOMES for w in load_task(task).words if w in name]
