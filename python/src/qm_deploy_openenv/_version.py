"""The version of this package, which is that of the qm-deploy that it calls."""

__version__ = "0.1.0"
