# One image for every role; docker-compose.yml says how each is started. docs/security.md says how
# digests are renewed.
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/venv
WORKDIR /build
COPY requirements.txt requirements-metrics.txt ./
# Wheels alone: nothing of a package runs while the image is made.
RUN for requirements in requirements.txt requirements-metrics.txt; do \
        /opt/venv/bin/pip install --require-hashes --only-binary :all: -r "$requirements" || exit 1; \
    done

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
ARG VERSION=1.0.0
# Names the build in backups: docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD).
ARG COMMIT=""
LABEL org.opencontainers.image.title="reviews" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="MIT"
# A fixed number, so that a volume's owner is known outside of the container.
RUN groupadd --gid 10001 reviews \
    && useradd --uid 10001 --gid reviews --home-dir /var/lib/reviews --shell /usr/sbin/nologin reviews \
    && install --directory --owner reviews --group reviews --mode 0700 /var/lib/reviews
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY . .
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STATE_DIR=/var/lib/reviews \
    COMMIT=${COMMIT} \
    GRANIAN_BLOCKING_THREADS=4 \
    STATIC_ROOT=/app/static
# Code and static files belong to root: what runs here cannot change what it runs.
RUN python -m compileall -q /app /opt/venv \
    && SECRET_KEY=unused BASE_URL=http://localhost STATE_DIR=/tmp/state \
       python manage.py collectstatic --noinput --verbosity 0 \
    && rm -r /tmp/state
# By number, so that whoever starts it can see that it is not root.
USER 10001:10001
VOLUME /var/lib/reviews
EXPOSE 8000
# Whether the process answers; compose asks whether it is ready.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-I", "config/http_probe.py", "http://127.0.0.1:8000/healthz"]
CMD ["granian", "--interface", "wsgi", "config.wsgi:application", "--host", "0.0.0.0", "--port", "8000", \
     "--http", "1", "--no-ws", "--backpressure", "512", \
     "--workers-kill-timeout", "10", "--log-level", "warning"]
