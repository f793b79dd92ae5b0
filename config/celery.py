"""The Celery app and its schedule, which also does the work of lost messages."""

import os
import socket
import warnings
from typing import Any

from celery import Celery, Task
from celery.exceptions import SecurityWarning
from celery.signals import (
    beat_init,
    before_task_publish,
    setup_logging,
    task_prerun,
    worker_ready,
    worker_shutting_down,
)
from django.conf import settings
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from config.env import folder
from core import celery, heartbeat
from core.db.transactions import TASK_TIMEOUT, query_timeout
from core.logging import NO_REQUEST, request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUE = "reviews"
# The hub has queues of its own, so that its tasks do not wait behind others: a broker serves queues
# in turn. A worker listens to all queues unless it is started with `-Q`.
HUB_QUEUES = {
    "websub.tasks.verify_due": "reviews-verify",
    "websub.tasks.deliver_due": "reviews-deliver",
    "websub.tasks.deliver_slow_due": "reviews-deliver-slow",
}
# Verification and the slow queue take one thread each while they wait for callbacks, an import one,
# and an analysis of all reviews one more.
MIN_CONCURRENCY = 5
REQUEST_ID = "reviews_request_id"  # Message header with the id of the request that sent it.
SWEEP_SECONDS = 5
RESUME_SECONDS = 20  # A lost import resumes within a minute, including the expiry of its claim.
MINUTE_SECONDS = 60
HOUR_SECONDS = 60 * 60
MAX_CLOCK_SKEW_SECONDS = 5 * 60

# Celery warns root because of pickled messages. Here only JSON is sent and accepted.
warnings.filterwarnings("ignore", "You're running the worker with superuser", SecurityWarning)

TRANSPORT_ALIASES["filesystem"] = "core.celery:Transport"


def _transport_options(broker_url: str) -> dict[str, Any]:
    """Return options with short timeouts. Callers do not wait long, since messages may be lost."""
    scheme = broker_url.partition(":")[0].partition("+")[0]
    if scheme == "filesystem":
        messages = folder("STATE_DIR", settings.STATE_DIR / "broker")
        return {
            "data_folder_in": str(messages),
            "data_folder_out": str(messages),
            "control_folder": str(messages / "control"),
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
            "max_retries": 0,
            "socket_keepalive": True,
            "socket_keepalive_options": _keepalive_options(),
        }
    if scheme in {"amqp", "amqps", "pyamqp"}:
        return {"max_retries": 0, "read_timeout": 2, "write_timeout": 2}
    return {}


def _keepalive_options() -> dict[int, int]:
    """Return options by which a waiting worker notices a lost broker."""
    options = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
    return {getattr(socket, key): value for key, value in options.items() if hasattr(socket, key)}


def _settings() -> dict[str, Any]:
    broker_url = settings.CELERY_BROKER_URL
    return {
        "broker_url": broker_url,
        "broker_transport_options": _transport_options(broker_url),
        "broker_connection_timeout": 1,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "task_default_queue": QUEUE,
        "task_queues": [Queue(name) for name in (QUEUE, *HUB_QUEUES.values())],
        "task_routes": {task: {"queue": queue} for task, queue in HUB_QUEUES.items()},
        "task_default_delivery_mode": "transient",
        "task_ignore_result": True,
        "task_publish_retry": False,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_time_limit": 900,
        "worker_concurrency": max(MIN_CONCURRENCY, os.cpu_count() or 1),
        "worker_prefetch_multiplier": 1,
        "worker_soft_shutdown_timeout": 15,
        "worker_cancel_long_running_tasks_on_connection_loss": True,
        "worker_redirect_stdouts": False,
        # With the filesystem broker no process answers remote control; messages would pile up.
        "worker_enable_remote_control": not broker_url.startswith("filesystem:"),
        "timezone": "UTC",
        # This scheduler stores no file. All entries become due within their period after a start.
        "beat_scheduler": "celery.beat:Scheduler",
        "beat_schedule": _schedule(),
    }


def _schedule() -> dict[str, Any]:
    return {
        "publish": _every(SWEEP_SECONDS, "publishing.tasks.publish_due"),
        "refresh insights": _every(SWEEP_SECONDS, "insights.tasks.refresh_insights"),
        "sweep the hub": _every(settings.WEBSUB_SWEEP_SECONDS, "websub.tasks.sweep_up"),
        "poll sources": _every(SWEEP_SECONDS, "sources.tasks.process_due"),
        "notify": _every(SWEEP_SECONDS, "notifications.tasks.record_and_deliver"),
        "send replies": _every(SWEEP_SECONDS, "sources.tasks.send_replies"),
        "resume imports": _every(RESUME_SECONDS, "imports.tasks.resume_batches"),
        "match mentions": _every(MINUTE_SECONDS, "reviews.tasks.match_mentions"),
        "purge runs": _every(HOUR_SECONDS, "sources.tasks.purge_runs"),
        "forget answers": _every(HOUR_SECONDS, "insights.tasks.forget_answers"),
        "ask again": _every(24 * HOUR_SECONDS, "insights.tasks.ask_again"),
        "back up": _every(HOUR_SECONDS, "config.tasks.back_up"),
        "purge uploads": _every(HOUR_SECONDS, "imports.tasks.purge_uploads"),
        "purge deletions": _every(HOUR_SECONDS, "reviews.tasks.purge_deletions"),
        "purge messages": _every(HOUR_SECONDS, "notifications.tasks.purge"),
        "purge logins": _every(HOUR_SECONDS, "sign_in.tasks.purge_logins"),
    }


def _every(seconds: float, task: str) -> dict[str, Any]:
    # A message is useless once the next one arrives. But the worker decides that by its own clock,
    # which may be ahead of ours.
    expires = max(seconds, MAX_CLOCK_SKEW_SECONDS)
    return {"task": task, "schedule": seconds, "options": {"expires": expires}}


app = Celery("reviews", task_cls=celery.DueTask)
# Evaluated at first use: this module is imported with the package, before the Django settings.
app.add_defaults(_settings)
app.autodiscover_tasks()


@setup_logging.connect
def _use_logging_of_settings(**kwargs: Any) -> None:
    """Keep `LOGGING`. Celery does not configure logging if this signal has a receiver."""


@before_task_publish.connect
def _name_request(headers: dict[str, Any], **kwargs: Any) -> None:
    headers[REQUEST_ID] = request_id.get()


@task_prerun.connect
def _prepare_thread(task: Task[Any, Any], task_id: str, **kwargs: Any) -> None:
    """Log under the id of the request that sent the message, or under the id of the task."""
    caller_id = (task.request.headers or {}).get(REQUEST_ID)
    request_id.set(caller_id if caller_id and caller_id != NO_REQUEST else task_id)
    query_timeout.set(TASK_TIMEOUT)


@worker_ready.connect
def _start_heartbeat(**kwargs: Any) -> None:
    heartbeat.start("worker")


@beat_init.connect
def _start_scheduler(sender: Any, **kwargs: Any) -> None:
    """Let the scheduler retry, since Kombu only replaces a broken connection on a retry."""
    sender.app.conf.task_publish_retry = True
    heartbeat.start("scheduler")


@worker_shutting_down.connect
def _request_shutdown(**kwargs: Any) -> None:
    celery.request_shutdown()
