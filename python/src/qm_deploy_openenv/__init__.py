"""OpenEnv environments, each in a container on a boxd machine of its own.

``BoxdProvider`` is a container provider for ``openenv``'s clients. It runs the
command ``qm-deploy openenv`` for everything that touches boxd.
"""

from ._errors import BoxdProviderError
from ._provider import BoxdProvider
from ._version import __version__

__all__ = ["BoxdProvider", "BoxdProviderError", "__version__"]
