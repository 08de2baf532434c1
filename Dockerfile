# The bot in a container: docker build -t sundial .
#   or podman build --format docker -t sundial .   (its own format leaves the health check out)
# compose.yaml runs it. docs/operating.md tells the rest.
#
# To build from one base image for ever, look up its digest (docker pull python:3.11-slim-bookworm prints it) and give
# --build-arg BASE=python:3.11-slim-bookworm@sha256:...
ARG BASE=python:3.11-slim-bookworm

# psycopg is always in it, some 13 MB: so that one image does with a file and with PostgreSQL.
FROM ${BASE} AS wheels
COPY requirements/base.txt requirements/postgresql.txt /requirements/
RUN ["python", "-m", "venv", "--without-pip", "/venv"]
RUN ["python", "-m", "pip", "--python", "/venv/bin/python", "install", "--no-cache-dir", "--require-hashes", "--only-binary", ":all:", "-r", "/requirements/postgresql.txt"]

FROM ${BASE}
COPY --from=wheels /venv /venv
COPY LICENSE pyproject.toml bot.py /app/
COPY cogs /app/cogs
COPY data /app/data
COPY rendering /app/rendering
COPY rules /app/rules
# The code is compiled now, as the root file system is not to be written to later; and /data belongs to the bot, so
# that a new volume does.
RUN ["/venv/bin/python", "-m", "compileall", "-q", "/app"]
RUN ["install", "-d", "-m", "0700", "-o", "10001", "-g", "10001", "/data"]

WORKDIR /app
USER 10001:10001
VOLUME /data
ENV DATABASE=/data/sundial.db \
    DISCORD_TOKEN_FILE=/run/secrets/token \
    HEALTH_PORT=8790 \
    LOG_FORMAT=json \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    PYTHONDONTWRITEBYTECODE=1
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/venv/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8790/livez', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/venv/bin/python", "/app/bot.py"]
