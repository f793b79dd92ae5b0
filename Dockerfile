# One image: without a command it is a whole installation in one volume, with one it is a single role;
# docker-compose.yml says how each is started. docs/security.md says how digests are renewed.
FROM python:3.13-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends binutils >/dev/null
RUN python -m venv --without-pip /opt/venv
WORKDIR /build
# Further files, like requirements-s3.txt: docker build --build-arg EXTRAS=requirements-s3.txt.
ARG EXTRAS=""
COPY requirements.txt requirements-metrics.txt requirements-s3.txt ./
# Wheels alone: nothing of a package runs while the image is made.
RUN for requirements in requirements.txt requirements-metrics.txt $EXTRAS; do \
        python -m pip --python /opt/venv/bin/python install --quiet --no-compile \
            --require-hashes --only-binary :all: -r "$requirements" || exit 1; \
    done
# Symbols for debuggers are half of some packages. Bundled libraries (`*.libs`) are left alone: their
# sections are laid out by a tool that `strip` does not understand. Then what no role needs: second
# engines of zstandard and wcwidth, AVIF, maps, pages of the browsable API, sign-ins of other
# sites, tests, sources, other languages.
RUN cd /opt/venv/lib/python3.*/site-packages \
    && find . -path './*.libs' -prune -o -name '*.so' -exec strip --strip-unneeded {} + \
    && rm -r zstandard/_cffi.*.so wcwidth/_wcwidth_c.*.so PIL/_avif.*.so pillow.libs/libavif-* django/contrib/gis rest_framework/static \
    && find allauth/socialaccount/providers -mindepth 1 -maxdepth 1 -type d ! -name base -exec rm -r {} + \
    && find . -type d -name tests -prune -exec rm -r {} + \
    && find . -type d -path '*/locale/*' ! -path '*/locale/*/*' \
        ! -name en ! -name de ! -name es ! -name fr -prune -exec rm -r {} + \
    && find . -type f \( -name '*.po' -o -name '*.pyi' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.c' -o -name '*.h' \) -delete

FROM python:3.13-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
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
# For backups of a PostgreSQL up to this version; its package would bring perl, to choose among several.
RUN cd /tmp && apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libpq5 >/dev/null \
    && apt-get download -qq postgresql-client-17 && dpkg -x postgresql-client-*.deb client \
    && install --target-directory /usr/local/bin client/usr/lib/postgresql/*/bin/pg_dump client/usr/lib/postgresql/*/bin/pg_restore \
    && rm -r client postgresql-client-*.deb /var/lib/apt/lists/* /var/cache/apt/*
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY . .
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 \
    STATE_DIR=/var/lib/reviews \
    GRANIAN_BLOCKING_THREADS=4 \
    STATIC_ROOT=/app/static
# Code and static files belong to root: what runs here cannot change what it runs. Compiled copies are
# kept of what a start loads, and of nothing else.
RUN export PYTHONDONTWRITEBYTECODE= SECRET_KEY=unused BASE_URL=http://localhost STATE_DIR=/tmp/state \
    && python manage.py collectstatic --noinput --verbosity 0 \
    && python manage.py migrate --verbosity 0 \
    && python manage.py publish_documents \
    && echo "$COMMIT" > config/commit.txt \
    && python -c "import granian.cli, granian.server.mp, celery.bin.celery, celery.apps.worker, celery.apps.beat, config.wsgi; from config.celery import app; app.loader.import_default_modules()" \
    && rm -r /tmp/state
# By number, so that whoever starts it can see that it is not root.
USER 10001:10001
VOLUME /var/lib/reviews
EXPOSE 8000
# Whether the process answers; compose asks whether it is ready.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["python", "-I", "config/http_probe.py", "http://127.0.0.1:8000/healthz"]
# Migration, web, worker and scheduler under one supervisor, which is process 1.
CMD ["python", "manage.py", "up", "--no-demo"]
