"""Structured logs on standard error: for people by default, as JSON when asked for."""

import logging
import sys

import structlog

LEVELS = ("debug", "info", "warning", "error")


def configure(log_format: str, level: str) -> None:
    """Set up logging once for the process."""
    renderer: structlog.typing.Processor
    if log_format == "json":
        renderer = structlog.processors.JSONRenderer()
        tracebacks: structlog.typing.Processor = structlog.processors.dict_tracebacks
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        tracebacks = structlog.processors.StackInfoRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            tracebacks,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
