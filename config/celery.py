"""The Celery app: nudges, and the schedule that repeats those that were lost.

A message only says "look for work"; what is due stands in the database. So a message may be lost,
come late or come twice, and no broker can lose anything.
"""

import os
import socket
import sys
import warnings
from typing import Any

from celery import Celery, Task
from celery.exceptions import SecurityWarning
from celery.signals import (
    celeryd_after_setup,
    celeryd_init,
    setup_logging,
    task_prerun,
    worker_ready,
    worker_shutting_down,
)
from click import Option
from django.conf import settings
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from config.env import folder
from core import heartbeat
from core.celery import fallback_sweep, nudge
from core.celery.nudge import REQUEST_ID, NudgeTask
from core.logging import NO_REQUEST, request_id, say_at_once

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUE = "reviews"
# A queue for each queue of the hub: a broker serves them in turn, so none waits behind another. A
# worker listens to all, unless it is started with `-Q` for some.
HUB_QUEUES = {
    "websub.tasks.verify_due": "reviews-verify",
    "websub.tasks.deliver_due": "reviews-deliver",
    "websub.tasks.deliver_slow_due": "reviews-deliver-slow",
}
# Verifying and the slow queue take one thread each while they wait for callbacks, an import one,
# and analysing all reviews again one more.
LEAST_CONCURRENCY = 5
SWEEP_SECONDS = 5
RESUME_SECONDS = 20  # With the time until a claim expires, less than a minute.
CLOCKS_APART_SECONDS = 5 * 60
MINUTE_SECONDS = 60
HOUR_SECONDS = 60 * 60
DAY_SECONDS = 24 * 60 * 60

# Celery warns root because of pickled messages; ours are JSON, and nothing else is accepted.
warnings.filterwarnings("ignore", "You're running the worker with superuser", SecurityWarning)

# Kombu's own file-system transport can read a message that is still being written.
TRANSPORT_ALIASES["filesystem"] = "core.celery.filesystem_transport:Transport"
# And the one for Redis ends the worker when Redis is restarted while messages are at work.
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "core.celery.redis_transport:Transport"


def _transport_options(broker_url: str) -> dict[str, Any]:
    scheme = broker_url.partition(":")[0].partition("+")[0]
    if scheme == "filesystem":
        mail = folder("STATE_DIR", settings.STATE_DIR / "broker")
        return {
            "data_folder_in": str(mail),
            "data_folder_out": str(mail),
            "control_folder": str(mail / "control"),
            "polling_interval": 0.25,
        }
    if scheme in {"redis", "rediss"}:
        return {
            "global_keyprefix": "reviews:",
            "visibility_timeout": 300,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 1,
            "socket_timeout": 2,
            "socket_keepalive": True,
            "socket_keepalive_options": _keepalive_options(),
        }
    if scheme in {"amqp", "amqps", "pyamqp"}:
        return {"read_timeout": 2, "write_timeout": 2}
    return {}


def _keepalive_options() -> dict[int, int]:
    """A worker waits for messages silently; a broker that is gone must not look the same."""
    options = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
    return {getattr(socket, key): value for key, value in options.items() if hasattr(socket, key)}


def _settings() -> dict[str, Any]:
    broker_url = settings.CELERY_BROKER_URL
    in_files = broker_url.startswith("filesystem:")
    return {
        "broker_url": broker_url,
        "broker_transport_options": _transport_options(broker_url),
        "broker_connection_timeout": 1,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "task_default_queue": QUEUE,
        "task_queues": [Queue(name) for name in (QUEUE, *HUB_QUEUES.values())],
        "task_routes": {task: {"queue": queue} for task, queue in HUB_QUEUES.items()},
        "worker_concurrency": max(LEAST_CONCURRENCY, os.cpu_count() or 1),
        "task_default_delivery_mode": "transient",
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_publish_retry_policy": {"max_retries": 1, "interval_start": 0, "interval_max": 0.1},
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_time_limit": 900,
        "worker_prefetch_multiplier": 1,
        "worker_soft_shutdown_timeout": 15,
        "worker_cancel_long_running_tasks_on_connection_loss": True,
        "worker_redirect_stdouts": False,
        # Over files no process answers remote control, and its messages would pile up.
        "worker_enable_remote_control": not in_files,
        # Celery opens connections for each task, which costs more than the task where nothing is
        # due. In a file they can be kept as requests do; `NudgeTask` closes old ones. A server may
        # have gone silent meanwhile.
        "CELERY_DB_REUSE_MAX": sys.maxsize if settings.USES_SQLITE else None,
        "timezone": "UTC",
        "beat_scheduler": "core.celery.beat:Scheduler",
        "beat_schedule_filename": str(settings.STATE_DIR / "beat-schedule"),
        "beat_max_loop_interval": min(SWEEP_SECONDS, settings.WEBSUB_SWEEP_SECONDS),
        "beat_schedule": _schedule(),
    }


def _schedule() -> dict[str, Any]:
    return {
        "publish": _every(SWEEP_SECONDS, "publishing.tasks.publish_due"),
        "refresh insights": _every(SWEEP_SECONDS, "insights.tasks.refresh_insights"),
        "sweep the hub": _every(settings.WEBSUB_SWEEP_SECONDS, "websub.tasks.sweep_up"),
        "look at sources": _every(SWEEP_SECONDS, "sources.tasks.sweep"),
        "purge runs": _every(DAY_SECONDS, "sources.tasks.purge_runs"),
        "resume imports": _every(RESUME_SECONDS, "reviews.tasks.resume_batches"),
        "match mentions": _every(MINUTE_SECONDS, "reviews.tasks.match_mentions"),
        "forget answers": _every(DAY_SECONDS, "insights.tasks.forget_answers"),
        "purge uploads": _every(DAY_SECONDS, "reviews.tasks.purge_uploads"),
        "forget changes": _every(DAY_SECONDS, "reviews.tasks.forget_changes"),
        "purge logins": _every(DAY_SECONDS, "sign_in.tasks.purge_logins"),
    }


def _every(seconds: float, task: str) -> dict[str, Any]:
    # A message that is still waiting when the next one comes has no use. But a worker tells that
    # by its own clock, which may be ahead of ours.
    expires = max(seconds, CLOCKS_APART_SECONDS)
    return {"task": task, "schedule": seconds, "options": {"expires": expires}}


app = Celery("reviews", task_cls=NudgeTask)
# Read at first use: this module is imported with the package, before Django has its settings.
app.add_defaults(_settings)
app.autodiscover_tasks()
app.steps["worker"].add("core.celery.beat:BeatThread")
app.user_options["worker"].add(
    Option(["--with-beat"], is_flag=True, help="Run the scheduler in a thread of this worker.")
)


@setup_logging.connect
def _use_logging_of_settings(**kwargs: Any) -> None:
    """A receiver is all it takes: Celery leaves logging to `LOGGING` in the settings."""


@celeryd_init.connect
def _log_end_of_worker(**kwargs: Any) -> None:
    """Log the end of a worker as log lines; Celery prints bare ones, which break a log of JSON."""
    from celery.apps import worker  # noqa: PLC0415  (web processes do without it)

    worker.safe_say = say_at_once  # type: ignore[attr-defined]  # The stubs lack it.


@celeryd_init.connect
def _require_writable_broker_folder(**kwargs: Any) -> None:
    mail = settings.STATE_DIR / "broker"
    is_in_files = settings.CELERY_BROKER_URL.startswith("filesystem:")
    if is_in_files and not os.access(mail, os.W_OK | os.X_OK):
        # No Exception, since Celery goes on after those.
        raise SystemExit(
            f"{mail} cannot be written. Give this user write access to the folder that STATE_DIR "
            "names, or name another one."
        )


@task_prerun.connect
def _log_under_request_id(task: Task[Any, Any], task_id: str, **kwargs: Any) -> None:
    """Log under the id of the request that enqueued the task, or under the message's own."""
    caller_id = (task.request.headers or {}).get(REQUEST_ID)
    request_id.set(caller_id if caller_id and caller_id != NO_REQUEST else task_id)


@celeryd_after_setup.connect
def _start_fallback_sweep(instance: Any, **kwargs: Any) -> None:
    # Before there is a broker: it may be away when the worker begins.
    fallback_sweep.start(instance)


@worker_ready.connect
def _start_heartbeat(**kwargs: Any) -> None:
    heartbeat.start("worker")


@worker_shutting_down.connect
def _request_shutdown(**kwargs: Any) -> None:
    nudge.request_shutdown()
