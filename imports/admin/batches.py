"""Pages of imports: upload, columns, preview, apply, undo and history.

The page of a batch depends on its state. Each button is a POST that calls a service and redirects
to the page of the batch. All pages work without JavaScript.
"""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import ModelAdmin, choice_filter, signed_in_user
from core.db.errors import hint_for
from imports import revert, services
from imports.admin.confirm_form import ConfirmForm
from imports.admin.upload_form import UploadForm
from imports.batch import NOT_TAKEN_IN, TRIES_MAX, BatchNotReady, rows_done
from imports.merge_file import error_lines_of, time_zone_for
from imports.models import ImportBatch, ImportOptions, ImportUpload
from review_exports.recognition import FORMATS
from reviews.selectors import get_business

State = ImportBatch.State
LABELS = {known.name: known.label for known in FORMATS}
_DIGITS_MAX = 8  # A row number has fewer digits.
PAGES = frozenset({"columns", "undo", "errors"})  # Views that also answer GET.
WORKER_START_TIMEOUT = dt.timedelta(seconds=5)  # After this, a page says that no worker started.


def _formats() -> list[tuple[str, str]]:
    batches = ImportBatch.objects.exclude(format="").order_by("format")
    names = batches.values_list("format", flat=True).distinct()
    return [(name, LABELS.get(name, name)) for name in names]


@admin.register(ImportBatch)
class ImportBatchAdmin(ModelAdmin):
    list_display = ["file_name", "state", "outcome", "recognised_as", "created_by", "created_at"]
    list_filter = [
        "state",
        choice_filter("format", _formats, lambda batches, value: batches.filter(format=value)),
    ]
    list_select_related = ["created_by"]
    search_fields = ["file_name", "sha256"]
    date_hierarchy = "created_at"
    actions = None

    @admin.display(description=_("outcome"))
    def outcome(self, batch: ImportBatch) -> str:
        if batch.state == State.REFUSED:
            return Truncator(batch.refusal).chars(100)
        if batch.state not in {State.APPLIED, State.PREVIEWED, State.UNDONE}:
            return ""
        return outcome(batch)

    @admin.display(description=_("format"), ordering="format")
    def recognised_as(self, batch: ImportBatch) -> str:
        return batch.preview.get("label") or LABELS.get(batch.format, batch.format)

    def has_change_permission(self, request: HttpRequest, obj: ImportBatch | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ImportBatch | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: ImportBatch | None = None) -> bool:
        return super().has_view_permission(request, obj) or self.has_add_permission(request)

    def get_urls(self) -> list[URLPattern]:
        return [
            *(
                path(
                    f"<int:pk>/{'errors.csv' if name == 'errors' else f'{name}/'}",
                    self.admin_site.admin_view(self._guarded(name, view)),
                    name=f"imports_importbatch_{name}",
                )
                for name, view in {
                    "apply": self._apply,
                    "cancel": self._cancel,
                    "run": self._run,
                    "row-numbers": self._row_numbers,
                    "columns": self._columns,
                    "undo": self._undo,
                    "errors": self._errors,
                }.items()
            ),
            *super().get_urls(),
        ]

    def _guarded(
        self, name: str, view: Callable[[HttpRequest, ImportBatch], HttpResponseBase | None]
    ) -> Callable[[HttpRequest, int], HttpResponseBase]:
        """Wrap a view: check permissions, and redirect to the batch if it returns None."""

        def guarded(request: HttpRequest, pk: int) -> HttpResponseBase:
            self._require_add(request)
            batch = get_object_or_404(ImportBatch.objects.select_related("created_by"), pk=pk)
            # After signing in again, a button may be requested by GET; the page shows it again.
            if request.method == "POST" or name in PAGES:
                try:
                    answer = view(request, batch)
                except BatchNotReady as refused:
                    messages.warning(request, str(refused))
                except DatabaseError as error:
                    _show_error(request, error)
                else:
                    return answer or self._to_page(batch)
            return self._to_page(batch)

        return guarded

    # --- Upload ---------------------------------------------------------------------------------

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        self._require_add(request)
        form = UploadForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid():
            file = form.cleaned_data["file"]
            try:
                batch = services.upload(
                    file.read(),
                    file_name=file.name or "",
                    options=form.options(),
                    by=signed_in_user(request),
                )
                services.preview(batch)
            except DatabaseError as error:
                _show_error(request, error)
            else:
                return self._to_page(batch)
        zone, guess = time_zone_for(ImportOptions())
        return self._render(
            request, "upload", title=gettext("Import reviews"), form=form, zone=zone, guess=guess
        )

    # --- A batch --------------------------------------------------------------------------------

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        batch = self.get_object(request, object_id)
        if batch is None:
            raise Http404
        if not self.has_view_permission(request, batch):
            raise PermissionDenied
        if batch.state in ImportBatch.PENDING:
            return self._progress(request, batch)
        upload = ImportUpload.objects.filter(batch=batch).exists()
        if batch.state == State.CONFIRMING and upload:
            return self._confirm_page(request, batch)
        return self._render(
            request,
            "batch",
            title=batch.file_name,
            batch=batch,
            outcome=outcome(batch),
            undone=undone(batch),
            why_no_undo=revert.blocked_reason(batch),
            has_upload=upload,
            can_map=upload and bool(batch.preview.get("shape")),
            may_act=self.has_add_permission(request),
        )

    def _progress(self, request: HttpRequest, batch: ImportBatch) -> HttpResponse:
        waits = timezone.now() - batch.requested_at > WORKER_START_TIMEOUT
        return self._render(
            request,
            "progress",
            title=batch.file_name,
            batch=batch,
            rows_done=rows_done(batch),
            tries_max=TRIES_MAX,
            waits=waits,
            seconds=5 if waits else 1,
            may_act=self.has_add_permission(request),
        )

    def _apply(self, request: HttpRequest, batch: ImportBatch) -> None:
        services.apply(
            batch,
            overwrite_edits="overwrite_edits" in request.POST,
            hide_many="hide_many" in request.POST,
            ids_are_sure="ids_are_sure" in request.POST,
        )
        batch.refresh_from_db()
        if batch.state == State.APPLIED:
            messages.success(request, gettext("Imported: %s.") % outcome(batch))

    def _cancel(self, request: HttpRequest, batch: ImportBatch) -> None:
        services.cancel(batch)
        messages.info(request, gettext("Cancelled; nothing was imported."))

    def _run(self, request: HttpRequest, batch: ImportBatch) -> None:
        services.run_now(batch)

    def _row_numbers(self, request: HttpRequest, batch: ImportBatch) -> None:
        """Read the file again and ignore its ids, which are row numbers."""
        self._read_again(request, batch, replace(batch.chosen, ids="row-numbers"))

    def _read_again(self, request: HttpRequest, batch: ImportBatch, chosen: ImportOptions) -> None:
        services.read_again(batch, chosen, by=signed_in_user(request))

    def _undo(self, request: HttpRequest, batch: ImportBatch) -> HttpResponse | None:
        """Show the effects of an undo for GET, and undo for POST."""
        if request.method == "POST":
            services.undo(batch)
            batch.refresh_from_db()
            if batch.state == State.UNDONE:
                messages.success(request, gettext("Undone: %s.") % undone(batch))
            return None
        if why := revert.blocked_reason(batch):
            messages.error(request, why)
            return None
        title, undo = gettext("Undo %s?") % batch.file_name, revert.preview(batch)
        return self._render(request, "undo", title=title, batch=batch, undo=undo)

    def _columns(self, request: HttpRequest, batch: ImportBatch) -> HttpResponse | None:
        """Confirm the fields of the columns."""
        if not batch.preview.get("shape") or batch.state not in ImportBatch.OPEN:
            return None
        if request.method != "POST":
            return self._confirm_page(request, batch)
        if (row := _requested_row(request)) is not None:
            chosen = replace(batch.chosen, heading_row=row, columns={}, accept=False)
            self._read_again(request, batch, chosen)
            return None
        form, is_draft = ConfirmForm(batch, request.POST), "again" in request.POST
        if not (form.is_valid() or is_draft):
            return self._confirm_page(request, batch, form)
        self._read_again(request, batch, form.options(batch.chosen, accept=not is_draft))
        return None

    def _confirm_page(
        self, request: HttpRequest, batch: ImportBatch, form: ConfirmForm | None = None
    ) -> HttpResponse:
        return self._render(
            request,
            "confirm",
            title=gettext("What do the columns mean?"),
            batch=batch,
            form=form or ConfirmForm(batch),
            business=get_business(),
            may_act=self.has_add_permission(request),
        )

    def _errors(self, request: HttpRequest, batch: ImportBatch) -> StreamingHttpResponse | None:
        """Download the rejected rows with two columns for the reason."""
        lines = error_lines_of(batch)
        if lines is None:
            gone = gettext("The file is no longer stored. The page lists its first errors.")
            messages.error(request, gone)
            return None
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        name = quote(f"errors-{PurePath(batch.file_name).stem}.csv")
        response["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
        return response

    # --- Common parts ---------------------------------------------------------------------------

    def _require_add(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _to_page(self, batch: ImportBatch) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse("admin:imports_importbatch_change", args=[batch.pk]))

    def _render(self, request: HttpRequest, page: str, **context: Any) -> TemplateResponse:
        context = self.admin_site.each_context(request) | {"opts": self.opts} | context
        return TemplateResponse(request, f"admin/imports/importbatch/{page}.html", context)


def _requested_row(request: HttpRequest) -> int | None:
    """Read the number of the row with the headings from a form; 0: there are none."""
    row = request.POST.get("heading_row", "")
    return int(row) if row.isascii() and row.isdigit() and len(row) < _DIGITS_MAX else None


def _show_error(request: HttpRequest, error: DatabaseError) -> None:
    messages.error(request, hint_for(error) or gettext(NOT_TAKEN_IN))


def outcome(batch: ImportBatch) -> str:
    """Summarise in one line what an import changed or would change."""
    parts = [
        gettext("%d new") % batch.new if batch.new else "",
        gettext("%d changed") % batch.changed if batch.changed else "",
        gettext("%d hidden") % batch.hidden if batch.hidden else "",
    ]
    return ", ".join(filter(None, parts)) or gettext("no change")


def undone(batch: ImportBatch) -> str:
    """Summarise the result of an undo; empty before."""
    done = batch.preview.get("undone")
    if not done:
        return ""
    counts = gettext("{deleted} deleted, {restored} restored, {left} left as they were")
    return counts.format(**done)
