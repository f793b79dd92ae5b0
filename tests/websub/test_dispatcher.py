import mmap
from types import SimpleNamespace

from websub import dispatcher


def test_run_finishes_its_rows_at_shutdown(monkeypatch):
    stopping = mmap.mmap(-1, 1)
    monkeypatch.setattr(dispatcher, "_shutting_down", stopping)
    tried: list[str] = []
    processed: list[str] = []

    def claim(limit, exclude_hosts):
        return [SimpleNamespace(callback_host=f"endless-{n}.example") for n in range(limit)]

    def attempt(rows):
        for row in rows:
            tried.append(row.callback_host)
            if len(tried) == 20:
                dispatcher.request_shutdown()
            yield row.callback_host

    queue = dispatcher.Queue("endless", 2, 4, 60.0, False, claim, attempt, processed.extend)
    ended = dispatcher.run(queue)

    assert ended.is_cut_short
    # The started rows, and those of a claim in progress.
    assert 20 <= ended.processed == len(processed) <= 20 + 2 * queue.batch
