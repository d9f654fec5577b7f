"""Why a provider could not do what it was asked to."""

from __future__ import annotations


class BoxdProviderError(RuntimeError):
    """An error of ``qm-deploy openenv``, or of calling it.

    The message names no secret, and neither the machine's name nor its
    address, which are one.

    Attributes:
        code: ``qm-deploy``'s (docs/openenv.md), or ours: ``NO_PROGRAM`` when
            ``qm-deploy`` is not there, ``NO_ANSWER`` when it ended without
            one, ``TIMEOUT`` when it did not end, ``ALREADY_STARTED`` and
            ``NOT_STARTED``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[BoxdProviderError], tuple[str, str]]:
        return (type(self), (self.code, str(self)))
