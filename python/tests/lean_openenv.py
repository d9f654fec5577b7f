"""Importing it makes the modules of ``openenv`` cheap to import: 0.1 s of a processor in the place of 4.

``openenv`` and ``openenv.core`` import their servers, with gradio and pandas, for whoever wants a client or a provider. Here the two are bare packages,
whose modules are OpenEnv's own all the same. For interpreters that tests start only to end them.
"""

import sys
from importlib.util import find_spec
from types import ModuleType

for _name in ("openenv", "openenv.core"):
    _spec = find_spec(_name)
    assert _spec is not None and _spec.submodule_search_locations is not None
    _package = ModuleType(_name)
    _package.__path__ = list(_spec.submodule_search_locations)
    sys.modules[_name] = _package
