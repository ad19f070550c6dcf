"""The files under `deploy/`: they parse, and name only settings, commands and parts of Dagster that there are. No container is started."""

import importlib
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from dagster._config import process_config, resolve_to_config_type
from dagster._core.instance.config import dagster_instance_config_schema

from lawrag_assets.cli.app import app
from lawrag_assets.settings import Settings

PROJECT = Path(__file__).parent.parent.parent
DEPLOY = PROJECT / "deploy"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
INSTANCES = {"docker": DEPLOY / "dagster.yaml", "kubernetes": DEPLOY / "kubernetes" / "instance.yaml"}


def documents(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text("utf-8")))


def instance_settings(where: str) -> dict[str, Any]:
    [document] = documents(INSTANCES[where])
    return document if where == "docker" else dict(yaml.safe_load(document["data"]["dagster.yaml"]))


def compose() -> dict[str, Any]:
    [document] = documents(DEPLOY / "compose.yaml")
    return document


def containers() -> dict[str, list[str]]:
    """The command of each container that runs something of ours."""
    of_compose = {
        f"compose {name}": service["command"]
        for name, service in compose()["services"].items()
        if name not in ("postgres", "lawrag")
    }
    deployments = [document for document in documents(DEPLOY / "kubernetes" / "lawrag.yaml") if document["kind"] == "Deployment"]
    pods = [container for document in deployments for container in document["spec"]["template"]["spec"]["containers"]]
    return of_compose | {f"kubernetes {container['name']}": container["args"] for container in pods}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_that_a_deployment_names_is_one(path: Path) -> None:
    known = {f"LAWRAG_{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"\bLAWRAG_[A-Z_]+", path.read_text("utf-8"))) <= known


@pytest.mark.parametrize("where", INSTANCES)
def test_an_instance_has_what_the_project_asks_of_every_instance(where: str) -> None:
    [project] = documents(PROJECT / "dagster.yaml")
    settings = instance_settings(where)
    assert {name: settings.get(name) for name in project} == project


@pytest.mark.slow  # for these only is the extra `server` installed
@pytest.mark.parametrize("where", INSTANCES)
def test_dagster_takes_an_instances_settings(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWRAG_POSTGRES_URL", "postgresql+psycopg2://lawrag@postgres/lawrag")
    settings = instance_settings(where)
    assert process_config(resolve_to_config_type(dagster_instance_config_schema()), settings).errors in (None, [])
    for part in (settings["run_launcher"], settings["compute_logs"]):
        module = pytest.importorskip(part["module"], reason="the extra `server` is not installed: make server")
        of_class = getattr(module, part["class"])
        assert process_config(resolve_to_config_type(of_class.config_type()), part.get("config", {})).errors in (None, [])


def test_every_container_runs_a_command_that_there_is() -> None:
    commands = containers()
    assert len(commands) == 6
    for command in commands.values():
        assert shutil.which(command[0], path=Path(sys.executable).parent), command
    assert {tuple(command[:2]) for command in commands.values()} == {
        ("dagster", "code-server"),
        ("dagster-webserver", "-h"),
        ("dagster-daemon", "run"),
    }
    for command in commands.values():
        if "-m" in command:
            importlib.import_module(command[command.index("-m") + 1])


def test_runs_get_the_daemons_settings_network_and_volume() -> None:
    config = instance_settings("docker")["run_launcher"]["config"]
    daemon = compose()["services"]["daemon"]
    assert set(config["env_vars"]) == set(daemon["environment"])
    assert config["network"] == compose()["networks"]["lawrag"]["name"]
    assert config["container_kwargs"]["volumes"] == [f"{compose()['volumes']['storage']['name']}:/storage"]
    assert "storage:/storage" in daemon["volumes"]


def test_kubernetes_objects_name_each_other() -> None:
    kinds = {
        (document["kind"], document["metadata"]["name"])
        for path in (DEPLOY / "kubernetes").glob("*.yaml")
        for document in documents(path)
    }
    config = instance_settings("kubernetes")["run_launcher"]["config"]
    assert ("ServiceAccount", config["service_account_name"]) in kinds
    assert {("ConfigMap", name) for name in [config["instance_config_map"], *config["env_config_maps"]]} <= kinds
    [instance] = documents(INSTANCES["kubernetes"])
    host = yaml.safe_load(instance["data"]["workspace.yaml"])["load_from"][0]["grpc_server"]["host"]
    assert ("Service", host) in kinds


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_password_is_in_a_file(path: Path) -> None:
    text = path.read_text("utf-8")
    values = re.findall(r"^\W*[A-Z_]*(?:PASSWORD|SECRET_ACCESS_KEY|ACCESS_KEY_ID)[=:]\s*(\S+)", text, re.MULTILINE)
    values += re.findall(r"://[^:/\s]+:([^@\s]+)@", text)
    assert all(value.startswith(("${", "…", "PASSWORD")) for value in values)


def test_the_image_copies_what_is_there_and_installs_what_the_makefile_does() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE):
        assert all((PROJECT / name).exists() for name in line.split())
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    apart = re.search(r"--no-deps (dagster-postgres .+)", dockerfile)
    assert apart
    assert f"--no-deps {apart[1]}\n" in makefile


def test_the_services_image_serves_and_installs_nothing_again_for_another_page() -> None:
    dockerfile = (DEPLOY / "service" / "Dockerfile").read_text("utf-8")
    copied = [name for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE) for name in line.split()]
    assert all((PROJECT / name).exists() for name in copied)
    assert dockerfile.index("--constraint constraints.txt") < dockerfile.index("COPY lawrag_assets")
    command = json.loads(re.findall(r"^CMD (\[.+\])$", dockerfile, re.MULTILINE)[0])
    assert command[:2] == ["lawrag", "serve"]
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    taken = {option for parameter in commands["serve"].params for option in parameter.opts}
    assert {argument for argument in command if argument.startswith("--")} <= taken
    [compose_file] = documents(DEPLOY / "service" / "compose.yaml")
    service = compose_file["services"]["service"]
    assert service["ports"] == ["127.0.0.1:8000:8000"]
    assert service["volumes"] == ["storage:/storage"]
