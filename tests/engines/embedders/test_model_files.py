"""The packaged models are read as the files that were tested, and reading them runs no code: nothing is unpickled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sanya.engines.embedders.granite import find_granite_weights
from sanya.engines.embedders.multilingual import find_multilingual_weights
from sanya.engines.embedders.offline import GRANITE, USE
from sanya.engines.embedders.packages import hash_file, read_verified
from sanya.kernel.faults import Unavailable

_TIMEOUT_S = 300
# Python raises the audit event pickle.find_class whenever unpickling looks up a name, which is how it runs code. The
# hook is set before numpy is imported, and its own check comes last: a hook that never ran would prove nothing.
_LOAD = """
import sys, pickle
seen = []
sys.addaudithook(lambda event, arguments: seen.append(arguments) if event == "pickle.find_class" else None)
from sanya.engines.embedders.granite import Granite
from sanya.engines.embedders.multilingual import Multilingual
from sanya.engines.embedders.offline import GRANITE, USE
before = len(seen)
for model in (Granite(GRANITE), Multilingual(USE)):
    assert model.encode(model.tokenize(["ginger and warfarin"])).shape[0] == 1
assert len(seen) == before, seen[before:]
pickle.loads(pickle.dumps(int))
assert len(seen) == before + 1
print("loaded")
"""


def test_the_models_are_loaded_without_unpickling() -> None:
    run = subprocess.run([sys.executable, "-c", _LOAD], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    assert run.stdout == "loaded\n", run.stderr


@pytest.mark.parametrize("find", [find_granite_weights, find_multilingual_weights])
def test_a_model_file_with_one_other_byte_is_refused(find: object, tmp_path: Path) -> None:
    assert callable(find)
    file, model = find(), GRANITE if find is find_granite_weights else USE
    assert hash_file(file) == model.digest
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    (tmp_path / file.name).write_bytes(content)
    with pytest.raises(Unavailable, match="install its package again"):
        read_verified(tmp_path / file.name, model.digest)
