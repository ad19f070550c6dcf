"""The servers of a deployment, for tests: Debian's PostgreSQL and an S3 API, each on a free port of this machine, ended with the tests."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

PASSWORD = "not-to-be-found-in-any-file"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _postgres_programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
        Path(which) for which in [shutil.which("initdb")] if which
    ]
    if not found:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return found[-1].parent


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server's own database."""
    pytest.importorskip("dagster_postgres", reason="the extra `server` is not installed: make server")
    programs = _postgres_programs()
    folder = Path(tempfile.mkdtemp(prefix="lawrag-postgres-"))
    as_user = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root; Debian's package brings a user for it
        as_user = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    port = free_port()
    (folder / "password").write_text(PASSWORD)
    (folder / "password").chmod(0o644)
    data = str(folder / "data")
    initialise = [
        str(programs / "initdb"),
        "-D",
        data,
        "-U",
        "lawrag",
        "-A",
        "scram-sha-256",
        "--pwfile",
        str(folder / "password"),
    ]
    subprocess.run([*as_user, *initialise, "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    control = [*as_user, str(programs / "pg_ctl"), "-D", data, "-w"]
    options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
    subprocess.run(
        [*control, "-l", str(folder / "log"), "-o", options, "start"], check=True, stdout=subprocess.DEVNULL, cwd=folder
    )
    try:
        yield f"postgresql://lawrag:{PASSWORD}@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, stdout=subprocess.DEVNULL, cwd=folder)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The address of a new, empty database."""
    import psycopg2

    name = f"lawrag_{uuid.uuid4().hex[:12]}"
    connection = psycopg2.connect(postgres_server)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    connection.close()
    return f"{postgres_server.rpartition('/')[0]}/{name}"


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of an S3 API that keeps its objects in memory."""
    pytest.importorskip("moto.server", reason="moto is not installed: pip install 'lawrag-assets[dev]'")
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                httpx.get(f"{address}/moto-api/")
                break
            except httpx.TransportError:
                assert process.poll() is None, "moto's server ended at once"
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def artefacts(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a prefix in a new, empty bucket, with the environment that leads there."""
    pytest.importorskip("obstore", reason="the extra `server` is not installed: make server")
    environment = {
        "AWS_ENDPOINT_URL": s3_server,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": PASSWORD,
        "AWS_REGION": "eu-central-1",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    bucket = f"lawrag-{uuid.uuid4().hex[:12]}"
    location = "<CreateBucketConfiguration><LocationConstraint>eu-central-1</LocationConstraint></CreateBucketConfiguration>"
    authorization = "AWS4-HMAC-SHA256 Credential=testing/20260101/eu-central-1/s3/aws4_request, SignedHeaders=host, Signature=0"
    httpx.put(f"{s3_server}/{bucket}", content=location, headers={"Authorization": authorization}).raise_for_status()
    return f"s3://{bucket}/team"
