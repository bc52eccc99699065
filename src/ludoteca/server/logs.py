"""Structured logs on standard error: for people by default, as JSON when asked for."""

import logging
import sys

import structlog

LEVELS = ("debug", "info", "warning", "error")


def configure(log_format: str, level: str) -> None:
    """Set up logging once for the process.

    Tracebacks show no variables: those of a match hold its secrets.
    """
    renderer: structlog.typing.Processor
    if log_format == "json":
        renderer = structlog.processors.JSONRenderer()
        tracebacks: structlog.typing.Processor = structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        )
    else:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
        tracebacks = structlog.processors.StackInfoRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            tracebacks,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_Libraries()], level=logging.WARNING)


def warn(sentence: str) -> None:
    """Something that an operator should look at."""
    structlog.get_logger().warning(sentence)


class _Libraries(logging.Handler):
    """What libraries log by Python's own means, in the form of our logs.

    aiohttp logs its peers' mistakes, so strangers would decide what our log says, with a traceback each time:
    one line at debug is enough. The rest, asyncio's above all, are mistakes of ours.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        log = structlog.get_logger()
        if record.name.startswith("aiohttp."):
            log.debug(record.getMessage()[:300], logger=record.name)
        else:
            log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)
